import type { BrokerReading } from './broker-reading.ts';
import { fullIdle, LONGEST_WAIT_MS } from './idle/idle-wait.ts';
import { NS_PER_MS } from './units.ts';

/** Ages come from clocks of a second's resolution; younger by more than this is another process, ms. */
const AGE_RESOLUTION_MS = 2_000;

/** A page may be put together this long before it is served, ms. */
const LONGEST_PAGE_AGE_MS = 1_000;

/**
 * Whether another process answers after one of the readings than before: the broker started anew, so that a count which
 * only grows is smaller, or its page became another broker's, whose idle time grew by more than the time that passed.
 */
export function hasRestarted(readings: readonly BrokerReading[]): boolean {
  return readings.some((reading, i) => {
    const earlier = readings[i - 1];
    return earlier !== undefined && isAnother(earlier, reading);
  });
}

/** The readings since another process answers. */
export function sinceRestart(readings: readonly BrokerReading[]): readonly BrokerReading[] {
  const start = readings.findLastIndex((reading, i) => {
    const earlier = readings[i - 1];
    return earlier !== undefined && isAnother(earlier, reading);
  });
  return start < 0 ? readings : readings.slice(start);
}

function isAnother(earlier: BrokerReading, later: BrokerReading): boolean {
  return isYounger(earlier, later) || hasJumped(earlier, later);
}

function hasJumped(earlier: BrokerReading, later: BrokerReading): boolean {
  const { idle: before } = earlier;
  const { idle: after } = later;
  if (before.kind === 'cores' || after.kind === 'cores') return false;
  if (before.countNs === null || after.countNs === null) return false;
  const elapsedMs = later.atMs - earlier.atMs + (earlier.scrapeMs + later.scrapeMs) / 2;
  const mostMs = fullIdle(after.pool) * (elapsedMs + LONGEST_WAIT_MS + LONGEST_PAGE_AGE_MS);
  return (after.countNs - before.countNs) / NS_PER_MS > mostMs;
}

function isYounger(earlier: BrokerReading, later: BrokerReading): boolean {
  const before = growingCounts(earlier);
  const after = growingCounts(later);
  return (
    before.some((count, i) => hasFallen(count, after[i] ?? null, 0)) ||
    hasFallen(processAgeMs(earlier), processAgeMs(later), AGE_RESOLUTION_MS) ||
    busySeconds(earlier).some((busy, core) => hasFallen(busy, busySeconds(later)[core] ?? null, 0))
  );
}

/** Counts of the whole process. Those that a reader may have summed over topics can fall when a topic goes. */
function growingCounts(reading: BrokerReading): readonly (number | null)[] {
  return [
    reading.idle.kind === 'request handlers' ? reading.idle.countNs : null,
    reading.isrShrinks?.count ?? null,
    reading.isrExpands?.count ?? null,
    reading.processCpuSeconds,
  ];
}

function processAgeMs({ idle }: BrokerReading): number | null {
  return idle.kind === 'request handlers' ? idle.processAgeMs : null;
}

function busySeconds({ idle }: BrokerReading): readonly number[] {
  return idle.kind === 'cores' ? idle.busySeconds : [];
}

function hasFallen(earlier: number | null, later: number | null, byMoreThan: number): boolean {
  return earlier !== null && later !== null && later < earlier - byMoreThan;
}
