import type { OverloadRule } from './verdict.ts';

/**
 * How good a point is.
 * converged: bounds on both sides, confirmed, within the precision. wide: both sides, but farther apart or not
 * confirmed. at least / at most: one side only. unstable: repeats of one load contradict each other.
 */
export type PointQuality = 'converged' | 'wide' | 'at least' | 'at most' | 'unstable';

/** A load: np producers at a unit rate, and the messages per second acknowledged in the window. */
export interface LoadBound {
  readonly np: number;
  /** Messages per second of one producer. */
  readonly unitRate: number;
  /** Acknowledged messages per second of the cluster (sustained trials), offered ones for overloaded trials. */
  readonly messagesPerSecond: number;
  /** Trials that agree. */
  readonly trials: number;
}

/** An interval of messages per second. */
export interface RateInterval {
  readonly low: number;
  readonly high: number;
}

/** A load that was held for long, and whether it lasted. */
export interface HoldResult {
  /** What was asked for, seconds. */
  readonly plannedSeconds: number;
  /** The largest load that lasted; null when none did. */
  readonly lasted: LoadBound | null;
  /** Loads that did not last, in the order in which they were held. */
  readonly drops: readonly HoldDrop[];
  /** What the search had found before a hold dropped, which a later search will find again; missing where none dropped. */
  readonly fresh?: FreshLimit;
}

/** The limit of a cluster that has rested. */
export type FreshLimit = Pick<BoundaryPoint, 'estimate' | 'interval' | 'lower' | 'upper' | 'quality'>;

/** A hold that ended before its time. */
export interface HoldDrop {
  readonly messagesPerSecond: number;
  /** How long the load was sustained, seconds. */
  readonly afterSeconds: number;
  readonly rule: OverloadRule;
}

/** What a rerun says of the former limit. */
export interface FormerComparison {
  readonly outcome: 'confirmed' | 'refuted';
  /** This limit over the former one. */
  readonly ratio: number;
}

/** One point of the boundary curve: at this message size the limit lies between `lower` and `upper`. */
export interface BoundaryPoint {
  readonly messageBytes: number;
  /** Messages per second; with bisection the lower bound, as published. Null when nothing was sustained. */
  readonly estimate: number | null;
  /** The limit lies in here with 95 %, messages per second; null where no model says so (bisection). */
  readonly interval: RateInterval | null;
  /** Largest load confirmed sustained. */
  readonly lower: LoadBound | null;
  /** Smallest load confirmed overloaded. */
  readonly upper: LoadBound | null;
  readonly quality: PointQuality;
  /** What set the upper bound. */
  readonly limit: { readonly rule: OverloadRule; readonly brokerId: number | null } | null;
  /** What a long hold of the boundary showed; missing where none was asked for. */
  readonly hold?: HoldResult;
  /** How the point stands to the former run that this one checks; missing where there is none. */
  readonly former?: FormerComparison;
  /**
   * Between this size and the next larger one the curve, a straight line in logarithms, is known within this share of it:
   * half of a 95 % interval. Missing where the curve was not asked for, and at its end.
   */
  readonly interpolation?: number;
  /** Why the point is not `converged`, or a caveat such as `ISR not observed`; one sentence each. */
  readonly notes: readonly string[];
  readonly trials: number;
  readonly seconds: number;
}
