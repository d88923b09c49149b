import type { BoundaryPoint } from '../boundary-point.ts';
import { bracketOf, type Vote } from './bracket.ts';
import { type NextLoad, nextLoad } from './next-load.ts';
import { pointResult } from './point-result.ts';
import { emptyPoint, type PointState } from './point-state.ts';
import { remainingWork } from './remaining.ts';
import type {
  ProbeFinished,
  RunTrial,
  SearchCommand,
  SearchConfig,
  SearchEvent,
  SearchStrategy,
  TrialFinished,
} from './search.ts';
import { probeRates, probeWarmUpMs, rescaledUnitRate, scaleNp, unitRateFromProbe } from './unit-rate.ts';

/** One size after the other; finished points are kept as results. */
export interface BisectionState {
  readonly config: SearchConfig;
  readonly done: readonly BoundaryPoint[];
  /** The size under work; null when all are done. */
  readonly point: PointState | null;
}

/**
 * The published method (Dropbox 2019): at each message size a binary search on np, the number of producers at one
 * fixed rate, with the lower bound as the boundary. A probe sets the rate, galloping finds the upper end.
 */
export const bisection: SearchStrategy<BisectionState> = {
  start,
  tell,
  ask,
  remaining: remainingWork,
  finished: ({ done }) => done,
  soFar,
};

function start(config: SearchConfig): BisectionState {
  return withNextPoint({ config, done: [], point: null });
}

function tell(state: BisectionState, event: SearchEvent): BisectionState {
  const { point, config } = state;
  if (!point) return state;
  const due = ask(state);
  switch (event.type) {
    case 'probeFinished':
      if (due.type !== 'runProbe' || due.probeId !== event.probeId) return state;
      return withPoint(state, afterProbe(point, event, config));
    case 'trialFinished':
      if (due.type !== 'runTrial' || due.trialId !== event.trialId) return state;
      return withPoint(state, afterTrial(point, due, event, config));
  }
}

function ask(state: BisectionState): SearchCommand {
  const { point, config, done } = state;
  if (!point) return { type: 'done', points: done };
  const next = nextLoad(point, config);
  switch (next.kind) {
    case 'probe':
      return {
        type: 'runProbe',
        probeId: `${done.length + 1}-probe${point.probes.length + 1}`,
        messageBytes: point.messageBytes,
        np: scaleNp(config),
        unitRates: probeRates(config, point.messageBytes, done),
        stepMs: config.probeStepMs,
        warmUpMs: probeWarmUpMs(done.length === 0 && point.probes.length === 0),
        why: 'finds the unit rate that puts the boundary near the target np',
      };
    case 'trial':
      return trialCommand(point, next, config, done.length + 1);
    case 'finished':
      // tell() moves on to the next size, so a finished point is never asked.
      return { type: 'done', points: [...done, pointResult(point, next, config)] };
  }
}

function soFar({ config, done, point }: BisectionState): readonly BoundaryPoint[] {
  if (!point || point.votes.length === 0) return done;
  return [...done, pointResult(point, { note: 'not searched to its end', isGivenUp: false }, config)];
}

function trialCommand(
  point: PointState,
  next: Extract<NextLoad, { kind: 'trial' }>,
  config: SearchConfig,
  number: number,
): RunTrial {
  const { lower, upper } = bracketOf(point.votes);
  return {
    type: 'runTrial',
    trialId: `${number}-${point.trials + 1}`,
    messageBytes: point.messageBytes,
    np: next.np,
    unitRate: next.unitRate,
    warmUpMs: config.warmUpMs,
    windowMs: next.windowMs,
    purpose: next.purpose,
    lower: lower?.load ?? null,
    upper: upper?.load ?? null,
    why: next.why,
  };
}

function afterProbe(point: PointState, event: ProbeFinished, config: SearchConfig): PointState {
  return {
    ...point,
    unitRate: unitRateFromProbe(event.steps, config.idleLimit, config.withoutSignals),
    probes: [...point.probes, event.steps],
    seconds: point.seconds + event.seconds,
  };
}

function afterTrial(
  point: PointState,
  plan: RunTrial,
  event: TrialFinished,
  config: SearchConfig,
): PointState {
  const counted = { ...point, trials: point.trials + 1, seconds: point.seconds + event.seconds };
  const { verdict } = event;
  if (verdict.kind === 'invalid') {
    const { np, unitRate } = plan;
    const { reason, detail } = verdict;
    return { ...counted, invalid: [...point.invalid, { np, unitRate, reason, detail }] };
  }
  const isSustained = verdict.kind === 'sustained';
  const vote: Vote = {
    np: plan.np,
    unitRate: plan.unitRate,
    isSustained,
    messagesPerSecond: isSustained ? event.ackedPerSecond : event.offeredPerSecond,
    windowMs: plan.windowMs,
    limit: verdict.kind === 'overloaded' ? { rule: verdict.rule, brokerId: verdict.brokerId } : null,
  };
  const votes = [...point.votes, vote];
  const unitRate = rescaledUnitRate(point.unitRate ?? plan.unitRate, bracketOf(votes), config);
  return { ...counted, votes, unitRate };
}

/** Puts the point back, or closes it when nothing is left to try. */
function withPoint(state: BisectionState, point: PointState): BisectionState {
  const next = nextLoad(point, state.config);
  if (next.kind !== 'finished') return { ...state, point };
  const result = pointResult(point, next, state.config);
  return withNextPoint({ ...state, done: [...state.done, result], point: null });
}

function withNextPoint(state: BisectionState): BisectionState {
  const messageBytes = state.config.sizes[state.done.length];
  return messageBytes === undefined
    ? state
    : { ...state, point: emptyPoint(messageBytes, state.config.known?.unitRate ?? null) };
}
