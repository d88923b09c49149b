import { describe, expect, it } from 'vitest';
import { meterGrowth } from '../../boundary/meter-growth.ts';
import { newestWeight } from '../../boundary/moving-average.ts';
import { readingsByBroker } from '../../boundary/polls.ts';
import { evidenceOf, type Scene } from './evidence.ts';

function growthOf(scene: Scene) {
  const { polls, window } = evidenceOf(scene);
  return meterGrowth(readingsByBroker(polls).get(1) ?? [], window, (reading) => reading.isrShrinks);
}

/** One-minute rate of a meter that ticks in seconds 2, 7, 12 ... with so many events per second in each tick. */
function rateAt(second: number, perSecond: (tick: number) => number, before: number): number {
  let rate = before;
  for (let tick = 0; tick * 5 + 2 <= second; tick++) rate += newestWeight(1) * (perSecond(tick) - rate);
  return rate;
}
const rates = (perSecond: (tick: number) => number, before: number) => (_: number, second: number) => ({
  count: null,
  oneMinuteRate: rateAt(second, perSecond, before),
});

describe('meterGrowth', () => {
  it('is exact from counts, also when the rate says otherwise', () => {
    const shrinks = (_: number, s: number) => ({ count: 3 + Math.floor(s / 4), oneMinuteRate: 0.012 });
    expect(growthOf({ shrinks })).toEqual({ events: 2, low: 2, high: 2, overMs: 10_000, isExact: true });
  });

  it('inverts the rate of looks that see every tick', () => {
    const growth = growthOf({ seconds: 30, shrinks: rates(() => 0.4, 0.1) });
    expect(growth?.events).toBeCloseTo(12, 6);
    expect(growth).toMatchObject({ overMs: 30_000, isExact: false });
  });

  it('bounds a steady rate when looks are far apart and the number of ticks is unsure', () => {
    const scene = {
      seconds: 30,
      missed: (_: number, s: number) => s % 30 !== 0,
      shrinks: rates(() => 40, 10),
    };
    const growth = growthOf(scene);
    expect(growth?.events).toBeCloseTo(1_200, 6);
    expect(growth?.low).toBeLessThan(1_200);
    expect(growth?.high).toBeGreaterThan(1_200);
  });

  it('takes a rate that stands still as steady', () => {
    expect(growthOf({ seconds: 30, shrinks: rates(() => 0.012, 0.012) })?.events).toBeCloseTo(0.36, 6);
    expect(growthOf({ seconds: 30, shrinks: rates(() => 0, 0) })).toMatchObject({
      events: 0,
      low: 0,
      high: 0,
    });
  });

  it.each([
    ['a count that went back', { shrinks: (_: number, s: number) => (s > 4 ? 0 : 5) }],
    ['a single reading', { missed: (_: number, s: number) => s > 0 }],
    ['nothing shown', { shrinks: () => ({ count: null, oneMinuteRate: null }) }],
    [
      'a rate that falls faster than it can',
      { shrinks: (_: number, s: number) => ({ count: null, oneMinuteRate: s < 5 ? 1 : 0.1 }) },
    ],
  ])('is null for %s', (_why, scene) => {
    expect(growthOf(scene)).toBeNull();
  });
});
