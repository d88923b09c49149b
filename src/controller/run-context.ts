import type { MessageRecipe } from '../../boundary/payload/message-recipe.ts';
import type { SignalsRead } from '../../boundary/trial.ts';
import type { Config } from '../config/schema.ts';
import type { KafkaConnection } from '../kafka/kafka-connection.ts';
import type { LoadQueue } from '../queue/load-queue.ts';
import type { BrokerPoller } from '../signals/broker-poller.ts';
import type { ClusterTrouble } from './cluster-trouble.ts';
import type { PlannedLoad, WrittenLoad } from './disk-guard.ts';
import type { TopicForLoad } from './load-topics.ts';
import type { RunObserver } from './run-event.ts';
import type { SignalTiming } from './signal-timing.ts';

/** What every trial of a run works with. */
export interface RunContext {
  readonly runId: string;
  readonly config: Config;
  /** What every message looks like. */
  readonly messages: MessageRecipe;
  readonly kafka: KafkaConnection;
  readonly queue: LoadQueue;
  readonly poller: BrokerPoller;
  readonly signals: SignalsRead;
  readonly timing: SignalTiming;
  readonly brokerIds: readonly number[];
  /** Those that are looked at: all, or none when the run goes without their signals. */
  readonly watchedIds: readonly number[];
  /** Idle of each broker without load, by broker id: what settling is measured against. */
  readonly restingIdle: Readonly<Record<string, number>>;
  /** Bytes per second that come in at all brokers without this run; null when their pages do not tell. */
  readonly restingBytesInPerSecond: number | null;
  /** Partitions that were in trouble before the run did anything: a load is offered only when there are no more. */
  readonly troubleAtStart: ClusterTrouble;
  readonly observe: RunObserver;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** A number above all that this run used before; fences off leftovers. */
  nextEpoch(): number;
  /** The topic to load, with room for the load on the disks; made anew when it cannot be measured any more. */
  topicFor(load: PlannedLoad): Promise<TopicForLoad>;
  /** Notes what was written into it. */
  wrote(load: WrittenLoad): void;
}
