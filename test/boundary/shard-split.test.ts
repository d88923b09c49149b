import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitProducers } from '../../boundary/shard-split.ts';

describe('splitProducers', () => {
  it.each([
    [50, 1, 1, [50], 'one worker carries all'],
    [50, 3, 3, [17, 17, 16], 'every worker takes its share'],
    [2, 3, 3, [1, 1], 'no empty shards'],
    [130, 1, 4, [44, 43, 43], 'a worker with room splits what would crowd one child'],
    [130, 1, 1, [130], 'without room it carries the crowd'],
  ])('np %d over %d workers with %d slots: %j (%s)', (np, workers, slots, producers, _why) => {
    expect(splitProducers(np, workers, slots).map((share) => share.producers)).toEqual(producers);
  });

  it('numbers every producer of the trial exactly once', () => {
    const size = fc.integer({ min: 1, max: 500 });
    fc.assert(
      fc.property(
        size,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 20 }),
        (np, workers, more) => {
          const numbers = splitProducers(np, workers, workers + more).flatMap(
            ({ firstProducer, producers }) => Array.from({ length: producers }, (_, i) => firstProducer + i),
          );
          expect(numbers).toEqual(Array.from({ length: np }, (_, i) => i));
        },
      ),
    );
  });
});
