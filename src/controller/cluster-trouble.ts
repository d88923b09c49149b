import type { BrokerPoll } from '../../boundary/broker-reading.ts';
import {
  type ClusterRisk,
  findLeaderless,
  findRisk,
  leaderless,
  type TroubleByBroker,
  troubleOf,
} from '../../boundary/cluster-risk.ts';
import type { KafkaMetadata } from '../kafka/kafka-connection.ts';

/** Partitions of the whole cluster that are in trouble at one moment: what a load must not add to. */
export interface ClusterTrouble {
  readonly byBroker: TroubleByBroker;
  /** Partitions without a leader, as `topic/partition`. */
  readonly leaderless: ReadonlySet<string>;
}

/** Reads the trouble off a look at every broker and Kafka's metadata. */
export function clusterTrouble(polls: readonly BrokerPoll[], { topics }: KafkaMetadata): ClusterTrouble {
  return { byBroker: troubleOf(polls), leaderless: new Set(leaderless(topics)) };
}

/** What is worse now than it was; null when nothing is, or nobody knows. */
export function newTrouble(
  polls: readonly BrokerPoll[],
  { topics }: KafkaMetadata,
  before: ClusterTrouble,
  since: string,
): ClusterRisk | null {
  return (
    findRisk(polls, before.byBroker, since) ?? findLeaderless(leaderless(topics), before.leaderless, since)
  );
}
