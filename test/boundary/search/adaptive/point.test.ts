import { describe, expect, it } from 'vitest';
import { playWorld } from './simulated-search.ts';

describe('a point without a load near its limit', () => {
  it.each([
    { most: 1e-10, why: 'no more than nothing' },
    { most: 1e-4, why: 'a hundred bytes' },
    { most: 0.02, why: 'a cluster at rest' },
  ])('claims no limit from loads far under it: $why', ({ most }) => {
    const { state } = playWorld(3, { family: 'A' }, { maxMegabytesPerSecond: most });
    for (const { messageBytes, quality, estimate, interval, lower } of state.done) {
      expect({ quality, estimate, interval }).toEqual({
        quality: 'at least',
        estimate: null,
        interval: null,
      });
      expect(((lower?.messagesPerSecond ?? Number.NaN) * messageBytes) / 1e6).toBeLessThanOrEqual(most);
    }
  });

  it.each([
    { rule: 'delivery', mishaps: {} },
    { rule: 'isr churn', mishaps: { isrFlapsAbove: 0.01 } },
  ])('claims no limit where even the smallest load overloads: $rule', ({ mishaps }) => {
    const limits = { messagesPerSecond: 1e-3, bytesPerSecond: 1e-3 };
    const { state } = playWorld(3, { family: 'D', limits }, {}, mishaps);
    for (const { quality, estimate, interval, upper } of state.done) {
      expect({ quality, estimate, interval }).toEqual({ quality: 'at most', estimate: null, interval: null });
      expect(upper).not.toBeNull();
    }
  });
});
