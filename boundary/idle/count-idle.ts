import type { BrokerReading, HandlerIdle } from '../broker-reading.ts';
import { NS_PER_MS } from '../units.ts';
import type { CumulativeMeter } from './cumulative-idle.ts';
import { exactly } from './idle-stretch.ts';
import { fullIdle, waitErrorMs } from './idle-wait.ts';

/** Self-clocked and scrape time must agree this well, beside the scrapes' own length, else the rate is another meter's. */
const CLOCK_AGREEMENT = 0.2;

/** A reading whose page shows the meter's Count. */
export type CountReading = BrokerReading & { readonly idle: HandlerIdle & { readonly countNs: number } };

export function hasCount(reading: BrokerReading): reading is CountReading {
  return reading.idle.kind === 'request handlers' && reading.idle.countNs !== null;
}

/**
 * The meter's cumulative Count: it grows by idle nanoseconds / handler threads, so its growth over elapsed nanoseconds
 * is the exact mean (Kafka's KafkaRequestHandler.run), unlike the one-minute rate, which still looks healthy 80 s after
 * an overload. Elapsed time is the page's own when MeanRate is there (Count / MeanRate = age of the meter).
 */
export function countMeter(pool: HandlerIdle['pool']): CumulativeMeter {
  return {
    full: fullIdle(pool),
    growthMs: (from, to) =>
      hasCount(from) && hasCount(to) && to.idle.countNs >= from.idle.countNs
        ? exactly((to.idle.countNs - from.idle.countNs) / NS_PER_MS)
        : null,
    ownElapsedMs: (from, to) => {
      const ownMs = meterAgeMs(to) - meterAgeMs(from);
      const scrapeMs = to.atMs - from.atMs;
      const slowMs = (from.scrapeMs + to.scrapeMs) / 2;
      return Math.abs(ownMs - scrapeMs) <= CLOCK_AGREEMENT * scrapeMs + slowMs ? ownMs : null;
    },
    waitErrorMs: (first, last, idleMs) => waitErrorMs(first, last, pool, idleMs),
  };
}

function meterAgeMs(reading: BrokerReading): number {
  return hasCount(reading) && reading.idle.meanRate !== null && reading.idle.meanRate > 0
    ? reading.idle.countNs / reading.idle.meanRate / NS_PER_MS
    : Number.NaN;
}
