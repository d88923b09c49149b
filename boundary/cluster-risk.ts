import type { BrokerPoll, BrokerReading } from './broker-reading.ts';
import { readingsByBroker } from './polls.ts';

/** Partitions of a broker that may not be written to, or not at all be used. Null = not shown. */
export interface PartitionTrouble {
  readonly underMinIsr: number | null;
  readonly offline: number | null;
}

/** By broker id. */
export type TroubleByBroker = Readonly<Record<string, PartitionTrouble>>;

/** What a load does to others on the cluster, so that it has to stop. */
export interface ClusterRisk {
  /** The broker that shows it; null when Kafka's metadata does. */
  readonly brokerId: number | null;
  /** One phrase: what is worse than before the load. */
  readonly detail: string;
}

/** A topic's partitions as Kafka's metadata tells them; leader -1 = none. */
export interface TopicLeaders {
  readonly name: string;
  readonly partitions: readonly { readonly id: number; readonly leader: number }[];
}

/** Troubled partitions of every broker that answered, as of its newest reading. */
export function troubleOf(polls: readonly BrokerPoll[]): TroubleByBroker {
  const byBroker: Record<string, PartitionTrouble> = {};
  for (const [brokerId, readings] of readingsByBroker(polls)) {
    const newest = readings.at(-1);
    if (newest) byBroker[String(brokerId)] = troubleIn(newest);
  }
  return byBroker;
}

/**
 * What the newest reading of a broker shows that was not so before: more partitions with fewer in-sync replicas than
 * `min.insync.replicas` (producers with acks=all are refused there), or more that are offline. Where the level before is
 * not known, the first reading that shows one stands for it: replicas fall behind seconds after a load starts.
 *
 * @param polls since the load started.
 * @param since what the levels were before, in words: "before the load".
 */
export function findRisk(
  polls: readonly BrokerPoll[],
  before: TroubleByBroker,
  since: string,
): ClusterRisk | null {
  for (const [brokerId, readings] of readingsByBroker(polls)) {
    for (const { kind, text } of KINDS) {
      const shown = readings.flatMap((reading) => troubleIn(reading)[kind] ?? []);
      const level = before[String(brokerId)]?.[kind] ?? shown[0];
      const now = shown.at(-1);
      if (level === undefined || now === undefined || now <= level) continue;
      const partitions = now === 1 ? '1 partition' : `${now} partitions`;
      return { brokerId, detail: `broker ${brokerId} has ${partitions} ${text}, ${level} ${since}` };
    }
  }
  return null;
}

/** Partitions without a leader, as `topic/partition`. */
export function leaderless(topics: readonly TopicLeaders[]): string[] {
  return topics.flatMap(({ name, partitions }) =>
    partitions.filter(({ leader }) => leader < 0).map(({ id }) => `${name}/${id}`),
  );
}

/** Partitions that lost their leader; null when none did. */
export function findLeaderless(
  now: readonly string[],
  before: ReadonlySet<string>,
  since: string,
): ClusterRisk | null {
  const lost = now.filter((partition) => !before.has(partition));
  if (lost.length === 0) return null;
  const others = lost.length === 1 ? '' : ` and ${lost.length - 1} more`;
  return {
    brokerId: null,
    detail: `partition ${lost[0]}${others} ${lost.length === 1 ? 'has' : 'have'} no leader, had one ${since}`,
  };
}

const KINDS = [
  { kind: 'underMinIsr', text: 'under min ISR' },
  { kind: 'offline', text: 'offline' },
] as const satisfies readonly { kind: keyof PartitionTrouble; text: string }[];

function troubleIn(reading: BrokerReading): PartitionTrouble {
  return { underMinIsr: reading.underMinIsrPartitions, offline: reading.offlinePartitions };
}
