import { resolve } from 'node:path';
import { isAlive } from '../process/process-identity.ts';
import { CONTROLLER_ID, nodePlace } from './cluster-layout.ts';
import { type ClusterState, readClusterState } from './cluster-state.ts';
import { logTail } from './log-tail.ts';

const TAIL_LINES = 8;

/** One Kafka process as it is now. */
export interface NodeStatus {
  readonly id: number;
  readonly role: 'controller' | 'broker';
  readonly pid: number | null;
  readonly port: number;
  readonly metricsUrl: string | null;
  readonly isAlive: boolean;
  /** The end of a crashed node's log; empty while it lives. */
  readonly logEnd: readonly string[];
}

/** The local cluster in a directory as it is now. */
export interface ClusterStatus {
  /** `running`: all alive; `crashed`: some or all are not; `damaged`: the state file cannot be read. */
  readonly condition: 'absent' | 'damaged' | 'starting' | 'running' | 'crashed';
  readonly kafkaVersion: string | null;
  readonly bootstrap: string | null;
  /** The process whose end ends the cluster, while it lives. */
  readonly ownerPid: number | null;
  readonly nodes: readonly NodeStatus[];
}

/** Looks at the local cluster in `directory`: which of its processes live, and how the log of a dead one ends. */
export function clusterStatus(directory: string): ClusterStatus {
  const state = readClusterState(resolve(directory));
  if (state === null || state === 'damaged') {
    const condition = state === null ? 'absent' : 'damaged';
    return { condition, kafkaVersion: null, bootstrap: null, ownerPid: null, nodes: [] };
  }
  const nodes = nodeStatuses(resolve(directory), state);
  const condition = nodes.every((node) => node.isAlive) ? state.phase : 'crashed';
  return {
    condition,
    kafkaVersion: state.kafkaVersion,
    bootstrap: bootstrapOf(state),
    ownerPid: state.owner !== null && isAlive(state.owner) ? state.owner.pid : null,
    nodes,
  };
}

/** The bootstrap servers of a cluster, as Kafka clients want them. */
export function bootstrapOf(state: ClusterState): string {
  return state.brokers.map((broker) => `127.0.0.1:${broker.port}`).join(',');
}

/** The address of a broker's metrics page. */
export function metricsUrlOf(metricsPort: number): string {
  return `http://127.0.0.1:${metricsPort}/metrics`;
}

function nodeStatuses(directory: string, state: ClusterState): readonly NodeStatus[] {
  const controller = nodePlace(directory, 'controller', CONTROLLER_ID);
  const controllers = state.isCombined ? [] : [state.controller];
  return [
    ...controllers.map((entry) => ({
      role: 'controller' as const,
      id: CONTROLLER_ID,
      metricsPort: null,
      logFile: controller.logFile,
      ...entry,
    })),
    ...state.brokers.map((broker) => ({
      role: 'broker' as const,
      logFile: nodePlace(directory, 'broker', broker.id).logFile,
      ...broker,
    })),
  ].map(({ role, id, process, port, metricsPort, logFile }) => {
    const alive = process !== null && isAlive(process);
    return {
      id,
      role,
      pid: process?.pid ?? null,
      port,
      metricsUrl: metricsPort === null ? null : metricsUrlOf(metricsPort),
      isAlive: alive,
      logEnd: alive ? [] : logTail(logFile, TAIL_LINES),
    };
  });
}
