import { describe, expect, it } from 'vitest';
import { type CensoredTrial, censoredLimit } from '../../../../boundary/search/adaptive/censored-limit.ts';
import { estimateLimit } from '../../../../boundary/search/adaptive/limit-estimate.ts';

const passed = (lnLoad: number): CensoredTrial => ({ lnLoad, isBeyond: false, reading: null });
const beyond = (lnLoad: number, lnLimit: number | null = null): CensoredTrial => ({
  lnLoad,
  isBeyond: true,
  reading: lnLimit === null ? null : { lnLimit, deviation: 0.05 },
});

describe('a limit that trials only pass or break', () => {
  it('is out of the way until something breaks it', () => {
    const limit = censoredLimit([passed(0), passed(1)]);
    expect(limit.probabilityAbove(0.9)).toBe(1);
    expect(limit.probabilityAbove(1.1)).toBeGreaterThan(0.98);
    expect(censoredLimit([]).probabilityAbove(5)).toBe(1);
  });

  it('lies between what held and what broke', () => {
    const limit = censoredLimit([passed(0), passed(0.02), beyond(0.3), beyond(0.32)]);
    expect(limit.probabilityAbove(0)).toBeGreaterThan(0.9);
    expect(limit.probabilityAbove(0.35)).toBeLessThan(0.1);
  });

  it('is read from what came through beyond it', () => {
    const limit = censoredLimit([passed(0), beyond(0.3, 0.11), beyond(0.25, 0.09)]);
    expect(limit.probabilityAbove(0.02)).toBeGreaterThan(0.9);
    expect(limit.probabilityAbove(0.19)).toBeLessThan(0.1);
  });

  it('is not believed from one trial that larger ones contradict', () => {
    const limit = censoredLimit([beyond(0), passed(0.1), passed(0.2), passed(0.3)]);
    expect(limit.probabilityAbove(0.1)).toBeGreaterThan(0.9);
  });
});

describe('the least of all limits', () => {
  const idle = { lnLimit: 1, variance: 0.03 ** 2 };

  it('is found however far it lies below the limit of idle', () => {
    const limit = censoredLimit([beyond(-29), beyond(-29.1)]);
    const { median, low, high } = estimateLimit(idle, [{ rule: 'delivery', limit }]);
    expect(low).toBeLessThan(median);
    expect(median).toBeLessThan(high);
    expect(high).toBeLessThan(-28);
  });

  it('is the idle limit alone when no other is near', () => {
    const { median, low, high, rule } = estimateLimit(idle, []);
    expect(median).toBeCloseTo(1, 4);
    expect(low).toBeCloseTo(1 - 1.96 * 0.03, 3);
    expect(high).toBeCloseTo(1 + 1.96 * 0.03, 3);
    expect(rule).toBe('request-handler idle');
  });

  it('is the delivery limit where that comes first, and says so', () => {
    const limit = censoredLimit([passed(0.5), passed(0.55), beyond(0.7, 0.6), beyond(0.72, 0.61)]);
    const { median, rule } = estimateLimit(idle, [{ rule: 'delivery', limit }]);
    expect(median).toBeGreaterThan(0.55);
    expect(median).toBeLessThan(0.66);
    expect(rule).toBe('delivery');
  });
});
