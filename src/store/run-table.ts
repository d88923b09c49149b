import type { Database } from 'better-sqlite3';
import { METHOD_VERSION, type RunStatus } from '../../boundary/run-document.ts';
import { PlimsollError } from '../errors.ts';
import type { RunOwner } from './run-owner.ts';
import { clusterKey, type NewRun, type RunRow, type StoredRun, storedRun } from './stored-run.ts';

/** Where run, time and owner of a write come from. */
export interface RunWriter {
  readonly db: Database;
  readonly owner: RunOwner;
  readonly nowMs: () => number;
}

/** Writes a new run of this process. Call inside a transaction that holds the write lock. */
export function insertRun({ db, owner, nowMs }: RunWriter, runId: string, run: NewRun): void {
  const now = nowMs();
  db.prepare(
    `INSERT INTO runs (run_id, started_at_ms, status, cluster_key, cluster, owner, seen_at_ms, configuration,
       environment, method_version, search_config)
     VALUES (?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    runId,
    now,
    clusterKey(run.cluster),
    JSON.stringify(run.cluster),
    JSON.stringify(owner),
    now,
    JSON.stringify(run.configuration),
    JSON.stringify(run.environment),
    METHOD_VERSION,
    JSON.stringify(run.searchConfig ?? null),
  );
}

/** Finds the live runs on a cluster, of any process. */
export function selectRunning({ db, nowMs }: RunWriter, key: string): StoredRun[] {
  const rows = db
    .prepare("SELECT * FROM runs WHERE status = 'running' AND cluster_key = ? ORDER BY run_id")
    .all(key);
  return (rows as RunRow[])
    .map((row) => storedRun(row, nowMs()))
    .filter(({ status }) => status === 'running');
}

/**
 * Refuses a second run on a cluster: both would measure each other's load.
 * @throws PlimsollError CLUSTER_BUSY
 */
export function refuseBusyCluster(writer: RunWriter, key: string): void {
  const [other] = selectRunning(writer, key);
  if (!other) return;
  const { pid, host } = other.owner;
  throw new PlimsollError(
    'CLUSTER_BUSY',
    `run ${other.runId} (process ${pid} on ${host}) is measuring this cluster; wait until it ends or stop it`,
  );
}

/** @throws PlimsollError RUN_UNKNOWN */
export function selectRun({ db, nowMs }: RunWriter, runId: string): StoredRun {
  const row = db.prepare('SELECT * FROM runs WHERE run_id = ?').get(runId) as RunRow | undefined;
  if (row) return storedRun(row, nowMs());
  throw new PlimsollError(
    'RUN_UNKNOWN',
    `there is no run ${runId} in this home; \`plimsoll runs\` lists them`,
  );
}

/** Makes this process the owner of a run that has none. Call inside a transaction that holds the write lock. */
export function takeRun({ db, owner, nowMs }: RunWriter, runId: string): void {
  db.prepare(
    `UPDATE runs SET status = 'running', error = NULL, finished_at_ms = NULL, owner = ?, seen_at_ms = ?
     WHERE run_id = ?`,
  ).run(JSON.stringify(owner), nowMs(), runId);
}

/**
 * Marks a sign of life and makes sure that the run is still this process's: one that was suspended for long may have
 * lost it to a resume elsewhere, and two writers would spoil the event log.
 */
export function touchRun({ db, owner, nowMs }: RunWriter, runId: string): void {
  const touched = db
    .prepare('UPDATE runs SET seen_at_ms = ? WHERE run_id = ? AND owner = ?')
    .run(nowMs(), runId, JSON.stringify(owner));
  if (touched.changes === 1) return;
  throw new PlimsollError(
    'STORE_FAILED',
    `run ${runId} belongs to another process now; this one stops writing to it`,
  );
}

/** Ends a run of this process. */
export function endRun(writer: RunWriter, runId: string, status: RunStatus, error: string | null): void {
  touchRun(writer, runId);
  writer.db
    .prepare('UPDATE runs SET status = ?, error = ?, finished_at_ms = ? WHERE run_id = ?')
    .run(status, error, writer.nowMs(), runId);
}
