import { describe, expect, it } from 'vitest';
import { DEFAULT_WORLD, drawClusterWorld } from '../../../boundary/simulator/cluster-world.ts';
import { trueLimitOf } from '../../../boundary/simulator/true-limit.ts';

const CALM = { isrFlapsAbove: null, burst: null };
const worldWith = (cliff: number | 'none') =>
  drawClusterWorld(5, { ...DEFAULT_WORLD, family: 'D', misfit: 0, cliff });

describe('the true limit', () => {
  it.each([
    {
      why: 'handlers where there is no cliff',
      cliff: 'none' as const,
      bytes: 1e6,
      rule: 'request-handler idle',
    },
    { why: 'handlers under the cliff', cliff: 10_000, bytes: 5_000, rule: 'request-handler idle' },
    { why: 'deliveries above it', cliff: 10_000, bytes: 20_000, rule: 'delivery' },
  ])('is set by the $why', ({ cliff, bytes, rule }) => {
    expect(trueLimitOf(worldWith(cliff), CALM, bytes).rule).toBe(rule);
  });

  it('is lower where deliveries fall behind', () => {
    const open = trueLimitOf(worldWith('none'), CALM, 1e6).messagesPerSecond;
    expect(trueLimitOf(worldWith(10_000), CALM, 1e6).messagesPerSecond).toBeLessThan(0.95 * open);
  });

  it('is where followers leave the ISR when that comes first, and less once the credits are used up', () => {
    const world = worldWith('none');
    const { messagesPerSecond } = trueLimitOf(world, CALM, 1_000);
    const limit = trueLimitOf(world, { isrFlapsAbove: 0.8, burst: { afterSeconds: 60, share: 0.5 } }, 1_000);
    expect(limit.messagesPerSecond).toBeCloseTo(0.8 * messagesPerSecond, 6);
    expect(limit.rule).toBe('isr churn');
    expect(limit.lasting).toBeCloseTo(0.4 * messagesPerSecond, 6);
    expect(trueLimitOf(world, { isrFlapsAbove: 1.1, burst: null }, 1_000).messagesPerSecond).toBe(
      messagesPerSecond,
    );
  });
});
