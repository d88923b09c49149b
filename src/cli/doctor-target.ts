import { processEnvironment } from '../config/environment.ts';
import { loadConfig } from '../config/load-config.ts';
import { sourceOptionsOf } from '../config/source-options.ts';
import { keptBytes } from '../controller/disk-guard.ts';
import { QUEUE_NAMESPACE } from '../controller/open-session.ts';
import type { DoctorTarget } from '../doctor/doctor-target.ts';
import { clusterStatus } from '../local-cluster/cluster-status.ts';
import { clusterDirectory } from './cluster.ts';
import { withLocalCluster } from './local-defaults.ts';

const TIMEOUT_MS = 5_000;

/** What `plimsoll doctor` looks at: the configuration as `find` would use it; without an address only the pages. */
export function doctorTarget(flags: Readonly<Record<string, unknown>>): DoctorTarget {
  const given = loadConfig({ env: processEnvironment(), flags });
  const hasPagesOnly = given.bootstrap.length === 0 && Object.keys(given.metrics).length > 0;
  const local = clusterDirectory(given.home);
  const isLocalUp = clusterStatus(local).condition === 'running';
  const config =
    hasPagesOnly || (given.bootstrap.length === 0 && !isLocalUp) ? given : withLocalCluster(given);
  const brokers = Math.max(1, Object.keys(config.metrics).length);
  const isLocal = isLocalUp && config.bootstrap.join() === clusterStatus(local).bootstrap;
  return {
    nodeVersion: process.versions.node,
    client:
      config.bootstrap.length === 0
        ? null
        : { ...config.client, 'bootstrap.servers': config.bootstrap.join(',') },
    metrics: config.metrics,
    signals: {
      source: config.signals.source,
      selector: config.signals.selector,
      idle: config.signals.idle,
      options: sourceOptionsOf(config.signals),
    },
    redisUrl: config.redis.url,
    namespace: QUEUE_NAMESPACE,
    home: config.home,
    localClusterDirectory: isLocal ? local : null,
    byteBudget: brokers * Math.min(config.topic.diskBudgetBytes, keptBytes(config.topic, brokers)),
    timeoutMs: TIMEOUT_MS,
  };
}
