import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { PlimsollError } from '../errors.ts';
import { findFreePorts } from '../process/free-ports.ts';
import { acquireLock } from '../process/lock-file.ts';
import { makeFolder } from '../process/make-folder.ts';
import { identifyProcess } from '../process/process-identity.ts';
import { type AwaitedNode, awaitReady } from './await-ready.ts';
import { type ClientListenerOptions, makeListenerSecret } from './client-listener.ts';
import { lockFile } from './cluster-layout.ts';
import { type ClusterState, readClusterState, writeClusterState } from './cluster-state.ts';
import { defaultJarsDirectory, ensureJars, type KafkaJars } from './jars.ts';
import { requireJava } from './java.ts';
import { formatNode, startNode } from './kafka-node.ts';
import {
  DEFAULT_BROKER_COUNT,
  DEFAULT_KAFKA_VERSION,
  DEFAULT_REPLICA_LAG_TIME_MAX_MS,
  type LocalCluster,
  type LocalClusterOptions,
} from './local-cluster.ts';
import { type NodePlan, plannedNodes } from './planned-nodes.ts';
import { describeCluster, findRunningCluster } from './running-cluster.ts';
import { removeCluster, removeIfEmpty, stopLocalCluster } from './stop-local-cluster.ts';

const LOCK_WAIT_MS = 180_000;

/** What a start needs to know, with all defaults filled in. */
interface StartPlan extends NodePlan {
  readonly brokers: number;
  readonly kafkaVersion: string;
  readonly isBound: boolean;
  readonly isCombined: boolean;
  readonly clients: ClientListenerOptions | null;
  readonly jars: KafkaJars;
  readonly onProgress: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}

/**
 * Starts a real Kafka on loopback (one KRaft controller, N brokers with metrics pages), or finds the one that already runs in
 * the directory, whatever its exporters. Returns when every broker serves clients and metrics. Two starts at once: one waits and finds the other's.
 * @throws PlimsollError TOOL_MISSING (Java, Maven), CONFIG_INVALID (version), CLUSTER_BUSY, CLUSTER_FAILED, CANCELLED; nothing
 * is left running then, the logs stay for reading.
 */
export async function startLocalCluster(options: LocalClusterOptions): Promise<LocalCluster> {
  const directory = resolve(options.directory);
  const kafkaVersion = options.kafkaVersion ?? DEFAULT_KAFKA_VERSION;
  const brokers = options.brokers ?? DEFAULT_BROKER_COUNT;
  if (!Number.isSafeInteger(brokers) || brokers < 1 || brokers > 9) {
    throw new PlimsollError('CONFIG_INVALID', `A local cluster has 1 to 9 brokers, not ${brokers}.`);
  }
  const onProgress = options.onProgress ?? (() => {});
  await requireJava();
  const jars = await ensureJars(
    kafkaVersion,
    options.jarsDirectory ?? defaultJarsDirectory(kafkaVersion),
    onProgress,
  );
  makeFolder(directory);
  const lock = await acquireLock(lockFile(directory), LOCK_WAIT_MS, (pid) =>
    onProgress(`Process ${pid} is starting or stopping this cluster; waiting for it ...`),
  );
  if (lock === null)
    throw new PlimsollError('CLUSTER_BUSY', `Another process keeps the cluster in ${directory} locked.`);
  try {
    const running = findRunningCluster(directory, readClusterState(directory), { kafkaVersion, brokers });
    if (running !== null) return running;
    await removeCluster(directory);
    return await startFresh({
      directory,
      brokers,
      kafkaVersion,
      isBound: !options.keepRunning,
      replicaLagTimeMaxMs: options.replicaLagTimeMaxMs ?? DEFAULT_REPLICA_LAG_TIME_MAX_MS,
      exporters: options.exporters ?? [],
      javaAgents: options.javaAgents ?? [],
      isCombined: options.isCombined ?? false,
      clients: options.clients ?? null,
      dataFolders: options.dataFolders ?? {},
      jars,
      onProgress,
      signal: options.signal,
    });
  } finally {
    lock.release();
    removeIfEmpty(directory);
  }
}

async function startFresh(plan: StartPlan): Promise<LocalCluster> {
  const state = await planState(plan);
  writeClusterState(plan.directory, state);
  try {
    await formatAll(plan, state);
    const nodes = await startAll(plan, state);
    await awaitReady(nodes, plan.signal, ({ place }) => {
      if (place.role === 'broker') plan.onProgress(`Broker ${place.id} is ready.`);
    });
    state.phase = 'running';
    writeClusterState(plan.directory, state);
  } catch (error) {
    const isCancelled = error instanceof PlimsollError && error.code === 'CANCELLED';
    await removeCluster(plan.directory, isCancelled ? 'everything' : 'all but logs');
    throw error;
  }
  return describeCluster(plan.directory, state, false, async () => {
    await stopLocalCluster(plan.directory);
  });
}

async function planState(plan: StartPlan): Promise<ClusterState> {
  const { clients } = plan;
  const perBroker = 2 + plan.javaAgents.length + (clients ? 1 : 0);
  const [controllerPort = 0, ...ports] = await findFreePorts(1 + perBroker * plan.brokers);
  return {
    phase: 'starting',
    kafkaVersion: plan.kafkaVersion,
    owner: plan.isBound ? identifyProcess(process.pid) : null,
    isCombined: plan.isCombined,
    clients: clients && {
      advertisedPorts: clients.kind === 'forwarded' ? [...clients.advertisedPorts] : null,
      secret: clients.kind === 'secured' ? await makeListenerSecret(plan.directory) : null,
    },
    controller: { process: null, port: controllerPort },
    brokers: Array.from({ length: plan.brokers }, (_, index) => {
      const own = ports.slice(index * perBroker, (index + 1) * perBroker);
      const clientPort = clients ? (own.pop() ?? 0) : null;
      const [port = 0, metricsPort = 0, ...agentPorts] = own;
      return { id: index + 1, process: null, port, metricsPort, agentPorts, clientPort };
    }),
  };
}

async function formatAll(plan: StartPlan, state: ClusterState): Promise<void> {
  const nodeCount = plan.brokers + (plan.isCombined ? 0 : 1);
  plan.onProgress(`Formatting ${nodeCount} Kafka ${plan.kafkaVersion} nodes (a few seconds) ...`);
  // Kafka reads an id that begins with "-" as an option.
  const clusterId = `P${randomBytes(16).toString('base64url').slice(1)}`;
  await Promise.all(plannedNodes(plan, state).map((node) => formatNode(node, clusterId, plan.jars)));
}

async function startAll(plan: StartPlan, state: ClusterState): Promise<readonly AwaitedNode[]> {
  plan.onProgress(`Starting ${nodesInWords(plan)} (usually 5 to 20 s) ...`);
  const nodes: AwaitedNode[] = [];
  for (const { place, entry, metrics } of plannedNodes(plan, state)) {
    const child = await startNode(place, plan.jars, metrics, plan.isBound);
    entry.process = identifyProcess(child.pid);
    writeClusterState(plan.directory, state);
    const { port } = entry;
    nodes.push({ place, port, metricsPort: metrics?.port ?? null, hasExited: () => child.hasExited() });
  }
  return nodes;
}

function nodesInWords(plan: StartPlan): string {
  const brokers = `${plan.brokers} ${plan.brokers === 1 ? 'broker' : 'brokers'}`;
  return plan.isCombined ? `${brokers}, the first one as controller too` : `1 controller and ${brokers}`;
}
