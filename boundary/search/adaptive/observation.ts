import type { OverloadRule } from '../../verdict.ts';

/** What a valid trial says about the limit, in the units of the model. */
export interface Observation {
  /** Index of the message size in the configuration. */
  readonly size: number;
  /** ln of the offered messages per second. */
  readonly lnLoad: number;
  /** Acknowledged over offered, 0..1. */
  readonly ackedShare: number;
  /** Idle 0..1 of each broker, in the order of the run's brokers; null where it could not be read. */
  readonly idle: readonly (number | null)[];
  readonly windowSeconds: number;
  /** When the trial ended, seconds since the run's start. */
  readonly atSeconds: number;
  /** The rule that the trial broke; null when it broke none. */
  readonly verdict: OverloadRule | null;
}

/** Noise is told for windows of this length, seconds; it falls with the root of the length. */
export const NOISE_SECONDS = 8;

/** Less than this acknowledged, and what came through is a remainder that tells nothing of the limit either. */
export const TELLING_SHARE = 0.01;

/** Less than this acknowledged, and the idle of the brokers does not tell what the offered load does to them. */
export const DELIVERED_SHARE = 0.99;
