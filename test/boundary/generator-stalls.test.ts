import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stallDelayMs } from '../../boundary/generator-stalls.ts';
import { evidenceOf } from './evidence.ts';

/** What the longest stalls of each of ten seconds add at 1 %. */
function delayOf(stalls: (second: number) => number): number {
  const { shards, window } = evidenceOf({ tick: (second) => ({ loopLagMs: stalls(second) }) });
  const shard = shards[0];
  if (!shard) throw new Error('the scene has a shard');
  return stallDelayMs(shard, window, 0.01);
}

describe('stallDelayMs', () => {
  it.each<[why: string, stalls: (second: number) => number, delayMs: number]>([
    ['short ones in every second reach less than 1 % of the messages', () => 9, 0],
    ['30 ms in every second: 10 ms of each wait for over 20', () => 30, 20],
    ['one of 300 ms in ten seconds: 100 ms wait for over 200', (second) => (second === 4 ? 300 : 0), 200],
    ['before the window they do not count', (second) => (second < 1 ? 900 : 0), 0],
    ['two of 300 ms: 2 x 50 ms wait for over 250', (second) => (second > 8 ? 300 : 0), 250],
  ])('%s', (_why, stalls, delayMs) => {
    expect(delayOf(stalls)).toBeCloseTo(delayMs, 9);
  });

  it('is the delay that exactly the share of the window exceeds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 800 }), { minLength: 10, maxLength: 10 }), (stalls) => {
        const delayMs = delayOf((second) => stalls[second - 1] ?? 0);
        const overMs = stalls.reduce((sum, stall) => sum + Math.max(0, stall - delayMs), 0);
        if (delayMs > 0) expect(overMs).toBeCloseTo(100, 6);
        else expect(overMs).toBeLessThanOrEqual(100);
      }),
    );
  });
});
