import type { BoundaryPoint } from '../../boundary-point.ts';
import { type BisectionState, bisection } from '../bisection.ts';
import { remainingWork } from '../remaining.ts';
import type {
  ProbeFinished,
  RunProbe,
  RunTrial,
  SearchCommand,
  SearchConfig,
  SearchEvent,
  SearchStrategy,
  TrialFinished,
} from '../search.ts';
import { type AdaptiveState, loadOf, type SizeState, validTrials } from './adaptive-state.ts';
import { chooseProbe } from './choose-probe.ts';
import { chooseTrial, type TrialChoice } from './choose-trial.ts';
import { look } from './look.ts';
import { brokersOf } from './observe.ts';
import { pointOf } from './point.ts';
import { rampOf } from './probe-ramp.ts';
import { remainingOf } from './remaining-trials.ts';
import type { SizeView } from './size-view.ts';

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
  const sizes = config.sizes.map(
    (messageBytes): SizeState => ({ messageBytes, unitRate: null, probes: [], trials: [], seconds: 0 }),
  );
  return decide(config, sizes);
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

function withProbe(sizes: readonly SizeState[], command: RunProbe, event: ProbeFinished): SizeState[] {
  return sizes.map((size) =>
    size.messageBytes === command.messageBytes
      ? {
          ...size,
          probes: [...size.probes, { np: command.np, stepMs: command.stepMs, steps: event.steps }],
          seconds: size.seconds + event.seconds,
        }
      : size,
  );
}

function withTrial(sizes: readonly SizeState[], command: RunTrial, event: TrialFinished): SizeState[] {
  return sizes.map((size) => {
    if (size.messageBytes !== command.messageBytes) return size;
    const { np, unitRate, windowMs } = command;
    const { verdict, offeredPerSecond, ackedPerSecond, idleByBroker, windowSeconds, atSeconds } = event;
    return {
      ...size,
      unitRate,
      trials: [
        ...size.trials,
        {
          np,
          unitRate,
          verdict,
          offeredPerSecond,
          ackedPerSecond,
          idleByBroker,
          plannedWindowMs: windowMs,
          windowSeconds,
          atSeconds,
        },
      ],
      seconds: size.seconds + event.seconds,
    };
  });
}

function decide(config: SearchConfig, sizes: readonly SizeState[]): AdaptiveState {
  const probe = chooseProbe(config, sizes);
  if (probe) {
    return {
      config,
      sizes,
      command: probe,
      remaining: remainingOf(config, sizes, null),
      done: [],
      verdictsOnly: null,
    };
  }
  const hasIdea = config.known !== undefined || isAnyKnown(config, sizes);
  if (!hasIdea && sizes.every((size, index) => rampOf(size, index) === null)) {
    return finish(config, sizes, null);
  }
  const views = look(config, sizes);
  const choice = chooseTrial(views, config);
  if (!choice) return finish(config, sizes, views);
  const command = trialCommand(choice, views, config);
  return {
    config,
    sizes,
    command,
    remaining: remainingOf(config, sizes, views),
    done: [],
    verdictsOnly: null,
  };
}

/** Whether a former run knows the limit of some size. */
function isAnyKnown({ former = [] }: SearchConfig, sizes: readonly SizeState[]): boolean {
  return former.some((limit) => sizes.some(({ messageBytes }) => messageBytes === limit.messageBytes));
}

function soFar({ config, sizes, verdictsOnly }: AdaptiveState): readonly BoundaryPoint[] {
  if (verdictsOnly) return bisection.soFar(verdictsOnly);
  const tried = sizes.filter((size) => validTrials(size).length > 0);
  if (tried.length === 0) return [];
  const views = look(config, sizes);
  return sizes.flatMap((size, index) =>
    tried.includes(size) ? [pointOf(size, views[index] ?? null, config, brokersOf(sizes))] : [],
  );
}

function finish(
  config: SearchConfig,
  sizes: readonly SizeState[],
  views: readonly SizeView[] | null,
): AdaptiveState {
  const points = sizes.map((size, index) => pointOf(size, views?.[index] ?? null, config, brokersOf(sizes)));
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
