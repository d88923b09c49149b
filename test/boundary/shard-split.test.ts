import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FleetWorker } from '../../boundary/fleet-capacity.ts';
import { placeProducers, producersOf } from '../../boundary/shard-split.ts';

const SIZE = 1_000;

/** A worker whose child with one core offers so many messages per second; null: not measured. */
const worker = (name: string, slots: number, rate: number | null, cores = slots): FleetWorker => ({
  workerId: name,
  slots,
  capacity: rate === null ? null : { cores, rates: [{ messageBytes: SIZE, messagesPerSecond: rate }] },
});

const placed = (np: number, unitRate: number, workers: readonly FleetWorker[]) =>
  placeProducers({ np, unitRate, messageBytes: SIZE }, workers).map(
    ({ workerId, producers }) => `${workerId}:${producers}`,
  );

describe('placeProducers', () => {
  it.each([
    [50, 1, [worker('a', 1, null)], ['a:50'], 'one worker carries all'],
    [
      50,
      1,
      [worker('a', 1, null), worker('b', 1, null), worker('c', 1, null)],
      ['a:17', 'b:17', 'c:16'],
      'nothing is known: equal shares',
    ],
    [
      2,
      1,
      [worker('a', 1, null), worker('b', 1, null), worker('c', 1, null)],
      ['a:1', 'b:1'],
      'no empty shards',
    ],
    [130, 1, [worker('a', 4, null)], ['a:44', 'a:43', 'a:43'], 'room for more children than would crowd one'],
    [130, 1, [worker('a', 1, null)], ['a:130'], 'without room it carries the crowd'],
    [
      30,
      1_000,
      [worker('b', 1, 100_000), worker('a', 1, 200_000)],
      ['a:18', 'b:12'],
      'in proportion to what each can carry, in order of the names; waking up costs both the same',
    ],
    [50, 1_000, [worker('a', 4, 1_000_000)], ['a:50'], '0.3 of a core to wake up, 0.05 for the messages'],
    [50, 10_000, [worker('a', 4, 1_000_000)], ['a:25', 'a:25'], '0.3 and 0.5: over 70 % of one core'],
    [
      30,
      1,
      [worker('a', 1, 1_000), worker('b', 1, null)],
      ['a:15', 'b:15'],
      'one unknown counts as the others',
    ],
    [10, 200, [worker('a', 4, 1_000)], ['a:4', 'a:3', 'a:3'], '2000/s fill 70 % of three children of 1000/s'],
    [10, 600, [worker('a', 2, 1_000)], ['a:5', 'a:5'], 'more than it can offer: all its children'],
    [3, 900, [worker('a', 8, 1_000)], ['a:1', 'a:1', 'a:1'], 'no more children than producers'],
    [
      10,
      1,
      [worker('a', 0, 1_000), worker('b', 1, 1_000)],
      ['b:10'],
      'a worker without a free slot gets none',
    ],
  ])('np %d at %d/s over row %#: %j (%s)', (np, unitRate, workers, expected, _why) => {
    expect(placed(np, unitRate, workers)).toEqual(expected);
  });

  const fleets = fc
    .array(
      fc.record({
        slots: fc.integer({ min: 1, max: 8 }),
        rate: fc.option(fc.integer({ min: 10, max: 100_000 })),
        cores: fc.double({ min: 0.1, max: 8, noNaN: true }),
      }),
      { minLength: 1, maxLength: 12 },
    )
    .map((drawn) => drawn.map(({ slots, rate, cores }, index) => worker(`w${index}`, slots, rate, cores)));
  const counts = fc.integer({ min: 1, max: 400 });
  const unitRates = fc.double({ min: 0.1, max: 5_000, noNaN: true });

  const perWorker = (shares: ReturnType<typeof placeProducers>) => {
    const sums = new Map<string, number>();
    for (const { workerId, producers } of shares) sums.set(workerId, (sums.get(workerId) ?? 0) + producers);
    return sums;
  };

  it('numbers every producer of the trial exactly once, whatever the order of the workers', () => {
    fc.assert(
      fc.property(fleets, counts, unitRates, (workers, np, unitRate) => {
        const load = { np, unitRate, messageBytes: SIZE };
        const shares = placeProducers(load, workers);
        const numbers = shares.flatMap(({ firstProducer, producers }) =>
          Array.from({ length: producers }, (_, i) => firstProducer + i),
        );
        expect(numbers).toEqual(Array.from({ length: np }, (_, i) => i));
        expect(shares.map(({ shard }) => shard)).toEqual(shares.map((_, index) => index));
        expect(placeProducers(load, [...workers].reverse())).toEqual(shares);
      }),
    );
  });

  it('gives no worker more children than it has slots, and no child nothing to do', () => {
    fc.assert(
      fc.property(fleets, counts, unitRates, (workers, np, unitRate) => {
        const shares = placeProducers({ np, unitRate, messageBytes: SIZE }, workers);
        for (const { workerId, slots } of workers) {
          expect(shares.filter((share) => share.workerId === workerId).length).toBeLessThanOrEqual(slots);
        }
        expect(shares.every(({ producers }) => producers > 0)).toBe(true);
      }),
    );
  });

  it('never asks a worker for more than it can offer, when the fleet can carry the load in whole producers', () => {
    fc.assert(
      fc.property(fleets, counts, unitRates, (workers, np, unitRate) => {
        const measured = workers.map((one, index) => (one.capacity ? one : worker(`w${index}`, 1, 500)));
        const most = measured.map((one) =>
          Math.floor(producersOf(one, { np, unitRate, messageBytes: SIZE }) ?? 0),
        );
        fc.pre(most.reduce((sum, count) => sum + count, 0) >= np);
        const sums = perWorker(placeProducers({ np, unitRate, messageBytes: SIZE }, measured));
        for (const [index, { workerId }] of measured.entries()) {
          expect(sums.get(workerId) ?? 0).toBeLessThanOrEqual(most[index] ?? 0);
        }
      }),
    );
  });

  it('takes no producer away from a worker when there is one more', () => {
    fc.assert(
      fc.property(fleets, counts, unitRates, (workers, np, unitRate) => {
        const before = perWorker(placeProducers({ np, unitRate, messageBytes: SIZE }, workers));
        const after = perWorker(placeProducers({ np: np + 1, unitRate, messageBytes: SIZE }, workers));
        for (const [workerId, producers] of before)
          expect(after.get(workerId) ?? 0).toBeGreaterThanOrEqual(producers);
      }),
    );
  });
});
