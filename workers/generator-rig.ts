import type { LoadSchedule } from '../boundary/load-schedule.ts';
import { PLAIN_MESSAGES } from '../boundary/payload/message-recipe.ts';
import { DEFAULT_PRODUCER } from '../src/config/properties.ts';
import type { ClientProperties, LoadJob } from '../src/queue/load-job.ts';
import { batchBytesOf, rotationRule } from './client-settings.ts';
import { startGridSampler } from './grid-sampler.ts';
import { openShard } from './load-shard.ts';
import { machineNowMs } from './machine-clock.ts';
import { makeMessageSource } from './message-source.ts';
import { type LaneCount, makeSend, type ProducerLane } from './producer-lane.ts';
import { sendBySchedule } from './send-loop.ts';

/** A few producers of one process on a schedule, with nothing real to send to. */
export interface GeneratorRig {
  /** Sends from `startAtMs` (machine clock) on, until the stop or the end; resolves with what was carried, messages. */
  run(startAtMs: number): Promise<number>;
  stop(): void;
}

export interface RigOrder {
  readonly messageBytes: number;
  readonly schedule: LoadSchedule;
}

/** Producers of a rig. A mock broker keeps 5 MB of each partition, so few of both. */
export const RIG_PRODUCERS = 2;
/** Of the 4 partitions of a topic that librdkafka's mock cluster makes by itself. */
const MOCK_PARTITIONS = 2;
const PATIENCE_MS = 10_000;
const TOPIC = 'calibration';

/** Queues that bound the memory of a machine that cannot keep up; the real ones are larger. */
const MOCK_CLIENT: ClientProperties = {
  ...DEFAULT_PRODUCER,
  'bootstrap.servers': 'mock',
  'test.mock.num.brokers': 1,
  'allow.auto.create.topics': true,
  'queue.buffering.max.kbytes': 32_768,
  'queue.buffering.max.messages': 100_000,
  // It announces the mock cluster as a notice on standard error.
  log_level: 3,
};

/**
 * The producers of a trial against librdkafka's mock brokers: each has a broker of its own, on a thread in this process.
 * All of the client's work is done, connections over loopback included; without TLS and compression.
 */
export async function openClientRig(order: RigOrder): Promise<GeneratorRig> {
  const shard = await openShard(jobOf(order), { workerId: 'calibration', clockOffsetMs: 0 });
  return {
    stop: () => shard.stop(null),
    run: async (startAtMs) => {
      const { acked, failed, undelivered } = await shard.run(startAtMs, () => {});
      if (failed + undelivered > 0)
        throw new Error(`${failed + undelivered} messages were not delivered to the mock brokers`);
      return acked;
    },
  };
}

/** Pacer, payload and rotation alone: every message is dropped where it would be handed to librdkafka. */
export function openIdleRig(order: RigOrder): GeneratorRig {
  const job = jobOf(order);
  const settings = {
    client: job.client,
    topic: job.topic,
    schedule: job.schedule,
    rotation: rotationRule(job),
    producersOfTrial: RIG_PRODUCERS,
    source: makeMessageSource(job.messages, job.messageBytes, batchBytesOf(job.client), job.seed),
    connectTimeoutMs: PATIENCE_MS,
    acceptedByPartition: Array.from({ length: MOCK_PARTITIONS }, () => 0),
    errors: {},
    onDelivered: null,
  };
  const counts: LaneCount[] = [];
  const lanes = Array.from({ length: RIG_PRODUCERS }, (_, producer): ProducerLane => {
    const count: LaneCount = { accepted: 0, failed: 0, queueFull: 0 };
    counts.push(count);
    return {
      ...count,
      send: makeSend(() => 0, { ...settings, producer }, count, producer / RIG_PRODUCERS),
      lateMs: () => 0,
      poll: () => {},
      drain: async () => {},
      isTimed: false,
      unreported: 0,
      snapshots: [],
    };
  });
  let isStopped = false;
  return {
    stop: () => {
      isStopped = true;
    },
    run: async (startAtMs) => {
      const sampler = startGridSampler(lanes);
      const times = { startMachineMs: startAtMs, startRunMs: startAtMs };
      await sendBySchedule({ lanes, schedule: job.schedule, ...times, sampler, isStopped: () => isStopped });
      return counts.reduce((sum, { accepted }) => sum + accepted, 0);
    },
  };
}

function jobOf({ messageBytes, schedule }: RigOrder): LoadJob {
  return {
    kind: 'produce',
    runId: 'calibration',
    epoch: 1,
    workerId: 'calibration',
    shard: 0,
    producers: RIG_PRODUCERS,
    firstProducer: 0,
    producersOfTrial: RIG_PRODUCERS,
    timedProducers: 0,
    schedule,
    messageBytes,
    messages: PLAIN_MESSAGES,
    topic: TOPIC,
    partitions: MOCK_PARTITIONS,
    client: MOCK_CLIENT,
    startTimeoutMs: PATIENCE_MS,
    drainTimeoutMs: PATIENCE_MS,
    seed: 1,
  };
}

/** How the start is told to a rig: a moment ahead, so that all its producers are there. */
export function soonMs(): number {
  return machineNowMs() + 30;
}
