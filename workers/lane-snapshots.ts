import type { RdProducer } from '../src/kafka/rdkafka.ts';
import { fromLibrdkafkaClock, machineNowMs } from './machine-clock.ts';
import { readStatistics, type StatisticsSnapshot } from './statistics-snapshot.ts';

/** A statistics snapshot on the machine's clock, with what its lane alone knows. */
export interface LaneSnapshot extends StatisticsSnapshot {
  readonly atMs: number;
  readonly acked: number;
  /** Bytes of record batches put into requests since the start. */
  readonly sentBytes: number;
}

/** Ticks are made within two seconds of what they tell; many times that of snapshots, one a second, is kept. */
const KEPT_SNAPSHOTS = 60;

/**
 * Collects a producer's statistics, one snapshot a second; the list holds the newest, for a load may last for hours.
 * @param failed messages that failed so far, by the delivery reports.
 */
export function collectSnapshots(producer: RdProducer, failed: () => number): readonly LaneSnapshot[] {
  const snapshots: LaneSnapshot[] = [];
  producer.on('event.stats', (event: { message: string }) => {
    const snapshot = readStatistics(event.message);
    const before = snapshots.at(-1);
    snapshots.push({
      ...snapshot,
      atMs: fromLibrdkafkaClock(snapshot.clockUs, machineNowMs()),
      acked: Math.max(before?.acked ?? 0, snapshot.enqueued - snapshot.queued - failed()),
      sentBytes: (before?.sentBytes ?? 0) + snapshot.batchBytes,
    });
    if (snapshots.length > 2 * KEPT_SNAPSHOTS) snapshots.splice(0, KEPT_SNAPSHOTS);
  });
  return snapshots;
}
