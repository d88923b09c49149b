import type { LoadSchedule } from '../boundary/load-schedule.ts';
import { messagesDue, pacerLateMs } from '../boundary/pacer.ts';
import { type RotationRule, rotate, startRotation } from '../boundary/partition-rotation.ts';
import { messageOf } from '../src/errors.ts';
import { connectProducer, makeProducer, QUEUE_FULL, type RdProducer } from '../src/kafka/rdkafka.ts';
import type { ClientProperties } from '../src/queue/load-job.ts';
import { fromLibrdkafkaClock, machineNowMs } from './machine-clock.ts';
import type { PayloadPool } from './payload-pool.ts';
import { readStatistics, type StatisticsSnapshot } from './statistics-snapshot.ts';

/** A statistics snapshot on the machine's clock, with what this lane alone knows. */
export interface LaneSnapshot extends StatisticsSnapshot {
  readonly atMs: number;
  readonly acked: number;
}

/** One producer of a shard with its own connections. */
export interface ProducerLane {
  /** Sends what is due `elapsedMs` after the common start. Never sends beyond the schedule. */
  send(elapsedMs: number): void;
  /** Lateness against the schedule, ms. */
  lateMs(elapsedMs: number): number;
  /** Sends out what is queued without waiting for linger; resolves when empty or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
  readonly accepted: number;
  readonly failed: number;
  readonly queueFull: number;
  /** The newest ones: a load may last for hours. */
  readonly snapshots: readonly LaneSnapshot[];
}

export interface LaneSettings {
  readonly client: ClientProperties;
  readonly topic: string;
  readonly messageBytes: number;
  readonly schedule: LoadSchedule;
  readonly rotation: RotationRule;
  /** Number of this producer in the trial, and producers of the trial. */
  readonly producer: number;
  readonly producersOfTrial: number;
  readonly payload: PayloadPool;
  readonly connectTimeoutMs: number;
  /** Counts shared by the lanes of a shard. */
  readonly acceptedByPartition: number[];
  readonly errors: Record<string, number>;
}

const POLL_MS = 50;
/** A lane that owes much sends in portions, so that the others get their turn. */
const PORTION = 2_000;
/** After QUEUE_FULL a lane rests: each refusal is an exception, and 500 a second for each lane would cost a core. */
const REST_MS = 10;

/** Ticks are made within two seconds of what they tell; many times that of snapshots, one a second, is kept. */
const KEPT_SNAPSHOTS = 60;

/** What a lane has counted so far, messages. */
interface LaneCount {
  accepted: number;
  failed: number;
  queueFull: number;
}

/** Connects one producer. @throws PlimsollError BROKER_UNREACHABLE, CONFIG_INVALID */
export async function openLane(settings: LaneSettings): Promise<ProducerLane> {
  const { client, topic, schedule } = settings;
  const producer = makeProducer(client);
  const count: LaneCount = { accepted: 0, failed: 0, queueFull: 0 };
  const snapshots = collectSnapshots(producer, settings, count);
  await connectProducer(producer, client, { timeoutMs: settings.connectTimeoutMs, topic });
  producer.setPollInterval(POLL_MS);
  const phase = settings.producer / settings.producersOfTrial;
  return {
    send: makeSend(producer, settings, count, phase),
    lateMs: (elapsedMs) => pacerLateMs(schedule, elapsedMs, count.accepted, phase),
    drain: (timeoutMs) => new Promise((resolve) => producer.flush(timeoutMs, () => resolve())),
    get accepted() {
      return count.accepted;
    },
    get failed() {
      return count.failed;
    },
    get queueFull() {
      return count.queueFull;
    },
    snapshots,
  };
}

/** Listens to delivery errors and statistics; the returned list gets a snapshot a second. */
function collectSnapshots(
  producer: RdProducer,
  settings: LaneSettings,
  count: LaneCount,
): readonly LaneSnapshot[] {
  const snapshots: LaneSnapshot[] = [];
  producer.on('delivery-report', (error) => {
    if (!error) return;
    count.failed += 1;
    addError(settings.errors, error.message);
  });
  producer.on('event.stats', (event: { message: string }) => {
    const snapshot = readStatistics(event.message);
    const atMs = fromLibrdkafkaClock(snapshot.clockUs, machineNowMs());
    const acked = Math.max(snapshots.at(-1)?.acked ?? 0, snapshot.enqueued - snapshot.queued - count.failed);
    snapshots.push({ ...snapshot, atMs, acked });
    if (snapshots.length > 2 * KEPT_SNAPSHOTS) snapshots.splice(0, KEPT_SNAPSHOTS);
  });
  return snapshots;
}

function makeSend(producer: RdProducer, settings: LaneSettings, count: LaneCount, phase: number) {
  const { topic, rotation: rule, schedule, messageBytes, payload, acceptedByPartition } = settings;
  let rotation = startRotation(rule, settings.producer);
  let restUntilMs = 0;
  return (elapsedMs: number): void => {
    if (elapsedMs < restUntilMs) return;
    const due = Math.min(PORTION, messagesDue(schedule, elapsedMs, count.accepted, phase));
    for (let sent = 0; sent < due; sent += 1) {
      const next = rotate(rule, rotation, elapsedMs, messageBytes);
      try {
        producer.produce(topic, next.partition, payload.next());
      } catch (error) {
        restUntilMs = elapsedMs + REST_MS;
        if (codeOf(error) === QUEUE_FULL) count.queueFull += 1;
        else addError(settings.errors, messageOf(error));
        return;
      }
      rotation = next;
      count.accepted += 1;
      acceptedByPartition[next.partition] = (acceptedByPartition[next.partition] ?? 0) + 1;
    }
  };
}

function codeOf(error: unknown): number | undefined {
  return (error as { code?: number }).code;
}

function addError(errors: Record<string, number>, name: string): void {
  errors[name] = (errors[name] ?? 0) + 1;
}
