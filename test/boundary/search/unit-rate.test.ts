import { describe, expect, it } from 'vitest';
import { bracketOf } from '../../../boundary/search/bracket.ts';
import type { ProbeStep } from '../../../boundary/search/search.ts';
import { probeRates, rescaledUnitRate, unitRateFromProbe } from '../../../boundary/search/unit-rate.ts';
import { CONFIG, vote } from './oracle.ts';

const steps = (
  ...idles: (readonly [unitRate: number, idle: number | null, ackedShare?: number])[]
): ProbeStep[] => idles.map(([unitRate, idle, ackedShare = 1]) => ({ unitRate, idle, ackedShare }));

describe('unitRateFromProbe', () => {
  // The first three are probes of the local cluster, with the rate that its search then found the boundary at.
  it.each([
    [steps([40, 0.35], [80, 0.0]), 45, 53, 'measured: boundary at 48-52'],
    [steps([30.3, 0.41], [60.6, 0.0]), 36, 46, 'measured: boundary at 41-45'],
    [steps([25.7, 0.32], [51.4, 0.0]), 26, 33, 'measured: boundary at 28-30'],
    [steps([10, 0.5], [20, 0.2], [40, 0.1]), 20, 20.1, 'a step exactly on the limit is still sustained'],
    [steps([10, 0.9], [20, 0.8]), 40, 40, 'never overloaded: go on above'],
    [steps([10, 0.1]), 5, 5, 'overloaded at once: go on below'],
    [steps([10, 0.9], [20, 0.7, 0.5]), 14, 15, 'delivery falls behind while the handlers idle'],
    [steps([10, 0.5], [20, null], [40, 0.1]), 20, 30, 'a step that could not be read is skipped'],
  ])('%j gives %d to %d: %s', (seen, low, high, _why) => {
    const rate = unitRateFromProbe(seen, 0.2);
    expect(rate).toBeGreaterThanOrEqual(low);
    expect(rate).toBeLessThanOrEqual(high);
  });

  it('goes by what was acknowledged when the run reads no signals', () => {
    expect(unitRateFromProbe(steps([10, null], [20, null, 0.5]), 0.2, true)).toBeCloseTo(16, 0);
    expect(unitRateFromProbe(steps([10, null]), 0.2, true)).toBe(20);
  });

  it('is null when nothing could be read', () => {
    expect(unitRateFromProbe(steps([10, null]), 0.2)).toBeNull();
    expect(unitRateFromProbe([], 0.2)).toBeNull();
  });
});

describe('probeRates', () => {
  it('doubles from a light load, and stops at the load guard', () => {
    const rates = probeRates({ ...CONFIG, maxMegabytesPerSecond: 1 }, 1_000, []);
    expect(rates).toEqual([10, 20]);
  });

  it.each([
    [10, 10, '500 messages/s: tiny messages cost as much as small ones'],
    [1_000, 10, '500 messages/s'],
    [1_000_000, 0.02, '1 MB/s: big messages are counted in bytes'],
  ])('starts light at %d B: %d/s per producer (%s)', (messageBytes, rate, _why) => {
    expect(probeRates(CONFIG, messageBytes, [])[0]).toBe(rate);
  });
});

describe('rescaledUnitRate', () => {
  it.each([
    [[vote(43, 10, true), vote(60, 10, false)], 10, 'the bracket lies around the target'],
    [[vote(20, 10, true), vote(28, 10, false)], 4.8, 'one producer of 24 is over half of 5 %'],
    [[vote(190, 10, true)], 53.2, 'more producers than allowed would come next'],
    [[vote(30, 10, false)], 4.29, 'fewer than half of the target would come next'],
  ])('%# keeps or changes the rate to %d: %s', (votes, expected, _why) => {
    expect(rescaledUnitRate(10, bracketOf(votes), CONFIG)).toBeCloseTo(expected, 2);
  });
});
