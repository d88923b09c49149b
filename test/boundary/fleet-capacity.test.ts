import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CapacityRate,
  type FleetWorker,
  fleetCapacity,
  rateAt,
  workerRate,
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

describe('capacity', () => {
  it.each([
    [worker(4, 4), 1_600_000, 'a core for each child'],
    [worker(4, 1), 400_000, 'one child fills one core, however many there are'],
    [worker(0.5, 4), 200_000, 'half a core is all that the cgroup leaves'],
    [{ ...worker(4, 4), capacity: null }, null, 'not measured'],
    [worker(4, 4, []), null, 'a worker of a version that measured nothing'],
  ])('of a worker: row %#', (one, expected, _why) => {
    expect(workerRate(one, 100)).toBe(expected);
  });

  it('of a fleet is the sum', () => {
    expect(fleetCapacity([worker(1, 1), worker(2, 2)])).toEqual({
      workers: 2,
      rates: [
        { messageBytes: 100, messagesPerSecond: 1_200_000 },
        { messageBytes: 10_000, messagesPerSecond: 120_000 },
      ],
    });
  });

  it('of a fleet is not known when one worker has not measured itself, or there is none', () => {
    expect(fleetCapacity([worker(1, 1), { ...worker(2, 2), capacity: null }])).toBeNull();
    expect(fleetCapacity([])).toBeNull();
  });
});
