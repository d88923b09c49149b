import { describe, expect, it } from 'vitest';
import type { PayloadRecipe } from '../../../boundary/payload/message-recipe.ts';
import { makeValuePool } from '../../../boundary/payload/value-pool.ts';
import { seededRandom } from '../../../boundary/random.ts';
import { batchOf, gzipRatio, poolOf } from './batches.ts';

const MIB = 1_048_576;

describe('makeValuePool', () => {
  it.each([100, 1_000, 10_000, 100_000])('does not compress when random, at %d B', (messageBytes) => {
    const values = poolOf({ kind: 'random' }, messageBytes);
    expect(values.bytes.length).toBeGreaterThanOrEqual(8 * MIB);
    expect(gzipRatio(batchOf(values, messageBytes, MIB, 5))).toBeGreaterThan(0.999);
    expect(gzipRatio(values.bytes)).toBeGreaterThan(0.999);
  });

  it('is made of one character when constant', () => {
    expect(new Set(poolOf({ kind: 'constant', character: 'q' }, 1_000).bytes)).toEqual(new Set([0x71]));
  });

  it.each<PayloadRecipe>([
    { kind: 'random' },
    { kind: 'compressible', ratio: 0.4 },
    { kind: 'json' },
    { kind: 'samples', values: ['QUJD', 'REVGRw=='] },
  ])('repeats for a seed and differs for another: $kind', (payload) => {
    const first = poolOf(payload, 10_000, 1).bytes;
    expect(Buffer.compare(first, poolOf(payload, 10_000, 1).bytes)).toBe(0);
    expect(Buffer.compare(first, poolOf(payload, 10_000, 2).bytes)).not.toBe(0);
  });

  it('gives every value a document of its own', () => {
    const { bytes, sizes } = makeValuePool(
      { payload: { kind: 'json' }, sizes: { kind: 'lognormal', sigma: 0.8 } },
      { messageBytes: 20_000, batchBytes: 131_072 },
      seededRandom(3),
    );
    let at = 0;
    for (const size of sizes) {
      expect(JSON.parse(Buffer.from(bytes.subarray(at, at + size)).toString())).toHaveProperty('items');
      at += size;
    }
    expect(at).toBe(bytes.length);
  });
});
