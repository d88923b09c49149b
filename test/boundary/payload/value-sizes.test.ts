import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SizeRecipe } from '../../../boundary/payload/message-recipe.ts';
import { largestValueBytes, valueSizes } from '../../../boundary/payload/value-sizes.ts';
import { seededRandom } from '../../../boundary/random.ts';

const MIB = 1_048_576;

const sizesOf = (recipe: SizeRecipe, messageBytes: number, batchBytes = 131_072, seed = 1) =>
  valueSizes(recipe, { messageBytes, batchBytes }, seededRandom(seed));
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const deviationOf = (values: readonly number[]) =>
  Math.sqrt(meanOf(values.map((value) => (value - meanOf(values)) ** 2)));
const largestOf = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), 0);

const anyRecipe: fc.Arbitrary<SizeRecipe> = fc.oneof(
  fc.constant<SizeRecipe>({ kind: 'fixed' }),
  fc.double({ min: 0.01, max: 1, noNaN: true }).map((spread): SizeRecipe => ({ kind: 'uniform', spread })),
  fc.double({ min: 0.01, max: 2, noNaN: true }).map((sigma): SizeRecipe => ({ kind: 'lognormal', sigma })),
  fc
    .array(fc.integer({ min: 1, max: 1e6 }), { minLength: 1, maxLength: 300 })
    .map((bytes): SizeRecipe => ({ kind: 'sizes', bytes })),
);

/** From a message of 1 byte to one that fills the pool alone, as many small ones as large ones. */
const anySize = fc
  .double({ min: 0, max: Math.log(2e7), noNaN: true })
  .map((log) => Math.round(Math.exp(log)));

describe('valueSizes', () => {
  it('keeps the mean within half a percent and every size within what is let through, for any recipe', () => {
    fc.assert(
      fc.property(anyRecipe, anySize, (recipe, messageBytes) => {
        const sizes = sizesOf(recipe, messageBytes);
        const largest = largestValueBytes(recipe, messageBytes);
        expect(Math.log2(sizes.length) % 1).toBe(0);
        expect(sizes.every((size) => Number.isInteger(size) && size >= 1 && size <= largest)).toBe(true);
        expect(Math.abs(meanOf(sizes) / messageBytes - 1)).toBeLessThan(0.005);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    { messageBytes: 100, batchBytes: 131_072, values: 131_072, why: 'small ones: 8 MiB and a power of two' },
    { messageBytes: 1_000, batchBytes: 131_072, values: 16_384, why: 'middle ones' },
    { messageBytes: 100_000, batchBytes: 131_072, values: 128, why: 'large ones' },
    { messageBytes: 1_000, batchBytes: 8 * MIB, values: 65_536, why: 'four large batches' },
    { messageBytes: 1, batchBytes: 131_072, values: 131_072, why: 'as many as come in no batch are enough' },
    { messageBytes: 20_000_000, batchBytes: 131_072, values: 1, why: 'one larger than all that' },
  ])('are so many that a batch never repeats: $why', ({ messageBytes, batchBytes, values }) => {
    const sizes = sizesOf({ kind: 'fixed' }, messageBytes, batchBytes);
    expect(sizes).toHaveLength(values);
    expect(new Set(sizes)).toEqual(new Set([messageBytes]));
  });

  it('are several of a spread even where one value fills the cycle', () => {
    expect(new Set(sizesOf({ kind: 'uniform', spread: 0.5 }, 10_000_000)).size).toBe(8);
  });

  it('spread evenly over half to one and a half times the size', () => {
    const sizes = sizesOf({ kind: 'uniform', spread: 0.5 }, 1_000);
    expect(Math.abs(Math.min(...sizes) - 500)).toBeLessThanOrEqual(1);
    expect(Math.abs(Math.max(...sizes) - 1_500)).toBeLessThanOrEqual(1);
    // A uniform spread of width w has a deviation of w / sqrt(12).
    expect(deviationOf(sizes) / (1_000 / Math.sqrt(12))).toBeCloseTo(1, 2);
    for (const low of [500, 750, 1_000, 1_250]) {
      const share = sizes.filter((size) => size >= low && size < low + 250).length / sizes.length;
      expect(share).toBeCloseTo(0.25, 2);
    }
  });

  it.each([0.3, 0.8, 1.2])('have the deviation of ln(size) that was asked for: %d', (sigma) => {
    const logs = sizesOf({ kind: 'lognormal', sigma }, 1_000).map(Math.log);
    expect(Math.abs(deviationOf(logs) / sigma - 1)).toBeLessThan(0.02);
    expect(Math.abs(meanOf(logs) - (Math.log(1_000) - sigma ** 2 / 2))).toBeLessThan(0.03);
  });

  it('end a lognormal tail at three deviations', () => {
    const recipe: SizeRecipe = { kind: 'lognormal', sigma: 0.8 };
    const largest = largestValueBytes(recipe, 1_000);
    expect(largest / 1_000).toBeGreaterThan(7.9);
    expect(largest / 1_000).toBeLessThan(8.2);
    expect(largest - largestOf(sizesOf(recipe, 1_000))).toBeLessThanOrEqual(1);
  });

  it('keep the proportions of sizes that were given, each as often as in the list', () => {
    const recipe: SizeRecipe = { kind: 'sizes', bytes: [400, 100, 100] };
    const sizes = sizesOf(recipe, 1_000);
    const large = sizes.filter((size) => size > 1_000);
    expect(large.length / sizes.length).toBeCloseTo(1 / 3, 3);
    expect(meanOf(large) / meanOf(sizes.filter((size) => size < 1_000))).toBeCloseTo(4, 1);
    expect(Math.abs(largestValueBytes(recipe, 1_000) - 2_000)).toBeLessThanOrEqual(2);
  });

  it('make up for the rounding of small sizes', () => {
    // 10 B on average: 19 B and twice 5.5 B.
    const sizes = sizesOf({ kind: 'sizes', bytes: [400, 100, 100] }, 10);
    expect(Math.abs(meanOf(sizes) - 10)).toBeLessThan(0.01);
  });

  it('repeat for a seed; another one gives another order', () => {
    const recipe: SizeRecipe = { kind: 'lognormal', sigma: 1 };
    expect(sizesOf(recipe, 5_000, 131_072, 3)).toEqual(sizesOf(recipe, 5_000, 131_072, 3));
    expect(sizesOf(recipe, 5_000, 131_072, 3)).not.toEqual(sizesOf(recipe, 5_000, 131_072, 4));
  });
});
