import { megabytesPerSecond } from './units.ts';

/** Share of the brokers that may be offline while the rest carry everything (Dropbox 2019). */
export const OFFLINE_BROKER_SHARE = 0.2;

/** What to plan with at one message size. Rates are acknowledged payload, before replication. */
export interface SafeThroughput {
  /** What one broker took at the lower bound, MB/s. */
  readonly brokerLimitMegabytesPerSecond: number;
  /** What one broker may be planned with, MB/s. */
  readonly brokerMegabytesPerSecond: number;
  /** What the cluster as measured may be planned with. */
  readonly clusterMegabytesPerSecond: number;
  readonly clusterMessagesPerSecond: number;
}

/**
 * Turns a lower bound into a plan figure: when a share of the brokers is offline the others take over its load, so
 * each may be planned with (1 - share) of its limit only.
 * Source: Dropbox, "Finding Kafka's throughput limit in Dropbox infrastructure" (2019): 60 MB/s x 0.8, about 50.
 *
 * @param messagesPerSecond the largest load confirmed sustained, of the whole cluster.
 * @param offlineShare 0..1.
 * @returns null when there is no broker to divide by.
 */
export function safeThroughput(
  messagesPerSecond: number,
  messageBytes: number,
  brokers: number,
  offlineShare: number = OFFLINE_BROKER_SHARE,
): SafeThroughput | null {
  if (brokers < 1) return null;
  const left = 1 - offlineShare;
  const limit = megabytesPerSecond(messagesPerSecond, messageBytes);
  return {
    brokerLimitMegabytesPerSecond: limit / brokers,
    brokerMegabytesPerSecond: (limit * left) / brokers,
    clusterMegabytesPerSecond: limit * left,
    clusterMessagesPerSecond: messagesPerSecond * left,
  };
}
