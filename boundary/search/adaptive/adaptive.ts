import type { BoundaryPoint } from '../../boundary-point.ts';
import { type BisectionState, bisection } from '../bisection.ts';
import { remainingWork } from '../remaining.ts';
import type {
  RunProbe,
  RunTrial,
  SearchCommand,
  SearchConfig,
  SearchEvent,
  SearchStrategy,
} from '../search.ts';
import { type AdaptiveState, loadOf, type SizeState, validTrials } from './adaptive-state.ts';
import { chooseProbe } from './choose-probe.ts';
import { chooseReference } from './choose-reference.ts';
import { chooseSize } from './choose-size.ts';
import { chooseTrial, type TrialChoice } from './choose-trial.ts';
import { look, type Outlook } from './look.ts';
import { pointsOf } from './points.ts';
import { rampOf } from './probe-ramp.ts';
import { remainingOf } from './remaining-trials.ts';
import type { SizeView } from './size-view.ts';
import { untried, withProbe, withTrial } from './take-in.ts';
import { trendOf } from './trend.ts';

/**
 * Finds the limits of all sizes together from what idle is, not only from which side of its limit it is on. Two probes
 * give a rough idea of the smallest and the largest size; then each trial goes to the size that is known least, close to
 * where its limit is thought to be, on both sides, so that the trials double as bounds.
 *
 * The whole history is read anew after every event: the state holds what happened and the command that follows.
 */
export const adaptive: SearchStrategy<AdaptiveState> = {
  start,
  tell,
  ask,
  remaining: ({ remaining }) => remaining,
  finished: ({ done }) => done,
  soFar,
};

function start(config: SearchConfig): AdaptiveState {
  // Without the brokers' idle there is no number to read, only verdicts.
  if (config.withoutSignals) return byVerdicts(config, bisection.start(config));
  return decide(config, config.sizes.map(untried));
}

function ask(state: AdaptiveState): SearchCommand {
  return state.command;
}

function tell(state: AdaptiveState, event: SearchEvent): AdaptiveState {
  const { command, verdictsOnly } = state;
  if (verdictsOnly) return byVerdicts(state.config, bisection.tell(verdictsOnly, event));
  switch (event.type) {
    case 'probeFinished':
      if (command.type !== 'runProbe' || command.probeId !== event.probeId) return state;
      return decide(state.config, withProbe(state.sizes, command, event));
    case 'trialFinished':
      if (command.type !== 'runTrial' || command.trialId !== event.trialId) return state;
      return decide(state.config, withTrial(state.sizes, command, event));
  }
}

function byVerdicts(config: SearchConfig, inner: BisectionState): AdaptiveState {
  return {
    config,
    sizes: [],
    command: bisection.ask(inner),
    remaining: remainingWork(inner),
    done: inner.done,
    verdictsOnly: inner,
  };
}

function decide(config: SearchConfig, sizes: readonly SizeState[]): AdaptiveState {
  const probe = chooseProbe(config, sizes);
  if (probe) return going(config, sizes, probe, null);
  const hasIdea = config.known !== undefined || isAnyKnown(config, sizes);
  if (!hasIdea && sizes.every((size, index) => rampOf(size, index) === null)) {
    return finish(config, sizes, null);
  }
  const outlook = look(config, sizes);
  const { views, analysis } = outlook;
  const needed = chooseTrial(views, config);
  if (needed) return going(config, sizes, trialCommand(needed, views, config), outlook);
  const added = chooseSize(config, sizes, outlook);
  if (added) return decide(config, [...sizes, added]);
  const reference = chooseReference(views, trendOf(analysis.model), config);
  if (reference) return going(config, sizes, trialCommand(reference, views, config), outlook);
  return finish(config, sizes, outlook);
}

function going(
  config: SearchConfig,
  sizes: readonly SizeState[],
  command: RunProbe | RunTrial,
  outlook: Outlook | null,
): AdaptiveState {
  const remaining = remainingOf(config, sizes, outlook);
  return { config, sizes, command, remaining, done: [], verdictsOnly: null };
}

/** Whether a former run knows the limit of some size. */
function isAnyKnown({ former = [] }: SearchConfig, sizes: readonly SizeState[]): boolean {
  return former.some((limit) => sizes.some(({ messageBytes }) => messageBytes === limit.messageBytes));
}

function soFar({ config, sizes, verdictsOnly }: AdaptiveState): readonly BoundaryPoint[] {
  if (verdictsOnly) return bisection.soFar(verdictsOnly);
  const tried = sizes.filter((size) => validTrials(size).length > 0);
  if (tried.length === 0) return [];
  const sizesTried = new Set(tried.map(({ messageBytes }) => messageBytes));
  return pointsOf(config, sizes, look(config, sizes)).filter((point) => sizesTried.has(point.messageBytes));
}

function finish(config: SearchConfig, sizes: readonly SizeState[], outlook: Outlook | null): AdaptiveState {
  const points = pointsOf(config, sizes, outlook);
  return {
    config,
    sizes,
    command: { type: 'done', points },
    remaining: { probes: 0, trials: 0, windowSeconds: 0 },
    done: points,
    verdictsOnly: null,
  };
}

function trialCommand(choice: TrialChoice, views: readonly SizeView[], config: SearchConfig): RunTrial {
  const view = views[choice.size];
  const { np, unitRate, windowMs, purpose, why } = choice;
  return {
    type: 'runTrial',
    trialId: `${choice.size + 1}-${(view?.size.trials.length ?? 0) + 1}`,
    messageBytes: view?.size.messageBytes ?? 0,
    np,
    unitRate,
    warmUpMs: config.warmUpMs,
    windowMs,
    purpose,
    lower: view?.bounds.lower ? loadOf(view.bounds.lower.bound) : null,
    upper: view?.bounds.upper ? loadOf(view.bounds.upper.bound) : null,
    why,
  };
}
