import type { Burst } from './burst-credits.ts';

/** What goes wrong in a simulated cluster besides the noise of the world. */
export interface Mishaps {
  /** Probability that a trial is invalid for no reason of its load. */
  readonly invalidShare: number;
  /** The generator can offer no more than this, messages per second by size of the world; null = whatever is asked. */
  readonly generatorCeilings: readonly number[] | null;
  /** Above this many times the boundary followers leave the ISR; null = never. */
  readonly isrFlapsAbove: number | null;
  readonly burst: Burst | null;
  /** Recovery after an overload takes this many times longer. */
  readonly slowRecovery: number;
}

export const NO_MISHAPS: Mishaps = {
  invalidShare: 0,
  generatorCeilings: null,
  isrFlapsAbove: null,
  burst: null,
  slowRecovery: 1,
};
