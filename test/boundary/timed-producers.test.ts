import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timedProducers } from '../../boundary/timed-producers.ts';

describe('timedProducers', () => {
  it.each<[shards: number[], unitRate: number, timed: number[], why: string]>([
    [[50], 20, [50], 'few messages: all of them'],
    [[50], 40, [50], 'exactly 2,000 a second'],
    [[50], 500, [4], 'four of fifty make 2,000 a second'],
    [[50], 5_000, [1], 'one alone is over that, and is timed all the same'],
    [[50], 20_000, [1], 'the fastest that is timed'],
    [[50], 20_001, [0], 'faster: none'],
    [[60, 20], 500, [4, 1], 'each worker counts by its share of the load'],
    [[60, 1], 500, [4, 1], 'at least one each, since workers differ'],
    [[1, 1], 300, [1, 1], 'never more than there are'],
    [[], 300, [], 'no shards'],
  ])('of %j at %i/s times %j: %s', (shards, unitRate, timed) => {
    expect(timedProducers(shards, unitRate)).toEqual(timed);
  });

  it('keeps the reports of each shard under 2,000 a second, but for one fast producer', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 12 }),
        fc.double({ min: 0.1, max: 20_000, noNaN: true }),
        (shards, unitRate) => {
          for (const [index, timed] of timedProducers(shards, unitRate).entries()) {
            expect(timed).toBeGreaterThanOrEqual(1);
            expect(timed).toBeLessThanOrEqual(shards[index] ?? 0);
            expect(timed * unitRate).toBeLessThanOrEqual(Math.max(2_000, unitRate));
          }
        },
      ),
    );
  });
});
