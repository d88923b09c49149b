import { PlimsollError } from '../errors.ts';
import { clientProperties } from './client-listener.ts';
import type { ClusterState } from './cluster-state.ts';
import { clusterStatus, metricsUrlOf } from './cluster-status.ts';
import type { LocalCluster } from './local-cluster.ts';

/**
 * Decides what a start does about what is already in the directory.
 * @returns the running cluster to use; null when there is none, or only leftovers that may be removed.
 * @throws PlimsollError CLUSTER_BUSY when it is another kind of cluster or another process's, CLUSTER_FAILED when part of it
 * has crashed.
 */
export function findRunningCluster(
  directory: string,
  state: ClusterState | 'damaged' | null,
  wanted: { readonly kafkaVersion: string; readonly brokers: number },
): LocalCluster | null {
  if (state === null || state === 'damaged') return null;
  const status = clusterStatus(directory);
  const living = status.nodes.filter((node) => node.isAlive);
  if (living.length === 0) return null;
  if (status.ownerPid !== null) {
    throw new PlimsollError(
      'CLUSTER_BUSY',
      `Process ${status.ownerPid} is using the local cluster in ${directory}; wait for it, or choose another --home.`,
    );
  }
  // Its starter was killed in the middle (the caller holds the lock): nobody waits for it to become ready.
  if (state.phase === 'starting') return null;
  const dead = status.nodes.find((node) => !node.isAlive);
  if (dead) {
    const name = dead.role === 'broker' ? `Broker ${dead.id}` : 'The controller';
    throw new PlimsollError(
      'CLUSTER_FAILED',
      `${name} of the local cluster in ${directory} has crashed: ${dead.logEnd.at(-1) ?? 'no log'} (see \`plimsoll cluster status\`; then \`plimsoll cluster down\` and \`up\`)`,
    );
  }
  if (state.kafkaVersion !== wanted.kafkaVersion || state.brokers.length !== wanted.brokers) {
    throw new PlimsollError(
      'CLUSTER_BUSY',
      `The local cluster in ${directory} runs Kafka ${state.kafkaVersion} on ${state.brokers.length} brokers, not ${wanted.kafkaVersion} on ${wanted.brokers}; run \`plimsoll cluster down\` first.`,
    );
  }
  return describeCluster(directory, state, true, async () => {});
}

/** Puts a cluster's state into the shape that callers use. */
export function describeCluster(
  directory: string,
  state: ClusterState,
  isReused: boolean,
  stop: () => Promise<void>,
): LocalCluster {
  return {
    bootstrap: state.brokers.map(({ port }) => `127.0.0.1:${port}`).join(','),
    metricsUrls: Object.fromEntries(
      state.brokers.map(({ id, metricsPort }) => [String(id), metricsUrlOf(metricsPort)]),
    ),
    clients: describeClients(state),
    kafkaVersion: state.kafkaVersion,
    directory,
    brokers: state.brokers.map(({ id, process, port, metricsPort, agentPorts }) => ({
      id,
      pid: process?.pid ?? 0,
      port,
      metricsPort,
      agentPorts,
    })),
    isReused,
    stop,
  };
}

function describeClients({ clients, brokers }: ClusterState): LocalCluster['clients'] {
  if (clients === null) return null;
  const ports = brokers.flatMap(({ clientPort }) => clientPort ?? []);
  return {
    bootstrap: (clients.advertisedPorts ?? ports).map((port) => `127.0.0.1:${port}`).join(','),
    ports,
    properties: clients.secret ? clientProperties(clients.secret) : {},
  };
}
