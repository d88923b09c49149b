import type { BisectionState } from './bisection.ts';
import { bracketOf } from './bracket.ts';
import type { PointState } from './point-state.ts';
import type { SearchConfig } from './search.ts';
import { GALLOP_FACTOR } from './unit-rate.ts';

/** What a run still has to do, for its ETA: an estimate, not a promise. */
export interface Remaining {
  readonly probes: number;
  readonly trials: number;
  /** Measured windows of all those trials together, seconds: what lies around a window takes as long whatever its length. */
  readonly windowSeconds: number;
  /** Those of holds among them, which are neither cut short nor lengthened like others; missing without holds. */
  readonly holdSeconds?: number;
}

/** Counts the probes and trials that are likely still to come. */
export function remainingWork(state: BisectionState): Remaining {
  const { config, point, done } = state;
  const untouched = config.sizes.length - done.length - (point ? 1 : 0);
  const fresh = Math.min(config.maxTrials, 2 + halvings(1, GALLOP_FACTOR, config) + 2 * config.confirm);
  const trials = untouched * fresh + (point ? remainingOfPoint(point, config, fresh) : 0);
  return {
    probes: untouched + (point && point.unitRate === null ? 1 : 0),
    trials,
    windowSeconds: (trials * config.windowMs) / 1_000,
  };
}

function remainingOfPoint(point: PointState, config: SearchConfig, fresh: number): number {
  const { lower, upper, tied } = bracketOf(point.votes);
  if (!lower && !upper) return fresh;
  const extra = tied ? 1 : 0;
  if (!lower || !upper) return extra + 1 + halvings(1, GALLOP_FACTOR, config) + 2 * config.confirm;
  const halves = halvings(lower.load, upper.load, config);
  const repeats = halves > 0 ? 2 : (lower.sustained < 2 ? 1 : 0) + (upper.overloaded < 2 ? 1 : 0);
  return extra + halves + repeats * config.confirm;
}

function halvings(lower: number, upper: number, config: SearchConfig): number {
  const precision = config.precision > 0 ? config.precision : 1 / config.targetNp;
  return Math.max(0, Math.ceil(Math.log2((upper - lower) / (upper * precision)) - 1e-9));
}
