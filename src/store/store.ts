import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import type { RunDocument, RunStatus, TrialRecord } from '../../boundary/run-document.ts';
import type { TrialEvidence } from '../../boundary/trial.ts';
import { makeFolder } from '../process/make-folder.ts';
import { openDatabase } from './database.ts';
import { toRunDocument } from './run-document.ts';
import { makeRunId } from './run-id.ts';
import { ownerHere, type RunOwner } from './run-owner.ts';
import * as runTable from './run-table.ts';
import { guardStore } from './store-error.ts';
import { clusterKey, type NewRun, type RunRow, type StoredRun, storedRun } from './stored-run.ts';
import { insertTopic, type OpenTopic, selectOpenTopics, setTopicDeleted } from './topic-table.ts';
import * as trialTable from './trial-table.ts';

export interface StoreOptions {
  /** Wall clock, ms since the epoch. */
  readonly nowMs?: () => number;
  /** Who writes; default: this process. */
  readonly owner?: RunOwner;
  /** 0 <= x < 1. */
  readonly random?: () => number;
}

/** A run with what a list shows of it. */
export interface RunSummary extends StoredRun {
  readonly points: readonly BoundaryPoint[];
  readonly trialCount: number;
}

const DATABASE_NAME = 'plimsoll.db';

/** Tells whether a home holds a database already, without making one. */
export function hasStore(home: string): boolean {
  return existsSync(join(home, DATABASE_NAME));
}

/**
 * Opens the database of a home folder, and makes both when they are not there.
 * @throws PlimsollError STORE_FAILED, DISK_FULL
 */
export function openStore(home: string, options: StoreOptions = {}): Store {
  guardStore(home, () => makeFolder(home));
  const file = join(home, DATABASE_NAME);
  return new Store(openDatabase(file), file, options);
}

/**
 * Everything that runs leave behind. Each method is one transaction, on the disk when it returns.
 * All methods throw PlimsollError STORE_FAILED or DISK_FULL; further codes are named with them.
 */
export class Store {
  readonly #file: string;
  readonly #writer: runTable.RunWriter;
  readonly #random: () => number;

  constructor(db: Database, file: string, options: StoreOptions = {}) {
    this.#file = file;
    this.#writer = { db, owner: options.owner ?? ownerHere(), nowMs: options.nowMs ?? Date.now };
    this.#random = options.random ?? (() => randomInt(2 ** 32) / 2 ** 32);
  }

  /**
   * Starts a run of this process and returns its id; CLUSTER_BUSY when a live run measures the same cluster.
   * Check and write are one transaction, so of two programs that start together one is refused.
   */
  createRun(run: NewRun): string {
    return this.#write(() => {
      runTable.refuseBusyCluster(this.#writer, clusterKey(run.cluster));
      let runId = makeRunId(this.#writer.nowMs(), this.#random);
      while (this.#has(runId)) runId = makeRunId(this.#writer.nowMs(), this.#random);
      runTable.insertRun(this.#writer, runId, run);
      return runId;
    });
  }

  /**
   * Takes over a run whose owner is gone, to go on with it. A finished run is returned as it is, unclaimed.
   * Throws RUN_UNKNOWN, or CLUSTER_BUSY when its owner lives or another run measures the cluster.
   */
  claimRun(runId: string): StoredRun {
    return this.#write(() => {
      const run = runTable.selectRun(this.#writer, runId);
      if (run.status === 'finished') return run;
      runTable.refuseBusyCluster(this.#writer, clusterKey(run.cluster));
      runTable.takeRun(this.#writer, runId);
      return runTable.selectRun(this.#writer, runId);
    });
  }

  /** Ends this process's run: finished, interrupted or failed, with the one-line error when there was one. */
  endRun(runId: string, status: Exclude<RunStatus, 'running'>, error: string | null = null): void {
    this.#write(() => runTable.endRun(this.#writer, runId, status, error));
  }

  /** Marks a sign of life of a run that has had nothing to record for long. */
  touchRun(runId: string): void {
    this.#write(() => runTable.touchRun(this.#writer, runId));
  }

  /** Adds versions and the like that became known after the start; later values replace earlier ones. */
  addEnvironment(runId: string, entries: Readonly<Record<string, string>>): void {
    this.#write(() => {
      runTable.touchRun(this.#writer, runId);
      const { environment } = runTable.selectRun(this.#writer, runId);
      const update = this.#writer.db.prepare('UPDATE runs SET environment = ? WHERE run_id = ?');
      update.run(JSON.stringify({ ...environment, ...entries }), runId);
    });
  }

  /** Completes the search's settings with what became known before its first command; from then on they stay. */
  setSearchConfig(runId: string, searchConfig: unknown): void {
    this.#write(() => {
      runTable.touchRun(this.#writer, runId);
      const update = this.#writer.db.prepare('UPDATE runs SET search_config = ? WHERE run_id = ?');
      update.run(JSON.stringify(searchConfig), runId);
    });
  }

  /** A run by its id; RUN_UNKNOWN. */
  run(runId: string): StoredRun {
    return this.#read(() => runTable.selectRun(this.#writer, runId));
  }

  /** Live runs on a cluster, of any process (`clusterKey`). */
  runsInProgress(key: string): StoredRun[] {
    return this.#read(() => runTable.selectRunning(this.#writer, key));
  }

  /** All runs, oldest first. */
  listRuns(): RunSummary[] {
    const { db, nowMs } = this.#writer;
    const count = db.prepare('SELECT COUNT(*) FROM trials WHERE run_id = ?').pluck();
    return this.#read(() =>
      (db.prepare('SELECT * FROM runs ORDER BY started_at_ms, run_id').all() as RunRow[]).map((row) => ({
        ...storedRun(row, nowMs()),
        points: this.points(row.run_id),
        trialCount: Number(count.get(row.run_id)),
      })),
    );
  }

  /**
   * Records a finished trial, everything that was seen in it, and the search's event of it: all or nothing.
   * @param evidence null for a trial that nothing was seen of, being simulated.
   */
  recordTrial(runId: string, record: TrialRecord, evidence: TrialEvidence | null, event: unknown): void {
    this.#write(() => {
      runTable.touchRun(this.#writer, runId);
      trialTable.insertTrial(this.#writer.db, runId, record, evidence);
      trialTable.insertEvent(this.#writer.db, runId, event);
    });
  }

  /** Adds an event to the search's log; returns its place, 1, 2, 3 ... */
  appendEvent(runId: string, event: unknown): number {
    return this.#write(() => {
      runTable.touchRun(this.#writer, runId);
      return trialTable.insertEvent(this.#writer.db, runId, event);
    });
  }

  /** The search's event log, in order. */
  events(runId: string): unknown[] {
    return this.#read(() => trialTable.selectEvents(this.#writer.db, runId));
  }

  trials(runId: string): TrialRecord[] {
    return this.#read(() => trialTable.selectTrials(this.#writer.db, runId));
  }

  /** Raw polls and ticks of a trial; null when there is no such trial, or it was simulated. */
  evidence(runId: string, sequence: number): TrialEvidence | null {
    return this.#read(() => trialTable.selectEvidence(this.#writer.db, runId, sequence));
  }

  /** Writes a point of the curve; a later one of the same size replaces it. */
  savePoint(runId: string, point: BoundaryPoint): void {
    this.#write(() => {
      runTable.touchRun(this.#writer, runId);
      this.#writer.db
        .prepare('INSERT OR REPLACE INTO points (run_id, message_bytes, point) VALUES (?, ?, ?)')
        .run(runId, point.messageBytes, JSON.stringify(point));
    });
  }

  /** Points of the curve, smallest messages first. */
  points(runId: string): BoundaryPoint[] {
    const sql = 'SELECT point FROM points WHERE run_id = ? ORDER BY message_bytes';
    return this.#read(() =>
      (this.#writer.db.prepare(sql).pluck().all(runId) as string[]).map(
        (point) => JSON.parse(point) as BoundaryPoint,
      ),
    );
  }

  /** Notes a topic before it is created, so that no topic of ours goes unknown. Noting it again is harmless. */
  recordTopic(runId: string, name: string): void {
    this.#write(() => insertTopic(this.#writer, runId, name));
  }

  /** Notes that a topic is deleted. Any process may clean up, hence no ownership. */
  markTopicDeleted(runId: string, name: string): void {
    this.#write(() => setTopicDeleted(this.#writer, runId, name));
  }

  /** Topics that were recorded and not deleted: of one run, or of all. */
  openTopics(runId?: string): OpenTopic[] {
    return this.#read(() => selectOpenTopics(this.#writer.db, runId));
  }

  /** The run as reports take it; RUN_UNKNOWN. */
  runDocument(runId: string): RunDocument {
    return toRunDocument(this.run(runId), this.points(runId), this.trials(runId));
  }

  close(): void {
    this.#writer.db.close();
  }

  #has(runId: string): boolean {
    return this.#writer.db.prepare('SELECT 1 FROM runs WHERE run_id = ?').get(runId) !== undefined;
  }

  #write<T>(work: () => T): T {
    // Immediate takes the write lock before anything is read, so what was checked still holds when it is written.
    return guardStore(this.#file, () => this.#writer.db.transaction(work).immediate());
  }

  #read<T>(work: () => T): T {
    return guardStore(this.#file, work);
  }
}
