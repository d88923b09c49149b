import { describe, expect, it } from 'vitest';
import { rotate, startRotation } from '../../boundary/partition-rotation.ts';

const rule = { partitions: 30, dwellMs: 20, batchBytes: 1_000 };

/** Partitions that a producer uses when it sends a message every `intervalMs`. */
function walk(producer: number, intervalMs: number, messages: number, bytes: number): number[] {
  let rotation = startRotation(rule, producer);
  return Array.from({ length: messages }, (_, index) => {
    rotation = rotate(rule, rotation, index * intervalMs, bytes);
    return rotation.partition;
  });
}

describe('rotate', () => {
  it('keeps to one partition for the dwell time, counted from the first message of the batch', () => {
    expect(walk(4, 5, 9, 1)).toEqual([4, 4, 4, 4, 5, 5, 5, 5, 6]);
  });

  it('goes on when the batch is full', () => {
    expect(walk(29, 1, 6, 400)).toEqual([29, 29, 0, 0, 1, 1]);
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

  it.each([1, 5, 10, 31, 50])('spreads %d producers over three brokers at the start', (producers) => {
    // Kafka deals partition p to broker p mod 3 (from some first broker on).
    const counts = [0, 0, 0];
    for (let producer = 0; producer < producers; producer += 1) {
      const broker = startRotation(rule, producer).partition % 3;
      counts[broker] = (counts[broker] ?? 0) + 1;
    }
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });
});
