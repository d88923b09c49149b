import type { BoundaryPoint } from '../../boundary-point.ts';
import type { TrialPurpose } from '../../trial.ts';
import type { Verdict } from '../../verdict.ts';
import type { BisectionState } from '../bisection.ts';
import type { Remaining } from '../remaining.ts';
import type { ProbeStep, SearchCommand, SearchConfig } from '../search.ts';

/** Everything that is known, and the command that follows from it. Plain JSON. */
export interface AdaptiveState {
  readonly config: SearchConfig;
  /** In the order of the configuration; sizes that the search has added itself follow. */
  readonly sizes: readonly SizeState[];
  /** The command that is due. */
  readonly command: SearchCommand;
  readonly remaining: Remaining;
  /** All points, once the search is over; they are found together, so none is final before. */
  readonly done: readonly BoundaryPoint[];
  /** The search that goes by verdicts alone, in a run that does not read the brokers' signals; else null. */
  readonly verdictsOnly: BisectionState | null;
}

export interface SizeState {
  readonly messageBytes: number;
  /** Why the search has added this size; missing for one that was asked for. */
  readonly added?: string;
  /** Messages per second of one producer; null until a first idea of the limit is there. */
  readonly unitRate: number | null;
  readonly probes: readonly ProbedSteps[];
  readonly trials: readonly StoredTrial[];
  /** Probes and trials of this size, seconds. */
  readonly seconds: number;
}

export interface ProbedSteps {
  /** Producers of the probe. */
  readonly np: number;
  readonly stepMs: number;
  readonly steps: readonly ProbeStep[];
}

export interface StoredTrial {
  readonly np: number;
  readonly unitRate: number;
  readonly purpose: TrialPurpose;
  readonly verdict: Verdict;
  readonly offeredPerSecond: number;
  readonly ackedPerSecond: number;
  readonly idleByBroker: Readonly<Record<string, number | null>>;
  readonly plannedWindowMs: number;
  readonly windowSeconds: number;
  readonly atSeconds: number;
}

/** Offered messages per second. */
export function loadOf({ np, unitRate }: { readonly np: number; readonly unitRate: number }): number {
  return np * unitRate;
}

export function validTrials({ trials }: SizeState): readonly StoredTrial[] {
  return trials.filter(({ verdict }) => verdict.kind !== 'invalid');
}
