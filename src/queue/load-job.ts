import type { LoadSchedule } from '../../boundary/load-schedule.ts';
import type { ShardReport, ShardTick } from '../../boundary/trial.ts';

/** librdkafka properties by librdkafka's own names. */
export type ClientProperties = Readonly<Record<string, string | number | boolean>>;

/** What one worker needs to carry its share of a trial or probe. The whole job is data; nothing is looked up. */
export interface LoadJob {
  readonly runId: string;
  /** Fences off leftovers: every dispatch of a run has a higher epoch than the one before. */
  readonly epoch: number;
  readonly shard: number;
  /** Producers of this shard, and the number of the first one within the whole trial (sets phase and start partition). */
  readonly producers: number;
  readonly firstProducer: number;
  readonly producersOfTrial: number;
  readonly schedule: LoadSchedule;
  readonly messageBytes: number;
  readonly topic: string;
  readonly partitions: number;
  /** Broker addresses, security and producer settings, ready for librdkafka. */
  readonly client: ClientProperties;
  /** Longest wait for ready and start before the child gives up, ms. */
  readonly startTimeoutMs: number;
  /** After the stop, how long the queues may take to empty, ms. */
  readonly drainTimeoutMs: number;
  /** Seed of the payload. */
  readonly seed: number;
}

/** A worker as its heartbeat shows it. */
export interface WorkerInfo {
  readonly workerId: string;
  readonly host: string;
  readonly pid: number;
  /** Load jobs that it runs at once. */
  readonly concurrency: number;
  readonly librdkafkaVersion: string;
}

/** How a shard is doing, from the job's progress. */
export interface ShardProgress {
  readonly shard: number;
  readonly phase: 'waiting' | 'ready' | 'sending' | 'draining';
  readonly lastTick: ShardTick | null;
  /** Age of the newest sign of life, ms. */
  readonly silentMs: number;
}

/** How a shard ended. */
export type ShardOutcome =
  | { readonly kind: 'report'; readonly report: ShardReport }
  | { readonly kind: 'lost'; readonly shard: number; readonly reason: string };
