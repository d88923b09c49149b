import type { Database } from 'better-sqlite3';
import type { RunWriter } from './run-table.ts';
import { touchRun } from './run-table.ts';
import type { RunCluster } from './stored-run.ts';

/** A topic that a run made and that is not known to be deleted. */
export interface OpenTopic {
  readonly runId: string;
  readonly name: string;
  readonly createdAtMs: number;
  readonly cluster: RunCluster;
}

export function insertTopic(writer: RunWriter, runId: string, name: string): void {
  touchRun(writer, runId);
  writer.db
    .prepare(
      `INSERT INTO topics (run_id, name, created_at_ms) VALUES (?, ?, ?)
       ON CONFLICT (run_id, name) DO UPDATE SET deleted_at_ms = NULL`,
    )
    .run(runId, name, writer.nowMs());
}

export function setTopicDeleted({ db, nowMs }: RunWriter, runId: string, name: string): void {
  db.prepare('UPDATE topics SET deleted_at_ms = ? WHERE run_id = ? AND name = ?').run(nowMs(), runId, name);
}

export function selectOpenTopics(db: Database, runId: string | undefined): OpenTopic[] {
  const rows = db
    .prepare(
      `SELECT run_id, name, created_at_ms, cluster FROM topics JOIN runs USING (run_id)
       WHERE deleted_at_ms IS NULL AND (? IS NULL OR run_id = ?) ORDER BY created_at_ms, name`,
    )
    .all(runId ?? null, runId ?? null) as TopicRow[];
  return rows.map((row) => ({
    runId: row.run_id,
    name: row.name,
    createdAtMs: row.created_at_ms,
    cluster: JSON.parse(row.cluster) as RunCluster,
  }));
}

interface TopicRow {
  readonly run_id: string;
  readonly name: string;
  readonly created_at_ms: number;
  readonly cluster: string;
}
