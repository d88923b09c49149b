import type { Config } from '../config/schema.ts';
import { type BrokerDisks, UNSEEN_DISKS } from '../controller/disk-guard.ts';
import { PlimsollError } from '../errors.ts';
import { clusterStatus } from '../local-cluster/cluster-status.ts';
import { DEFAULT_REPLICA_LAG_TIME_MAX_MS } from '../local-cluster/local-cluster.ts';
import { freeBytesOfEach } from '../local-cluster/local-disks.ts';
import { clusterDirectory } from './cluster.ts';

/**
 * Fsync after every batch: makes the request handlers the limit of a small machine, as slow disks are on a big one, while
 * the two cores still have room. The demo's speed, not Kafka's. Measured beside 2, 5 and 10: with 1 the idle ratio falls
 * steepest at the limit, so that one trial tells most.
 */
export const LOCAL_FLUSH_MESSAGES = 1;

/** What a local cluster is measured with, where the user set nothing else. */
export interface LocalAddress {
  readonly bootstrap: string;
  readonly metricsUrls: Readonly<Record<string, string>>;
}

/** Points a configuration without addresses at the local cluster of its home; others are returned as they are. */
export function withLocalCluster(config: Config): Config {
  const status = clusterStatus(clusterDirectory(config.home));
  const isRunning = status.condition === 'running';
  const isMeant = config.bootstrap.length === 0 || config.bootstrap.join() === status.bootstrap;
  if (!isMeant || !isRunning) {
    if (config.bootstrap.length > 0) return config;
    throw new PlimsollError(
      'CONFIG_INVALID',
      'no cluster given: use --bootstrap HOST:PORT, or start one here with: plimsoll cluster up',
    );
  }
  const metricsUrls = Object.fromEntries(
    status.nodes.flatMap((node) => (node.metricsUrl ? [[String(node.id), node.metricsUrl]] : [])),
  );
  return localConfig(config, { bootstrap: status.bootstrap ?? '', metricsUrls });
}

/** Lays the local cluster's addresses and its way of being slow under what the user set. */
export function localConfig(config: Config, local: LocalAddress): Config {
  const hasMetrics = Object.keys(config.metrics).length > 0;
  return {
    ...config,
    bootstrap: local.bootstrap.split(','),
    metrics: hasMetrics ? config.metrics : { ...local.metricsUrls },
    replicaLagTimeMaxMs: Math.min(config.replicaLagTimeMaxMs, DEFAULT_REPLICA_LAG_TIME_MAX_MS),
    topic: { ...config.topic, config: { 'flush.messages': LOCAL_FLUSH_MESSAGES, ...config.topic.config } },
  };
}

/** The disks of the local cluster, when that is what is measured; those of another one nobody sees. */
export function brokerDisks({ bootstrap, home }: Config): BrokerDisks {
  const directory = clusterDirectory(home);
  const status = clusterStatus(directory);
  if (status.bootstrap === null || bootstrap.join() !== status.bootstrap) return UNSEEN_DISKS;
  const brokers = status.nodes.filter(({ role }) => role === 'broker').length;
  return { leastFreeBytes: () => freeBytesOfEach(directory, brokers) };
}
