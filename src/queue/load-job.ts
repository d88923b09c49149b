import type { WorkerCapacity } from '../../boundary/fleet-capacity.ts';
import type { LoadSchedule } from '../../boundary/load-schedule.ts';
import type { MessageRecipe } from '../../boundary/payload/message-recipe.ts';
import type { GroupMember } from '../../boundary/reader-split.ts';
import type { ReaderReport, ReaderTick, ShardReport, ShardTick } from '../../boundary/trial.ts';

/** librdkafka properties by librdkafka's own names. */
export type ClientProperties = Readonly<Record<string, string | number | boolean>>;

/** What every job of a trial or probe says. The whole job is data; nothing is looked up. */
interface ShardOrder {
  readonly runId: string;
  /** Fences off leftovers: every dispatch of a run has a higher epoch than the one before. */
  readonly epoch: number;
  /** The worker that is to run it; no other one takes it. */
  readonly workerId: string;
  /** Number of the job within its trial, over producers and consumers. */
  readonly shard: number;
  readonly schedule: LoadSchedule;
  readonly topic: string;
  readonly partitions: number;
  /** Broker addresses, security and the settings of producers or consumers, ready for librdkafka. */
  readonly client: ClientProperties;
  /** Longest wait for ready and start before the child gives up, ms. */
  readonly startTimeoutMs: number;
  /** After the stop, how long the queues may take to empty, ms. */
  readonly drainTimeoutMs: number;
}

/** What one worker needs to carry its share of the producers. */
export interface LoadJob extends ShardOrder {
  readonly kind: 'produce';
  /** Producers of this shard, and the number of the first one within the whole trial (sets phase and start partition). */
  readonly producers: number;
  readonly firstProducer: number;
  readonly producersOfTrial: number;
  readonly messageBytes: number;
  readonly messages: MessageRecipe;
  /** Producers of this shard, the first ones, that tell the latency of each of their messages. */
  readonly timedProducers: number;
  /** Seed of the payload. */
  readonly seed: number;
}

/** Members of consumer groups that one worker reads with. */
export interface ReadJob extends ShardOrder {
  readonly kind: 'consume';
  readonly members: readonly GroupMember[];
  readonly from: ReadFrom;
}

/** `end`: what is sent from now on; `beginning`: first all that the topic holds (catch-up read). */
export type ReadFrom = 'end' | 'beginning';

export type ShardJobData = LoadJob | ReadJob;

/** What a shard that ended well leaves behind. */
export type FinishedShard = Exclude<ShardOutcome, { kind: 'lost' }>;

/** A worker as its heartbeat shows it. */
export interface WorkerInfo {
  readonly workerId: string;
  readonly host: string;
  readonly pid: number;
  /** Load jobs that it runs at once. */
  readonly concurrency: number;
  readonly librdkafkaVersion: string;
  /** What it can offer, as it measured itself; null before that. */
  readonly capacity: WorkerCapacity | null;
}

/** How a shard is doing, from the job's progress. */
export interface ShardProgress {
  readonly shard: number;
  readonly kind: ShardJobData['kind'];
  /** `sending` is reading for a job of consumers. */
  readonly phase: 'waiting' | 'ready' | 'sending' | 'draining';
  /** Newest ticks, of a job of its kind; null before the first. */
  readonly lastTick: ShardTick | null;
  readonly lastRead: ReaderTick | null;
  /** Age of the newest sign of life, ms. */
  readonly silentMs: number;
}

/** How a shard ended. */
export type ShardOutcome =
  | { readonly kind: 'report'; readonly report: ShardReport }
  | { readonly kind: 'readers'; readonly report: ReaderReport }
  | { readonly kind: 'lost'; readonly shard: number; readonly reason: string };
