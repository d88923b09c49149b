import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeShopEvent } from '../../../boundary/payload/shop-event.ts';
import { seededRandom } from '../../../boundary/random.ts';
import { batchOf, gzipRatio, poolOf } from './batches.ts';

/** Written behind and before other bytes, which must stay. */
function eventOf(size: number, seed: number): string {
  const bytes = new Uint8Array(size + 2).fill(7);
  writeShopEvent(bytes, 1, size, seededRandom(seed));
  expect([bytes[0], bytes[size + 1]]).toEqual([7, 7]);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(1, size + 1));
}

describe('writeShopEvent', () => {
  it('is valid JSON of exactly the size, for any size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.nat(), (size, seed) => {
        const text = eventOf(size, seed);
        expect(text).toHaveLength(size);
        expect(() => JSON.parse(text)).not.toThrow();
      }),
    );
  });

  it.each([
    { size: 100, items: 0, why: 'no room for an item' },
    { size: 1_000, items: 19, why: 'a basket' },
    { size: 100_000, items: 2_000, why: 'a large one' },
  ])('holds an event with items where there is room: $why', ({ size, items }) => {
    const event = JSON.parse(eventOf(size, 5));
    expect(event).toMatchObject({ id: expect.any(String), buyer: expect.any(Number) });
    expect(event.items.length).toBeGreaterThanOrEqual(items);
    for (const item of event.items) expect(item).toHaveProperty('sku');
    expect(event.note.length).toBeLessThan(60);
  });

  it('differs from event to event, and repeats for a seed', () => {
    expect(eventOf(500, 1)).not.toBe(eventOf(500, 2));
    expect(eventOf(500, 1)).toBe(eventOf(500, 1));
  });

  it.each([
    { messageBytes: 100, low: 0.15, high: 0.3 },
    { messageBytes: 1_000, low: 0.15, high: 0.3 },
    { messageBytes: 10_000, low: 0.15, high: 0.3 },
  ])(
    'compresses to about a fifth, as records of applications do, at $messageBytes B',
    ({ messageBytes, low, high }) => {
      const ratio = gzipRatio(batchOf(poolOf({ kind: 'json' }, messageBytes), messageBytes, 131_072, 3));
      expect(ratio).toBeGreaterThan(low);
      expect(ratio).toBeLessThan(high);
    },
  );
});
