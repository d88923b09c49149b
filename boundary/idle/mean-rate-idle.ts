import type { BrokerReading, HandlerIdle } from '../broker-reading.ts';
import type { CumulativeMeter } from './cumulative-idle.ts';
import { fullIdle, waitErrorMs } from './idle-wait.ts';

/** The meter starts this long after its process: -1 s for the resolution of the process's start time, ms. */
const EARLIEST_START_MS = -1_000;
const LATEST_START_MS = 30_000;

/** A reading that shows the meter's mean since its start, and the age of the process. */
export type MeanRateReading = BrokerReading & {
  readonly idle: HandlerIdle & { readonly meanRate: number; readonly processAgeMs: number };
};

export function hasMeanRate(reading: BrokerReading): reading is MeanRateReading {
  const { idle } = reading;
  return idle.kind === 'request handlers' && idle.meanRate !== null && idle.processAgeMs !== null;
}

/**
 * The mean since the meter's start, inverted: idle since the start = mean x age, so idle between two readings is
 * m2 x A2 - m1 x A1. The meter is assumed to start within half a minute of its process; both extremes bound the
 * growth, and the older the process, the less they matter. The second age is the first plus the time between the
 * scrapes, for ages may come from a clock of whole seconds.
 */
export function meanRateMeter(pool: HandlerIdle['pool']): CumulativeMeter {
  return {
    full: fullIdle(pool),
    growthMs: (from, to) => {
      if (!hasMeanRate(from) || !hasMeanRate(to)) return null;
      const earlier = from.idle;
      const later = to.idle;
      const elapsedMs = to.atMs - from.atMs;
      const growth = (startedMs: number) => {
        const ageMs = Math.max(0, earlier.processAgeMs - startedMs);
        return later.meanRate * (ageMs + elapsedMs) - earlier.meanRate * ageMs;
      };
      const extremes = [growth(EARLIEST_START_MS), growth(LATEST_START_MS)];
      const clockMs = later.meanRate * ((from.scrapeMs + to.scrapeMs) / 2);
      const low = Math.min(...extremes) - clockMs;
      const high = Math.max(...extremes) + clockMs;
      return {
        low,
        high,
        estimate: Math.min(high, Math.max(0, (extremes[0] ?? 0) / 2 + (extremes[1] ?? 0) / 2)),
      };
    },
    ownElapsedMs: () => null,
    waitErrorMs: (first, last, idleMs) => waitErrorMs(first, last, pool, idleMs),
  };
}
