import type { BoundaryPoint } from '../../boundary-point.ts';
import type { Remaining } from '../remaining.ts';
import type { RunTrial, SearchCommand, SearchConfig, SearchEvent, SearchStrategy } from '../search.ts';
import { heldPoint } from './held-point.ts';
import { type HoldStep, holdStep, MAX_HOLDS } from './hold-step.ts';
import { type HoldTrial, heldLoad, holdBracketOf, holdTrialOf } from './hold-trial.ts';

export interface HoldState<State> {
  readonly config: SearchConfig;
  readonly inner: State;
  readonly holds: readonly HoldTrial[];
}

/**
 * Holds what a strategy has found: after its end every lower bound, the smallest size first, is offered for `holdMs`.
 * Burst credits, a page cache that fills, retention that starts: what is carried for a window need not last. Without
 * `holdMs` the strategy is as it was. Holds are not among `maxTrials`.
 */
export function withHolds<State>(strategy: SearchStrategy<State>): SearchStrategy<HoldState<State>> {
  function start(config: SearchConfig): HoldState<State> {
    return { config, inner: strategy.start(config), holds: [] };
  }

  function tell(state: HoldState<State>, event: SearchEvent): HoldState<State> {
    const due = ask(state);
    if (due.type === 'runTrial' && due.purpose === 'hold') {
      if (event.type !== 'trialFinished' || event.trialId !== due.trialId) return state;
      return { ...state, holds: [...state.holds, holdTrialOf(due, event)] };
    }
    const inner = strategy.tell(state.inner, event);
    return inner === state.inner ? state : { ...state, inner };
  }

  function ask(state: HoldState<State>): SearchCommand {
    const due = strategy.ask(state.inner);
    if (due.type !== 'done' || !state.config.holdMs) return due;
    const next = dueHold(due.points, state);
    if (next) return next;
    return { type: 'done', points: held(due.points, state) };
  }

  function remaining(state: HoldState<State>): Remaining {
    const left = strategy.remaining(state.inner);
    const { holdMs, sizes } = state.config;
    if (!holdMs) return left;
    const due = strategy.ask(state.inner);
    const holds =
      due.type === 'done'
        ? due.points.reduce((sum, point) => sum + holdsLeft(point, state), 0)
        : sizes.length;
    const holdSeconds = (holds * holdMs) / 1_000;
    return {
      probes: left.probes,
      trials: left.trials + holds,
      windowSeconds: left.windowSeconds + holdSeconds,
      holdSeconds,
    };
  }

  function finished(state: HoldState<State>): readonly BoundaryPoint[] {
    if (!state.config.holdMs) return strategy.finished(state.inner);
    const due = strategy.ask(state.inner);
    if (due.type !== 'done') return [];
    return held(
      due.points.filter((point) => stepOf(point, state).kind === 'finished'),
      state,
    );
  }

  function soFar(state: HoldState<State>): readonly BoundaryPoint[] {
    if (!state.config.holdMs) return strategy.soFar(state.inner);
    const due = strategy.ask(state.inner);
    return held(due.type === 'done' ? due.points : strategy.soFar(state.inner), state);
  }

  return { start, tell, ask, remaining, finished, soFar };
}

type Held = Pick<HoldState<unknown>, 'config' | 'holds'>;

function holdsOf({ messageBytes }: BoundaryPoint, { holds }: Held): HoldTrial[] {
  return holds.filter((trial) => trial.messageBytes === messageBytes);
}

function stepOf(point: BoundaryPoint, state: Held): HoldStep {
  return holdStep(point, holdsOf(point, state), state.config);
}

function held(points: readonly BoundaryPoint[], state: Held): BoundaryPoint[] {
  return points.map((point) => heldPoint(point, holdsOf(point, state), state.config));
}

/** A bound is expected to last; once one did not, all the holds that its size may take are. */
function holdsLeft(point: BoundaryPoint, state: Held): number {
  if (stepOf(point, state).kind === 'finished') return 0;
  const { drops, valid } = holdBracketOf(holdsOf(point, state));
  return drops.length === 0 ? 1 : MAX_HOLDS - valid;
}

function dueHold(points: readonly BoundaryPoint[], state: Held): RunTrial | null {
  const bySize = [...points.entries()].sort(([, a], [, b]) => a.messageBytes - b.messageBytes);
  for (const [index, point] of bySize) {
    const step = stepOf(point, state);
    if (step.kind === 'hold') return holdCommand(index, point, step, state);
  }
  return null;
}

function holdCommand(
  index: number,
  point: BoundaryPoint,
  { np, unitRate, why }: Extract<HoldStep, { kind: 'hold' }>,
  state: Held,
): RunTrial {
  const trials = holdsOf(point, state);
  const known = heldPoint(point, trials, state.config);
  return {
    type: 'runTrial',
    trialId: `${index + 1}-hold${trials.length + 1}`,
    messageBytes: point.messageBytes,
    np,
    unitRate,
    warmUpMs: state.config.warmUpMs,
    windowMs: state.config.holdMs ?? 0,
    purpose: 'hold',
    lower: known.lower && heldLoad(known.lower),
    upper: known.upper && heldLoad(known.upper),
    why,
  };
}
