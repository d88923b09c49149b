import type { LoadSchedule } from '../boundary/load-schedule.ts';
import { messagesDue, nextDueMs, pacerLateMs } from '../boundary/pacer.ts';
import { type RotationRule, startRotation } from '../boundary/partition-rotation.ts';
import { type ProduceCall, produceCall } from '../src/kafka/produce-call.ts';
import { connectProducer, errorName, makeProducer, QUEUE_FULL } from '../src/kafka/rdkafka.ts';
import type { ClientProperties } from '../src/queue/load-job.ts';
import { collectSnapshots, type LaneSnapshot } from './lane-snapshots.ts';
import type { MessageSource } from './message-source.ts';

/** One producer of a shard with its own connections. */
export interface ProducerLane {
  /**
   * Sends what is due `elapsedMs` after the common start, in portions; never beyond the schedule.
   * @param startAtMs the common start on the run's clock: each message carries its intended send time as its timestamp.
   * @returns whether more is due that the client has room for.
   */
  send(elapsedMs: number, startAtMs: number): boolean;
  /** Lateness against the schedule, ms. */
  lateMs(elapsedMs: number): number;
  /** Takes what librdkafka has to tell: statistics, errors, delivery reports. */
  poll(): void;
  /** Sends out what is queued without waiting for linger; resolves when empty or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
  /** Its messages are reported one by one: it wants to be polled as soon as can be. */
  readonly isTimed: boolean;
  /** Messages whose delivery report is still to come; 0 when it is not timed. */
  readonly unreported: number;
  readonly accepted: number;
  readonly failed: number;
  readonly queueFull: number;
  /** The newest ones, in order. */
  readonly snapshots: readonly LaneSnapshot[];
}

/** What the lanes of a shard have in common. */
export interface SharedLaneSettings {
  readonly client: ClientProperties;
  readonly topic: string;
  readonly schedule: LoadSchedule;
  readonly rotation: RotationRule;
  readonly producersOfTrial: number;
  readonly source: MessageSource;
  readonly connectTimeoutMs: number;
  /** Counts of all lanes together. */
  readonly acceptedByPartition: number[];
  readonly errors: Record<string, number>;
}

export interface LaneSettings extends SharedLaneSettings {
  /** Number of this producer in the trial. */
  readonly producer: number;
  /** Called with the intended send time of each delivered message, run clock, whole ms rounded down; null: not timed. */
  readonly onDelivered: ((intendedAtMs: number) => void) | null;
}

/** A lane that owes much sends in portions, so that the others get their turn. */
const PORTION = 2_000;
/** After QUEUE_FULL a lane rests: the queue has megabytes to send before it is worth asking again. */
const REST_MS = 10;

/** What a lane has counted so far, messages. */
export interface LaneCount {
  accepted: number;
  failed: number;
  queueFull: number;
}

/** Connects one producer. @throws PlimsollError BROKER_UNREACHABLE, CONFIG_INVALID */
export async function openLane(settings: LaneSettings): Promise<ProducerLane> {
  const { topic, schedule, onDelivered } = settings;
  const client = { ...settings.client, 'delivery.report.only.error': onDelivered === null };
  const producer = makeProducer(client);
  const count: LaneCount = { accepted: 0, failed: 0, queueFull: 0 };
  let delivered = 0;
  producer.on('delivery-report', (error, report) => {
    if (error) {
      count.failed += 1;
      addError(settings.errors, error.message);
    } else {
      delivered += 1;
      onDelivered?.(report.timestamp ?? Number.NaN);
    }
  });
  const snapshots = collectSnapshots(producer, () => count.failed);
  await connectProducer(producer, client, { timeoutMs: settings.connectTimeoutMs, topic });
  const phase = settings.producer / settings.producersOfTrial;
  return {
    send: makeSend(produceCall(producer, topic, settings.source.headers), settings, count, phase),
    lateMs: (elapsedMs) => pacerLateMs(schedule, elapsedMs, count.accepted, phase),
    poll: () => {
      producer.poll();
    },
    drain: (timeoutMs) => new Promise((resolve) => producer.flush(timeoutMs, () => resolve())),
    isTimed: onDelivered !== null,
    get unreported() {
      return onDelivered === null ? 0 : count.accepted - delivered - count.failed;
    },
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

/** How a lane sends, whatever `produce` does. The hot path: nothing in its loop allocates but the number of a timestamp. */
export function makeSend(
  produce: ProduceCall,
  settings: LaneSettings,
  count: LaneCount,
  phase: number,
): ProducerLane['send'] {
  const { schedule, acceptedByPartition } = settings;
  const { values, keys } = settings.source;
  const rotation = startRotation(settings.rotation, settings.producer);
  const valueMask = values.length - 1;
  const keyMask = (keys?.length ?? 1) - 1;
  let place = Math.floor(phase * Math.max(values.length, keys?.length ?? 0));
  let restUntilMs = 0;
  return (elapsedMs, startAtMs) => {
    if (elapsedMs < restUntilMs) return false;
    const due = messagesDue(schedule, elapsedMs, count.accepted, phase);
    const portion = Math.min(PORTION, due);
    for (let sent = 0; sent < portion; sent += 1) {
      const value = values[place & valueMask] as Buffer;
      const key = keys === null ? null : (keys[place & keyMask] as Buffer);
      const partition = rotation.next(elapsedMs, value.length);
      const intendedAtMs = Math.floor(startAtMs + nextDueMs(schedule, count.accepted, phase));
      const code = produce(partition, value, key, intendedAtMs);
      if (code !== 0) {
        restUntilMs = elapsedMs + REST_MS;
        if (code === QUEUE_FULL) count.queueFull += 1;
        else addError(settings.errors, errorName(code));
        return false;
      }
      place = (place + 1) | 0;
      count.accepted += 1;
      acceptedByPartition[partition] = (acceptedByPartition[partition] ?? 0) + 1;
    }
    return portion < due;
  };
}

function addError(errors: Record<string, number>, name: string): void {
  errors[name] = (errors[name] ?? 0) + 1;
}
