import { scheduleMs } from '../boundary/load-schedule.ts';
import type { RotationRule } from '../boundary/partition-rotation.ts';
import { largestMessageBytes } from '../boundary/payload/largest-message.ts';
import type { ClientProperties, LoadJob } from '../src/queue/load-job.ts';

/** librdkafka's defaults (CONFIGURATION.md) of what the rotation depends on. */
const DEFAULT_LINGER_MS = 5;
const DEFAULT_BATCH_BYTES = 1_000_000;

const CHILD_QUEUE_KBYTES = 1_000_000;
const SMALLEST_QUEUE_KBYTES = 4_096;
const SPARE_MS = 10_000;

/**
 * librdkafka properties of each producer of a job: the job's own, with queue limits that keep all producers of the
 * child together under about 1 GB, and a message timeout beyond the trial, so that a slow broker shows as a queue
 * and not as failed messages. Statistics and delivery reports are always the child's. Everything else of the job's is
 * librdkafka's: acks 0, 1 and all, every codec it was built with, idempotence, TLS and SASL.
 */
export function producerProperties(job: LoadJob): ClientProperties {
  const share = Math.floor(CHILD_QUEUE_KBYTES / Math.max(1, job.producers));
  const largestBytes = largestMessageBytes(job.messages, job.messageBytes);
  const needed = Math.ceil((8 * largestBytes) / 1_024);
  const lingerMs = lingerOf(job.client);
  return {
    'message.max.bytes': Math.min(1_000_000_000, Math.max(1_000_000, largestBytes + 1_000)),
    'queue.buffering.max.kbytes': Math.min(2_097_151, Math.max(SMALLEST_QUEUE_KBYTES, needed, share)),
    'queue.buffering.max.messages': 1_000_000,
    'message.timeout.ms': Math.ceil(scheduleMs(job.schedule) + job.drainTimeoutMs + lingerMs + SPARE_MS),
    ...job.client,
    dr_cb: true,
    'statistics.interval.ms': 1_000,
  };
}

/** How the job's producers walk over the partitions. */
export function rotationRule(job: LoadJob): RotationRule {
  return {
    partitions: job.partitions,
    dwellMs: 2 * lingerOf(job.client),
    batchBytes: batchBytesOf(job.client),
  };
}

/** batch.size of a client, bytes. */
export function batchBytesOf(client: ClientProperties): number {
  return Number(client['batch.size'] ?? DEFAULT_BATCH_BYTES);
}

function lingerOf(client: ClientProperties): number {
  return Number(client['linger.ms'] ?? client['queue.buffering.max.ms'] ?? DEFAULT_LINGER_MS);
}
