import { type RandomSource, shuffle } from '../random.ts';
import { normalQuantile } from '../statistics/normal.ts';
import type { SizeRecipe } from './message-recipe.ts';

/** What the values of a load are made for. */
export interface ValueLoad {
  /** Mean size of the values, bytes. */
  readonly messageBytes: number;
  /** `batch.size` of the producers, bytes. */
  readonly batchBytes: number;
}

/** Values that come back within a codec's window compress away. */
const SMALLEST_CYCLE_BYTES = 8 * 1_048_576;
const BATCHES_IN_CYCLE = 4;

/** Far more than a batch of librdkafka holds (batch.num.messages, 10,000): smaller values need no longer cycle. */
const MOST_VALUES = 131_072;

/** So many sizes at least make up a spread. */
const FEWEST_SPREAD_VALUES = 8;

/** So many sizes, at even steps of probability, stand for a distribution; a power of two. */
const STEPS = 4_096;

/** A lognormal size ends this many standard deviations from the middle: 3 of 1000 messages would lie beyond. */
const LARGEST_DEVIATION = 3;

/**
 * Sizes of the values that producers send again and again, bytes, in random order; a power of two of them, at least four
 * batches and 8 MiB in all, where values are not so small that as many of them come in no batch.
 *
 * Mean and spread are those of the recipe, not of a draw. A value has at least 1 byte: what is spread is the rest. What
 * rounding takes from one value it gives to the next.
 */
export function valueSizes(recipe: SizeRecipe, load: ValueLoad, random: RandomSource): number[] {
  const relative = regrouped(relativeSizes(recipe), valueCount(recipe, load));
  shuffle(relative, random);
  const largest = largestValueBytes(recipe, load.messageBytes);
  let owed = 0;
  return relative.map((factor) => {
    owed += scaled(factor, load.messageBytes);
    const bytes = Math.min(largest, Math.round(owed));
    owed -= bytes;
    return bytes;
  });
}

/** No value is larger than this, bytes. */
export function largestValueBytes(recipe: SizeRecipe, messageBytes: number): number {
  return Math.ceil(scaled(relativeSizes(recipe).at(-1) ?? 1, messageBytes));
}

function scaled(factor: number, messageBytes: number): number {
  return 1 + (messageBytes - 1) * factor;
}

/** STEPS sizes with a mean of 1, smallest first. */
function relativeSizes(recipe: SizeRecipe): number[] {
  const sizeAt = sizesOver(recipe);
  const sizes = Array.from({ length: STEPS }, (_, step) => sizeAt((step + 0.5) / STEPS));
  const mean = meanOf(sizes);
  return sizes.map((size) => size / mean);
}

/** As many sizes with the same mean: each several times, or the mean of neighbours. `count` is a power of two. */
function regrouped(sizes: readonly number[], count: number): number[] {
  const group = sizes.length / count;
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor(index * group);
    return meanOf(sizes.slice(first, first + Math.max(1, group)));
  });
}

function meanOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
}

function valueCount(recipe: SizeRecipe, { messageBytes, batchBytes }: ValueLoad): number {
  const wanted = Math.max(SMALLEST_CYCLE_BYTES, BATCHES_IN_CYCLE * batchBytes) / messageBytes;
  const fewest = recipe.kind === 'fixed' ? 1 : FEWEST_SPREAD_VALUES;
  return Math.min(MOST_VALUES, 2 ** Math.ceil(Math.log2(Math.max(fewest, wanted))));
}

/** The size, in any unit, that a share p of a recipe's sizes stays under, 0 < p < 1. */
function sizesOver(recipe: SizeRecipe): (p: number) => number {
  switch (recipe.kind) {
    case 'fixed':
      return () => 1;
    case 'uniform':
      return (p) => 1 + recipe.spread * (2 * p - 1);
    case 'lognormal':
      return (p) => Math.exp(recipe.sigma * withinDeviation(normalQuantile(p)));
    case 'sizes': {
      const sorted = [...recipe.bytes].sort((a, b) => a - b);
      return (p) => sorted[Math.floor(p * sorted.length)] ?? 1;
    }
  }
}

function withinDeviation(z: number): number {
  return Math.min(LARGEST_DEVIATION, Math.max(-LARGEST_DEVIATION, z));
}
