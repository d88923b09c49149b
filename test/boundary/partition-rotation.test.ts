import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startRotation } from '../../boundary/partition-rotation.ts';

const rule = { partitions: 30, dwellMs: 20, batchBytes: 1_000 };

/** Partitions that a producer uses when it sends a message every `intervalMs`. */
function walk(producer: number, intervalMs: number, messages: number, bytes: number): number[] {
  const rotation = startRotation(rule, producer);
  return Array.from({ length: messages }, (_, index) => rotation.next(index * intervalMs, bytes));
}

describe('startRotation', () => {
  it('keeps to one partition for the dwell time, counted from the first message of the batch', () => {
    expect(walk(4, 5, 9, 1)).toEqual([4, 4, 4, 4, 5, 5, 5, 5, 6]);
  });

  it('goes on when the batch is full', () => {
    expect(walk(29, 1, 6, 400)).toEqual([29, 29, 0, 0, 1, 1]);
  });

  it('goes on within one pass of the pacer, where no time passes', () => {
    expect(walk(0, 0, 5, 500)).toEqual([0, 0, 1, 1, 2]);
  });

  it('sends a message larger than a batch as a batch of its own', () => {
    expect(walk(0, 1, 3, 5_000)).toEqual([0, 1, 2]);
  });

  it.each([
    [4.5, 1, 'many messages in a batch'],
    [20, 1, 'interval equal to the dwell time'],
    [40, 1, 'interval twice the dwell time: a fixed time grid would use every second partition only'],
    [7, 300, 'batches that are sometimes full'],
  ])('uses all partitions alike at an interval of %d ms with %d B (%s)', (intervalMs, bytes) => {
    const counts = Array.from({ length: 30 }, () => 0);
    for (const partition of walk(0, intervalMs, 60_000, bytes))
      counts[partition] = (counts[partition] ?? 0) + 1;
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(10);
  });

  it('never puts more than a batch on a partition at a time, whatever the sizes', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(sizes, (bytesOf) => {
        const rotation = startRotation(rule, 0);
        let partition = 0;
        let batch: number[] = [];
        for (const bytes of bytesOf) {
          const next = rotation.next(0, bytes);
          if (next !== partition) expect(next).toBe((partition + 1) % rule.partitions);
          batch = next === partition ? [...batch, bytes] : [bytes];
          partition = next;
          const total = batch.reduce((sum, one) => sum + one, 0);
          expect(batch.length === 1 || total <= rule.batchBytes).toBe(true);
        }
      }),
    );
  });

  it.each([1, 5, 10, 31, 50])('spreads %d producers over three brokers at the start', (producers) => {
    // Kafka deals partition p to broker p mod 3 (from some first broker on).
    const counts = [0, 0, 0];
    for (let producer = 0; producer < producers; producer += 1) {
      const broker = startRotation(rule, producer).next(0, 1) % 3;
      counts[broker] = (counts[broker] ?? 0) + 1;
    }
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });
});
