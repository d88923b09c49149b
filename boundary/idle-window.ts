import type { BrokerReading } from './broker-reading.ts';
import type { Window } from './trial.ts';
import { NS_PER_MS } from './units.ts';
import type { IdleReading } from './verdict.ts';

/** An idle handler waits at most this long before it books its idle time (KafkaRequestHandler: receiveRequest(300)). */
const LONGEST_WAIT_MS = 300;

/**
 * Waits between requests are close to exponential under load, so 7 mean waits bound one of them at 99.9 %. The page
 * does not tell the number of handler threads; Kafka's default of 8 is assumed, which is the cautious side for fewer.
 */
const WAITS_IN_BOUND = 7;
const ASSUMED_HANDLER_THREADS = 8;

/** A reading this far outside the window still counts as its edge: polls are on a grid, but never exactly on it. */
const EDGE_TOLERANCE_MS = 500;

/** Self-clocked and scrape time must agree this well, else the rate belongs to another meter or moment. */
const CLOCK_AGREEMENT = 0.2;

/** Readings of one broker that belong to the window, in order. */
export function readingsInWindow(readings: readonly BrokerReading[], window: Window): BrokerReading[] {
  return readings.filter(
    (reading) =>
      reading.atMs >= window.startAtMs - EDGE_TOLERANCE_MS &&
      reading.atMs <= window.endAtMs + EDGE_TOLERANCE_MS,
  );
}

/**
 * Mean request-handler idle of one broker over the window, from the meter's cumulative Count.
 *
 * Count grows by idle nanoseconds / handler threads, so its growth over elapsed nanoseconds is the exact mean, unlike
 * the one-minute rate, which still looks healthy 80 s after an overload. Elapsed time is the page's own when MeanRate
 * is there (Count / MeanRate = age of the meter), else the time between scrapes.
 *
 * @param readings of one broker, ordered by time.
 * @returns ratio 0..1 with its error bounds, or null when fewer than two readings span half of the window.
 */
export function windowedIdle(readings: readonly BrokerReading[], window: Window): IdleReading | null {
  const inside = readingsInWindow(readings, window);
  const first = inside[0];
  const last = inside.at(-1);
  if (!first || !last || last.atMs - first.atMs < (window.endAtMs - window.startAtMs) / 2) return null;
  const idleNs = last.idleCountNs - first.idleCountNs;
  if (idleNs < 0) return null;
  const scrapeNs = (last.atMs - first.atMs) * NS_PER_MS;
  if (scrapeNs <= 0) return null;
  const ownNs = meterAgeNs(last) - meterAgeNs(first);
  const isSelfClocked = Math.abs(ownNs - scrapeNs) <= CLOCK_AGREEMENT * scrapeNs;
  const elapsedNs = isSelfClocked ? ownNs : scrapeNs;
  const ratio = idleNs / elapsedNs;
  const clockErrorMs = isSelfClocked ? 0 : (first.scrapeMs + last.scrapeMs) / 2;
  const error = (edgeErrorMs(first, last, idleNs) + clockErrorMs * ratio) / (elapsedNs / NS_PER_MS);
  return {
    ratio,
    low: Math.max(0, ratio - error),
    high: ratio + error,
    estimator: isSelfClocked ? 'count, self-clocked' : 'count over scrape time',
  };
}

function meterAgeNs(reading: BrokerReading): number {
  return reading.idleMeanRate !== null && reading.idleMeanRate > 0
    ? reading.idleCountNs / reading.idleMeanRate
    : Number.NaN;
}

/** Idle time that a wait in progress at an edge of the window books on the wrong side, ms. */
function edgeErrorMs(first: BrokerReading, last: BrokerReading, idleNs: number): number {
  if (first.requests === null || last.requests === null) return LONGEST_WAIT_MS;
  const requests = last.requests - first.requests;
  if (requests <= 0) return LONGEST_WAIT_MS;
  const meanWaitMs = (idleNs * ASSUMED_HANDLER_THREADS) / requests / NS_PER_MS;
  return Math.min(LONGEST_WAIT_MS, WAITS_IN_BOUND * meanWaitMs);
}
