import type { Redis } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { openRedisClock } from '../../src/queue/redis-clock.ts';

const HOUR_MS = 3_600_000;

/** A Redis whose wall clock can be set; it answers at once. */
function settableRedis() {
  const wall = { setByMs: 0 };
  const time = async () => {
    const nowUs = Math.round((performance.timeOrigin + performance.now() + wall.setByMs) * 1_000);
    return [String(Math.floor(nowUs / 1e6)), String(nowUs % 1e6)];
  };
  return { wall, redis: { time } as unknown as Redis };
}

describe('the clock of Redis', () => {
  it('moves by nothing worth telling while nobody sets it', async () => {
    const clock = await openRedisClock(settableRedis().redis);
    expect(await clock.resync()).toBeLessThan(5);
  });

  it.each([HOUR_MS, -HOUR_MS])('is followed, and the jump told, when it is set by %d ms', async (setByMs) => {
    const { wall, redis } = settableRedis();
    const clock = await openRedisClock(redis);
    wall.setByMs = setByMs;
    expect(Math.abs((await clock.resync()) - HOUR_MS)).toBeLessThan(50);
    const machineMs = performance.timeOrigin + performance.now();
    expect(Math.abs(clock.nowMs() - machineMs - setByMs)).toBeLessThan(50);
  });
});
