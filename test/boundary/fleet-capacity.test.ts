import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CapacityRate,
  type FleetWorker,
  fleetCapacity,
  producerCores,
  rateAt,
} from '../../boundary/fleet-capacity.ts';

const RATES: readonly CapacityRate[] = [
  { messageBytes: 100, messagesPerSecond: 400_000 },
  { messageBytes: 10_000, messagesPerSecond: 40_000 },
];

const worker = (cores: number, slots: number, rates = RATES): FleetWorker => ({
  workerId: `w${cores}-${slots}`,
  slots,
  capacity: { cores, rates },
});

describe('rateAt', () => {
  it.each([
    [100, 400_000, 'a measured size'],
    [10_000, 40_000, 'the other one'],
    [1_000, 126_491, 'half-way in logarithms: the geometric mean'],
    [10, 400_000, 'a smaller message costs as much as the smallest measured one'],
    [100_000, 4_000, 'of larger ones as many bytes'],
  ])('%d B: %d/s (%s)', (messageBytes, expected, _why) => {
    expect(rateAt(RATES, messageBytes)).toBeCloseTo(expected, 0);
  });

  it('lies between its neighbours at every size, and never grows with the size', () => {
    const rates = fc
      .array(fc.tuple(fc.integer({ min: 2, max: 50 }), fc.double({ min: 0.1, max: 1, noNaN: true })), {
        minLength: 1,
        maxLength: 6,
      })
      .map((steps) => {
        let messageBytes = 50;
        let messagesPerSecond = 1_000_000;
        return steps.map(([growth, share]) => {
          messageBytes *= growth;
          messagesPerSecond *= share;
          return { messageBytes, messagesPerSecond };
        });
      });
    const size = fc.integer({ min: 1, max: 10_000_000 });
    fc.assert(
      fc.property(rates, size, size, (measured, one, other) => {
        const [small, large] = [Math.min(one, other), Math.max(one, other)];
        expect(rateAt(measured, large)).toBeLessThanOrEqual(rateAt(measured, small) * (1 + 1e-9));
        expect(rateAt(measured, small)).toBeGreaterThan(0);
      }),
    );
  });
});

describe('producerCores', () => {
  it.each([
    [40_000, 400_000, 0.106, 'a busy producer wakes its threads 50 times a second'],
    [10, 400_000, 0.001225, 'a slow one for each message'],
  ])('%d/s at %d/s per core: %d (%s)', (unitRate, rate, expected, _why) => {
    expect(producerCores(unitRate, rate)).toBeCloseTo(expected, 9);
  });
});

describe('fleetCapacity', () => {
  const largest = (workers: readonly FleetWorker[], np: number) =>
    fleetCapacity(workers, np)?.rates[0]?.messagesPerSecond;

  it.each([
    [[worker(4, 4)], 50, 1_480_000, 'of 4 cores, 50 producers take 0.3 to wake up'],
    [[worker(4, 1)], 50, 280_000, 'one child fills one core, however many there are'],
    [[worker(1, 1), worker(2, 2)], 50, 1_080_000, 'the sum'],
    [[worker(0.1, 4)], 50, 816, 'so little CPU that each message is a request of its own'],
    [[worker(1, 1)], 1, 397_600, 'one producer alone'],
  ])('row %# by %d producers: %d/s (%s)', (workers, np, expected, _why) => {
    expect(largest(workers, np)).toBeCloseTo(expected, -1);
  });

  it('is where the producers fill the cores', () => {
    const cores = fc.double({ min: 0.02, max: 64, noNaN: true });
    fc.assert(
      fc.property(cores, fc.integer({ min: 1, max: 200 }), (some, np) => {
        const load = largest([worker(some, 100)], np) ?? 0;
        expect(np * producerCores(load / np, 400_000)).toBeCloseTo(some, 6);
      }),
    );
  });

  it('is not known when one worker has not measured itself, is of a version that did not, or there is none', () => {
    expect(fleetCapacity([worker(1, 1), { ...worker(2, 2), capacity: null }])).toBeNull();
    expect(fleetCapacity([worker(1, 1, [])])).toBeNull();
    expect(fleetCapacity([])).toBeNull();
  });
});
