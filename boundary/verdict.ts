/** The three answers a trial can give. `sustained` is never the answer to missing knowledge. */
export type Verdict = SustainedVerdict | OverloadedVerdict | InvalidVerdict;

export interface SustainedVerdict {
  readonly kind: 'sustained';
  /** The broker with the least idle and its reading: how close the trial came. Null when no signals were read. */
  readonly worst: IdleOfBroker | null;
}

export interface OverloadedVerdict {
  readonly kind: 'overloaded';
  readonly rule: OverloadRule;
  /** The broker that tripped, null when the rule is about the whole cluster. */
  readonly brokerId: number | null;
  readonly value: number;
  readonly limit: number;
  readonly detail: string;
}

export interface InvalidVerdict {
  readonly kind: 'invalid';
  readonly reason: InvalidReason;
  readonly detail: string;
}

export const OVERLOAD_RULES = [
  'request-handler idle',
  'isr churn',
  'consumer lag',
  'latency',
  'delivery',
] as const;

export type OverloadRule = (typeof OVERLOAD_RULES)[number];

export const INVALID_REASONS = [
  'metrics missing',
  'metrics of another',
  'broker lost',
  'broker restarted',
  'shard lost',
  'shard late',
  'throttled by quota',
  'uneven leaders',
  'topic gone',
  'clock unsure',
  'idle undecided',
  'generator-limited',
  'lag unknown',
  'latency not measured',
  'unexplained shortfall',
  'not reconciled',
] as const;

export type InvalidReason = (typeof INVALID_REASONS)[number];

/** A windowed idle ratio (0..1); the truth lies within `low` and `high`. */
export interface IdleReading {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly estimator: IdleEstimator;
}

/** How a reading was made, best first; the bounds of those `held` are honest for a steady load only. */
export const IDLE_ESTIMATORS = [
  'count, self-clocked',
  'count over scrape time',
  'mean rate, inverted',
  'one-minute rate, inverted',
  'five-minute rate, inverted',
  'fifteen-minute rate, inverted',
  'one-minute rate, held',
  'five-minute rate, held',
  'fifteen-minute rate, held',
  'busy cores',
] as const;

export type IdleEstimator = (typeof IDLE_ESTIMATORS)[number];

export interface IdleOfBroker {
  readonly brokerId: number;
  readonly idle: IdleReading;
}

/** Limits of the rules; the defaults are the published ones (Dropbox 2019) and the verdict page's. */
export interface Thresholds {
  /** Overloaded below this request-handler idle ratio. */
  readonly idleRatio: number;
  /** Overloaded above this share of polled time with ISR changes or under-replication. */
  readonly isrChurnShare: number;
  /** Delivery behind below this acked / offered. */
  readonly deliveryRatio: number;
  /** The broker's part slows when the second half's round trip is this many times the first's ... */
  readonly roundTripGrowth: number;
  /** ... and above this, ms. */
  readonly roundTripFloorMs: number;
  /** Share of a broker's polls that may be missing. */
  readonly missedPollShare: number;
  /** A shard may start this late, ms. */
  readonly shardLateMs: number;
  /** Overloaded when a group's lag grows by more than this share of the offered rate. */
  readonly lagGrowthShare: number;
  /** Overloaded when the p99 of send time asked for to acknowledgement is above this, ms; null: not asked. */
  readonly latencyP99Ms: number | null;
}

export const DEFAULT_THRESHOLDS: Thresholds = {
  idleRatio: 0.2,
  isrChurnShare: 0.5,
  deliveryRatio: 0.99,
  roundTripGrowth: 1.5,
  roundTripFloorMs: 50,
  missedPollShare: 0.2,
  shardLateMs: 1_000,
  lagGrowthShare: 0.01,
  latencyP99Ms: null,
};
