import type { Vote } from './bracket.ts';
import type { ProbeStep } from './search.ts';

/** Everything known about one size. What comes next follows from it alone (see next-load). */
export interface PointState {
  readonly messageBytes: number;
  /** Messages per second of one producer; null until probed. */
  readonly unitRate: number | null;
  readonly probes: readonly (readonly ProbeStep[])[];
  readonly votes: readonly Vote[];
  readonly invalid: readonly InvalidTrial[];
  /** Trials of all kinds, invalid ones too. */
  readonly trials: number;
  readonly seconds: number;
}

export interface InvalidTrial {
  readonly np: number;
  readonly unitRate: number;
  readonly reason: string;
  readonly detail: string;
}

export function emptyPoint(messageBytes: number, unitRate: number | null): PointState {
  return { messageBytes, unitRate, probes: [], votes: [], invalid: [], trials: 0, seconds: 0 };
}
