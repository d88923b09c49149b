import type { BrokerReading } from './broker-reading.ts';

/** Ages come from clocks of a second's resolution; younger by more than this is another process, ms. */
const AGE_RESOLUTION_MS = 2_000;

/** Whether the broker's process started anew between two of the readings: a count that only grows is smaller. */
export function hasRestarted(readings: readonly BrokerReading[]): boolean {
  return readings.some((reading, i) => {
    const earlier = readings[i - 1];
    return earlier !== undefined && isYounger(earlier, reading);
  });
}

/** The readings since the last start of the process. */
export function sinceRestart(readings: readonly BrokerReading[]): readonly BrokerReading[] {
  const start = readings.findLastIndex((reading, i) => {
    const earlier = readings[i - 1];
    return earlier !== undefined && isYounger(earlier, reading);
  });
  return start < 0 ? readings : readings.slice(start);
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
