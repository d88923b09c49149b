import type { Redis } from 'ioredis';
import type { RunClock } from '../run-clock.ts';
import { guarded } from './redis-connection.ts';

const EXCHANGES = 8;
/** Quartz clocks part by up to about 100 ppm; an old exchange loses its worth at that pace. */
const DRIFT = 1e-4;

interface Exchange {
  /** Run clock minus performance.now(), ms. */
  readonly offsetMs: number;
  readonly errorMs: number;
  readonly takenAtMs: number;
}

/** A RunClock that can be set again. */
export interface RedisClock extends RunClock {
  /**
   * Exchanges the time anew and keeps the better of old (aged by 100 ppm of drift) and new; always the new one when the
   * two contradict each other, since the clock of Redis was set meanwhile and everybody who asks now gets that.
   * @returns by how much it was set beyond what the errors explain, ms; 0 as a rule.
   */
  resync(): Promise<number>;
}

/**
 * Sets a clock by Redis TIME: the exchange with the shortest round trip of several, carried by performance.now().
 * @throws PlimsollError REDIS_LOST
 */
export async function openRedisClock(redis: Redis): Promise<RedisClock> {
  let best = await bestExchange(redis);
  const agedErrorMs = () => best.errorMs + (performance.now() - best.takenAtMs) * DRIFT;
  return {
    nowMs: () => performance.now() + best.offsetMs,
    get errorMs() {
      return agedErrorMs();
    },
    resync: async () => {
      const fresh = await bestExchange(redis);
      const agedMs = agedErrorMs();
      const movedMs = Math.max(0, Math.abs(fresh.offsetMs - best.offsetMs) - fresh.errorMs - agedMs);
      if (movedMs > 0 || fresh.errorMs <= agedMs) best = fresh;
      return movedMs;
    },
  };
}

async function bestExchange(redis: Redis): Promise<Exchange> {
  let best: Exchange | null = null;
  for (let round = 0; round < EXCHANGES; round += 1) {
    const sentMs = performance.now();
    const [seconds, microseconds] = await guarded(() => redis.time());
    const receivedMs = performance.now();
    const serverMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
    const errorMs = (receivedMs - sentMs) / 2;
    if (!best || errorMs < best.errorMs) {
      best = { offsetMs: serverMs - (sentMs + receivedMs) / 2, errorMs, takenAtMs: receivedMs };
    }
  }
  if (!best) throw new Error('no time exchange was made');
  return best;
}
