import type { BrokerReading, Meter } from './broker-reading.ts';
import { newestWeight, TICK_MS } from './moving-average.ts';

/** How many partitions a broker leads that lack replicas, by degree, before a trial. */
export interface LevelsBefore {
  readonly underReplicated: number;
  readonly underMinIsr: number;
  readonly offline: number;
}

/** A rate that is higher than it could have decayed to by more than rounding holds an event. */
const ROUNDING = 1e-9;

/**
 * Levels of the first reading there is, taken as the load starts: replicas fall behind seconds later at the earliest.
 */
export function levelsBefore(readings: readonly BrokerReading[]): LevelsBefore {
  const first = readings[0];
  return {
    underReplicated: first?.underReplicatedPartitions ?? 0,
    underMinIsr: first?.underMinIsrPartitions ?? 0,
    offline: first?.offlinePartitions ?? 0,
  };
}

/** Whether replicas were missing at the later of two readings, or left or joined between them. */
export function hasIsrTrouble(earlier: BrokerReading, later: BrokerReading, before: LevelsBefore): boolean {
  return (
    (later.underReplicatedPartitions ?? 0) > before.underReplicated ||
    (later.underMinIsrPartitions ?? 0) > before.underMinIsr ||
    (later.offlinePartitions ?? 0) > before.offline ||
    counted(earlier, later, (reading) => reading.isrShrinks) ||
    counted(earlier, later, (reading) => reading.isrExpands)
  );
}

/**
 * Whether a meter counted an event between two readings. Of a one-minute rate: when it is higher than it would be had it
 * only decayed by the fewest ticks that fit between the two.
 */
export function counted(
  earlier: BrokerReading,
  later: BrokerReading,
  meterOf: (reading: BrokerReading) => Meter | null,
): boolean {
  const before = meterOf(earlier);
  const after = meterOf(later);
  if (!before || !after) return false;
  if (before.count !== null && after.count !== null) return after.count > before.count;
  if (before.oneMinuteRate === null || after.oneMinuteRate === null) return false;
  const errorMs = (earlier.scrapeMs + later.scrapeMs) / 2;
  const fewestTicks = Math.max(0, Math.ceil((later.atMs - earlier.atMs - errorMs) / TICK_MS) - 1);
  const decayed = before.oneMinuteRate * (1 - newestWeight(1)) ** fewestTicks;
  return after.oneMinuteRate > decayed * (1 + ROUNDING);
}
