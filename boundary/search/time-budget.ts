import type { BoundaryPoint } from '../boundary-point.ts';
import { cutShort } from './cut-short.ts';
import type { Remaining } from './remaining.ts';
import type {
  RunProbe,
  RunTrial,
  SearchCommand,
  SearchConfig,
  SearchEvent,
  SearchStrategy,
} from './search.ts';

export interface BudgetState<State> {
  readonly config: SearchConfig;
  readonly inner: State;
  readonly spent: readonly Spent[];
}

/** What a probe or trial took, seconds. */
export interface Spent {
  readonly messageBytes: number;
  readonly seconds: number;
  /** What lay around warm-up and window; null where it cannot be told, because the load ended before its time. */
  readonly overheadSeconds: number | null;
}

/** What lies around a window before any has been seen: connect, drain, settle. */
const FIRST_OVERHEAD_SECONDS = 10;
const USUAL_PROBE_STEPS = 5;

/**
 * Ends a search in time: a command that would likely outlast `timeBudgetSeconds` is not given any more, and the answer is
 * what is known by then. The time is that of probes and trials; without a budget the strategy is as it was.
 */
export function withTimeBudget<State>(strategy: SearchStrategy<State>): SearchStrategy<BudgetState<State>> {
  function start(config: SearchConfig): BudgetState<State> {
    return { config, inner: strategy.start(config), spent: [] };
  }

  function tell(state: BudgetState<State>, event: SearchEvent): BudgetState<State> {
    const spent = spentOn(ask(state), event);
    if (!spent) return state;
    return { ...state, inner: strategy.tell(state.inner, event), spent: [...state.spent, spent] };
  }

  function ask(state: BudgetState<State>): SearchCommand {
    return isSpent(state) ? { type: 'done', points: cutPoints(state) } : strategy.ask(state.inner);
  }

  /** In proportion when the budget leaves less than the whole takes. */
  function remaining(state: BudgetState<State>): Remaining {
    if (isSpent(state)) return { probes: 0, trials: 0, windowSeconds: 0 };
    const left = strategy.remaining(state.inner);
    const share = Math.min(1, secondsLeft(state) / secondsOf(left, state));
    if (share === 1 || Number.isNaN(share)) return left;
    return {
      probes: Math.floor(share * left.probes),
      trials: Math.floor(share * left.trials),
      windowSeconds: share * left.windowSeconds,
      holdSeconds: share * (left.holdSeconds ?? 0),
    };
  }

  function finished(state: BudgetState<State>): readonly BoundaryPoint[] {
    return isSpent(state) ? cutPoints(state) : strategy.finished(state.inner);
  }

  function soFar(state: BudgetState<State>): readonly BoundaryPoint[] {
    return isSpent(state) ? cutPoints(state) : strategy.soFar(state.inner);
  }

  /** Whether a command is due and the budget does not leave enough for it. */
  function isSpent(state: BudgetState<State>): boolean {
    const due = strategy.ask(state.inner);
    return due.type !== 'done' && expectedSeconds(due, state) > secondsLeft(state);
  }

  function cutPoints(state: BudgetState<State>): BoundaryPoint[] {
    return cutShort(state, strategy.finished(state.inner), strategy.soFar(state.inner));
  }

  return { start, tell, ask, remaining, finished, soFar };
}

type Budget = Pick<BudgetState<unknown>, 'config' | 'spent'>;

function secondsLeft({ config, spent }: Budget): number {
  const budget = config.timeBudgetSeconds ?? Number.POSITIVE_INFINITY;
  return Math.max(0, budget - spent.reduce((sum, { seconds }) => sum + seconds, 0));
}

function meanOverheadSeconds({ spent }: Budget): number {
  const seen = spent.flatMap(({ overheadSeconds }) => (overheadSeconds === null ? [] : [overheadSeconds]));
  return seen.length === 0 ? FIRST_OVERHEAD_SECONDS : seen.reduce((sum, one) => sum + one, 0) / seen.length;
}

/** What is left of a search takes about this long, seconds. */
function secondsOf({ probes, trials, windowSeconds }: Remaining, state: Budget): number {
  const { warmUpMs, probeStepMs } = state.config;
  const around = warmUpMs / 1_000 + meanOverheadSeconds(state);
  return (probes + trials) * around + (probes * USUAL_PROBE_STEPS * probeStepMs) / 1_000 + windowSeconds;
}

function expectedSeconds(command: RunProbe | RunTrial, state: Budget): number {
  return plannedSeconds(command) + meanOverheadSeconds(state);
}

/** Of a probe all its steps, though it may stop at an early one: a budget is not for luck. */
function plannedSeconds(command: RunProbe | RunTrial): number {
  const loadMs = command.type === 'runProbe' ? command.unitRates.length * command.stepMs : command.windowMs;
  return (command.warmUpMs + loadMs) / 1_000;
}

/** What the event says of the command that was due; null when it is not about that one. */
function spentOn(due: SearchCommand, event: SearchEvent): Spent | null {
  const { seconds } = event;
  if (due.type === 'runProbe' && event.type === 'probeFinished' && due.probeId === event.probeId) {
    const loadSeconds = (due.warmUpMs + event.steps.length * due.stepMs) / 1_000;
    return {
      messageBytes: due.messageBytes,
      seconds,
      overheadSeconds: Math.max(0, seconds - loadSeconds),
    };
  }
  if (due.type === 'runTrial' && event.type === 'trialFinished' && due.trialId === event.trialId) {
    // Not of the time over the plan: a window that is lengthened here will be lengthened again.
    const loadSeconds = due.warmUpMs / 1_000 + Math.min(event.windowSeconds, due.windowMs / 1_000);
    const isWhole = event.verdict.kind !== 'invalid' && due.purpose !== 'hold';
    return {
      messageBytes: due.messageBytes,
      seconds,
      overheadSeconds: isWhole ? Math.max(0, seconds - loadSeconds) : null,
    };
  }
  return null;
}
