import type { BrokerPoll } from './broker-reading.ts';
import type { ClusterRisk } from './cluster-risk.ts';
import type { AckLatency, LatencyCounts } from './latency.ts';

/**
 * The words of one trial. A trial offers one load for one window and ends in one verdict.
 * Times called `...AtMs` are milliseconds on the run's clock (Redis time); everything is JSON-safe.
 */

/** Why the search asked for a trial; shown to people, stored with the trial. */
export type TrialPurpose =
  | 'gallop'
  | 'bisect'
  | 'confirm-lower'
  | 'confirm-upper'
  | 'tie-break'
  /** A load of this run again, to tell a trend of the cluster from noise. */
  | 'reference'
  /** A found bound for long: what holds for a window need not last. */
  | 'hold';

/** What is offered: np producers, each sending `unitRate` messages per second of `messageBytes` bytes. */
export interface TrialPlan {
  readonly trialId: string;
  readonly messageBytes: number;
  readonly np: number;
  /** Messages per second of one producer. */
  readonly unitRate: number;
  readonly warmUpMs: number;
  readonly windowMs: number;
  readonly purpose: TrialPurpose;
}

/** The measured window on the run's clock; warm-up left out. */
export interface Window {
  readonly startAtMs: number;
  readonly endAtMs: number;
}

/**
 * A shard's cumulative counts at one instant of the run's clock, once a second, plus what the last second
 * looked like from inside the generator. Counts are messages since the shard started.
 */
export interface ShardTick {
  readonly atMs: number;
  /** What the schedule asked for: producers x unit rate x time. Never what the client managed. */
  readonly offered: number;
  /** Taken by librdkafka's queue. */
  readonly accepted: number;
  /** accepted - failed - still in librdkafka, from one statistics snapshot per producer. */
  readonly acked: number;
  readonly failed: number;
  /** Messages still in librdkafka's queues. */
  readonly queued: number;
  /** produce() refused because the client queue was full, cumulative. */
  readonly queueFull: number;
  /** Wait for the socket plus broker round trip, p99 of the last second in ms; null when nothing came back. */
  readonly roundTripP99Ms: number | null;
  /** Largest broker throttle time reported in the last second, ms. */
  readonly throttleMs: number;
  /** Largest lateness of the pacer in the last second, ms. */
  readonly pacerLateMs: number;
  /** Largest event-loop delay of the last second, ms. */
  readonly loopLagMs: number;
  /** CPU of the child process over the last second, in cores (1 = one core). */
  readonly cpuCores: number;
  /** Share of the last second in which the busiest thread ran or waited for a core, 0..1; missing where the system does not tell. */
  readonly busiestThreadRatio?: number;
  /** Share of the last second in which that thread waited for a core, or for its quota of CPU. */
  readonly cpuWaitRatio?: number;
  /** Share of the last second in which the cores of the machine had nothing to do. */
  readonly hostIdleRatio?: number;
  /** Bytes of record batches put into requests since the start, as brokers count bytes in; missing where nobody counted. */
  readonly sentBytes?: number;
}

/** What a shard leaves behind when it has drained or given up. */
export interface ShardReport {
  readonly shard: number;
  readonly workerId: string;
  readonly producers: number;
  /** Lateness of the first send against the common start, ms. */
  readonly startedLateMs: number;
  readonly ticks: readonly ShardTick[];
  /** Totals after the drain, messages. */
  readonly accepted: number;
  readonly acked: number;
  readonly failed: number;
  /** Messages given up in the client's queue when the drain ran out of time. */
  readonly undelivered: number;
  /** Messages handed to each partition, indexed by partition. */
  readonly acceptedByPartition: readonly number[];
  /** Delivery errors by librdkafka's name, with counts. */
  readonly errors: Readonly<Record<string, number>>;
  readonly librdkafkaVersion: string;
  /** Cores that its process may use, by affinity and cgroup; missing where the system does not tell. */
  readonly allowedCores?: number;
  /** Send time asked for to acknowledgement, of messages that fell due in the window; missing when none was timed. */
  readonly ackLatency?: AckLatency;
  /** How unsure the run clock of its worker is, ms; missing in runs of older programs. */
  readonly clockErrorMs?: number;
}

/** What a job of consumers has done, and how its process fared in the last second; once a second, on the run's clock. */
export interface ReaderTick {
  readonly atMs: number;
  /** As in ShardTick. */
  readonly cpuCores: number;
  readonly busiestThreadRatio?: number;
  readonly cpuWaitRatio?: number;
  readonly hostIdleRatio?: number;
  readonly loopLagMs: number;
  readonly throttleMs: number;
  /** Offsets of single partitions that the members have committed, cumulative: they are bytes that come in at the brokers. */
  readonly committed: number;
  readonly groups: readonly GroupTick[];
}

/** Cumulative counts of one group's members in one job. */
export interface GroupTick {
  readonly group: string;
  readonly consumed: number;
  readonly consumedBytes: number;
  /** Messages in the members' partitions since their first position that were not consumed; null while an end is unknown. */
  readonly lag: number | null;
  /** Messages fetched from the brokers that wait in the client: near 0 unless the process itself is the slow one. */
  readonly fetched: number;
}

/** What a job of consumers leaves behind. */
export interface ReaderReport {
  readonly shard: number;
  readonly workerId: string;
  readonly members: number;
  readonly startedLateMs: number;
  readonly ticks: readonly ReaderTick[];
  /** Send time asked for to consumption, of messages sent in the window; missing when none was timed. */
  readonly consumeLatency?: LatencyCounts;
  /** How unsure the run clock of its worker is, ms. */
  readonly clockErrorMs?: number;
  readonly errors: Readonly<Record<string, number>>;
}

/** Whether the brokers' own signals were read; `none` only when asked for by name, never for want of an answer. */
export type SignalsRead = 'brokers' | 'none';

/** Everything a verdict may look at. */
export interface TrialEvidence {
  readonly plan: TrialPlan;
  readonly window: Window;
  readonly shards: readonly ShardReport[];
  readonly shardsExpected: number;
  /** Of the consumer groups' jobs; missing when there are no groups. */
  readonly readers?: readonly ReaderReport[];
  readonly readersExpected?: number;
  readonly signals: SignalsRead;
  readonly polls: readonly BrokerPoll[];
  readonly pollIntervalMs: number;
  /** Under-replicated partitions per broker before the trial, by broker id. */
  readonly underReplicatedBefore: Readonly<Record<string, number>>;
  readonly cluster: ClusterCheck;
  /** Growth of the topic's end offsets over the whole trial, messages; null when it could not be read. */
  readonly endOffsetGrowth: number | null;
  /** Uncertainty of the run's clock, ms. */
  readonly clockErrorMs: number;
  /** Bytes that came in per second at all brokers before the run loaded them; missing when the pages do not tell. */
  readonly restingBytesInPerSecond?: number;
  /** What the load put at risk, for which it was stopped; missing when nothing. */
  readonly risk?: ClusterRisk;
  /** What the brokers' pace in the window is compared with; missing: the window's own halves with each other. */
  readonly pacedBy?: Window;
}

/** State of brokers and topic as Kafka's metadata tells it after the window. */
export interface ClusterCheck {
  readonly expectedBrokerIds: readonly number[];
  readonly answeringBrokerIds: readonly number[];
  readonly isTopicPresent: boolean;
  /** Leaders of the topic's partitions, count per broker id. */
  readonly leadersByBroker: Readonly<Record<string, number>>;
}
