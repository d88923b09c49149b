import type { LoadSchedule } from '../../boundary/load-schedule.ts';
import type { MessageRecipe } from '../../boundary/payload/message-recipe.ts';
import type { ReaderReport, ShardReport, ShardTick } from '../../boundary/trial.ts';

/** librdkafka properties by librdkafka's own names. */
export type ClientProperties = Readonly<Record<string, string | number | boolean>>;

/** What every job of a trial or probe says. The whole job is data; nothing is looked up. */
interface ShardOrder {
  readonly runId: string;
  /** Fences off leftovers: every dispatch of a run has a higher epoch than the one before. */
  readonly epoch: number;
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

/** One consumer: it reads the partitions p with p % membersOfGroup = member. */
export interface GroupMember {
  /** group.id; starts with `plimsoll-`. */
  readonly group: string;
  readonly member: number;
  readonly membersOfGroup: number;
}

/** `end`: what is sent from now on; `beginning`: first all that the topic holds (catch-up read). */
export type ReadFrom = 'end' | 'beginning';

export type ShardJobData = LoadJob | ReadJob;

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

/** What a worker's machine can offer, by message size: rates between the sizes follow on a straight line in logarithms. */
export interface WorkerCapacity {
  /** Cores that load children may fill. */
  readonly cores: number;
  readonly rates: readonly CapacityRate[];
}

export interface CapacityRate {
  readonly messageBytes: number;
  /** Messages per second of one load child with one core. */
  readonly messagesPerSecond: number;
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
  | { readonly kind: 'readers'; readonly report: ReaderReport }
  | { readonly kind: 'lost'; readonly shard: number; readonly reason: string };
