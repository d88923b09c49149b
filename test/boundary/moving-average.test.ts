import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newestWeight, type RateMinutes, ticksBetween } from '../../boundary/moving-average.ts';

const ROUNDING = { slack: 1e-6 };

describe('newestWeight', () => {
  it('is 0.0800 for one minute', () => {
    expect(newestWeight(1)).toBeCloseTo(0.08, 4);
    expect(newestWeight(15)).toBeCloseTo(0.00554, 5);
  });
});

describe('ticksBetween', () => {
  const minutes = fc.constantFrom<RateMinutes>(1, 5, 15);
  const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 });

  it('bounds the sum of the ticks, and knows a single one and equal ones exactly', () => {
    fc.assert(
      fc.property(minutes, values, fc.double({ min: 0, max: 1, noNaN: true }), (m, ticks, before) => {
        const newest = newestWeight(m);
        const after = ticks.reduce((rate, value) => rate + newest * (value - rate), before);
        const sum = ticks.reduce((total, value) => total + value, 0);
        const found = ticksBetween(before, after, ticks.length, { newest, most: 1, ...ROUNDING });
        expect(found?.lowSum).toBeLessThanOrEqual(sum + 1e-6);
        expect(found?.highSum).toBeGreaterThanOrEqual(sum - 1e-6);
        if (ticks.length === 1) expect(found?.highSum).toBeCloseTo(found?.lowSum ?? -1, 6);
        if (new Set(ticks).size === 1) expect(found?.steady).toBeCloseTo(ticks[0] ?? -1, 6);
      }),
    );
  });

  it.each([
    [0.5, 0.9, 1, 'one tick would have been 5.5'],
    [0.9, 0.5, 1, 'one tick would have been -4.1'],
    [0.9, 0.1, 6, 'six ticks without any idle leave 0.55'],
  ])('%d -> %d in %d ticks: %s', (before, after, ticks, _why) => {
    expect(ticksBetween(before, after, ticks, { newest: newestWeight(1), most: 1, slack: 0.05 })).toBeNull();
  });
});
