import type { BoundaryPoint } from './boundary-point.ts';
import type { AckLatencySummary, ConsumeLatencySummary } from './latency.ts';
import type { TrialPlan } from './trial.ts';
import type { Thresholds, Verdict } from './verdict.ts';

/** Raised whenever a change makes results incomparable with older ones (CHANGELOG, "Measurement"). */
export const METHOD_VERSION = 2;

/** What a finished trial measured, as tables and reports show it. */
export interface TrialRecord {
  /** 1, 2, 3 ... in the run. */
  readonly sequence: number;
  readonly plan: TrialPlan;
  readonly verdict: Verdict;
  /** The sentence with which the search asked for the trial; missing in runs of older programs. */
  readonly why?: string;
  /** How long a hold was sustained, seconds; missing for other trials. */
  readonly heldSeconds?: number;
  /** Wall clock, ms since the epoch. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Length of the measured window, seconds (shorter than planned when stopped early). */
  readonly windowSeconds: number;
  readonly offeredPerSecond: number;
  readonly acceptedPerSecond: number;
  readonly ackedPerSecond: number;
  /** Bytes per second that the brokers counted as produced (leader traffic, with overhead); null when not exported. */
  readonly bytesInPerSecond: number | null;
  /** Windowed request-handler idle per broker id; null where it could not be read. */
  readonly idleByBroker: Readonly<Record<string, number | null>>;
  /** Share of polled time with ISR changes or under-replication above the level before; null when no broker was read. */
  readonly isrChurnShare: number | null;
  /** Weighted p99 of the request round trip in the second half of the window, ms. */
  readonly roundTripP99Ms: number | null;
  /** CPU of all load children, in cores. */
  readonly generatorCpuCores: number;
  /** Median time of one metrics scrape, ms. */
  readonly scrapeMs: number | null;
  /** Send time asked for to acknowledgement; missing when no producer was timed, and in runs of older programs. */
  readonly ackLatency?: AckLatencySummary;
  /** Send time asked for to consumption; missing without consumer groups. */
  readonly consumeLatency?: ConsumeLatencySummary;
  /** What each consumer group did; missing without groups. */
  readonly consumers?: readonly GroupRecord[];
}

/** How a consumer group did in the window of a trial. */
export interface GroupRecord {
  /** group.id */
  readonly group: string;
  readonly consumedPerSecond: number;
  readonly consumedBytesPerSecond: number;
  /** Messages not consumed at the end of the window; null when not known. */
  readonly lag: number | null;
  /** Growth of the lag in the second half of the window, messages per second; null when not known. */
  readonly lagGrowthPerSecond: number | null;
}

/** What carried the brokers' signals; with `none` verdicts come from delivery alone. */
export type SignalSourceName = 'scrape' | 'prometheus' | 'jolokia' | 'none';

export type RunStatus = 'running' | 'finished' | 'interrupted' | 'failed';

/** The result of a run: what `curve.json` holds and every picture and table is drawn from. */
export interface RunDocument {
  readonly format: 'plimsoll-curve/1';
  readonly methodVersion: number;
  readonly run: {
    readonly runId: string;
    readonly status: RunStatus;
    readonly startedAtMs: number;
    readonly finishedAtMs: number | null;
    /** The error that ended the run, one line. */
    readonly error: string | null;
  };
  readonly cluster: {
    readonly brokerIds: readonly number[];
    readonly kafkaVersion: string | null;
  };
  readonly thresholds: Thresholds;
  /** Where the brokers' signals came from, and how their idle was told (an estimator's words); null with `none`. */
  readonly signals: { readonly source: SignalSourceName; readonly idle: string | null };
  /** Effective configuration, secrets masked. */
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Versions and machine, name -> value. */
  readonly environment: Readonly<Record<string, string>>;
  readonly points: readonly BoundaryPoint[];
  readonly trials: readonly TrialRecord[];
}
