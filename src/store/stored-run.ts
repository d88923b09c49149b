import type { RunStatus } from '../../boundary/run-document.ts';
import { ownerLiveness, type RunOwner } from './run-owner.ts';

/** The cluster of a run. */
export interface RunCluster {
  readonly bootstrap: readonly string[];
  /** host:port of every broker as the cluster itself tells them; missing in runs of older programs. */
  readonly brokerAddresses?: readonly string[];
  /** Kafka's cluster id; null when it could not be had. */
  readonly clusterId: string | null;
  readonly brokerIds: readonly number[];
  readonly kafkaVersion: string | null;
}

/** What a run starts with. `configuration` must be masked already; `searchConfig` is JSON that only the search reads. */
export interface NewRun {
  readonly cluster: RunCluster;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly searchConfig: unknown;
}

/** A run as the database has it. A run whose owner is gone shows as interrupted, whatever its row says. */
export interface StoredRun extends NewRun {
  readonly runId: string;
  readonly status: RunStatus;
  readonly startedAtMs: number;
  readonly finishedAtMs: number | null;
  readonly error: string | null;
  readonly owner: RunOwner;
  readonly methodVersion: number;
}

export interface RunRow {
  readonly run_id: string;
  readonly started_at_ms: number;
  readonly finished_at_ms: number | null;
  readonly status: RunStatus;
  readonly error: string | null;
  readonly cluster: string;
  readonly owner: string;
  readonly seen_at_ms: number;
  readonly configuration: string;
  readonly environment: string;
  readonly method_version: number;
  readonly search_config: string;
}

/**
 * An owner on another machine (a home shared by containers) cannot be looked at; its run counts as alive this long after its
 * last write. The longest silence of a healthy run is one trial with drain and settle, about two minutes; while it holds a
 * load for longer it touches its row.
 */
export const SILENCE_MS = 300_000;

/**
 * Names a cluster for `one run at a time`: by Kafka's id, else by the addresses that its brokers give, which are the same
 * whichever of them a run was pointed at, else by those of the run; in any order.
 */
export function clusterKey(cluster: Pick<RunCluster, 'clusterId' | 'bootstrap' | 'brokerAddresses'>): string {
  return cluster.clusterId ?? [...(cluster.brokerAddresses ?? cluster.bootstrap)].sort().join(',');
}

/** Reads a row; `nowMs` decides about runs of other machines. */
export function storedRun(row: RunRow, nowMs: number): StoredRun {
  const owner = JSON.parse(row.owner) as RunOwner;
  return {
    runId: row.run_id,
    status: row.status === 'running' && !isOwned(row, owner, nowMs) ? 'interrupted' : row.status,
    startedAtMs: row.started_at_ms,
    finishedAtMs: row.finished_at_ms,
    error: row.error,
    cluster: JSON.parse(row.cluster) as RunCluster,
    owner,
    configuration: JSON.parse(row.configuration) as Record<string, unknown>,
    environment: JSON.parse(row.environment) as Record<string, string>,
    methodVersion: row.method_version,
    searchConfig: JSON.parse(row.search_config),
  };
}

function isOwned(row: RunRow, owner: RunOwner, nowMs: number): boolean {
  const liveness = ownerLiveness(owner);
  return liveness === 'unknown' ? nowMs - row.seen_at_ms < SILENCE_MS : liveness === 'alive';
}
