import { deflateSync, inflateSync } from 'node:zlib';
import type { Database } from 'better-sqlite3';
import type { TrialRecord } from '../../boundary/run-document.ts';
import type { TrialEvidence } from '../../boundary/trial.ts';

/**
 * Writes a trial with everything that was seen in it, compressed: some 60 kB of polls and ticks become 6.
 * @param evidence null when there was nothing to see.
 */
export function insertTrial(
  db: Database,
  runId: string,
  record: TrialRecord,
  evidence: TrialEvidence | null,
): void {
  db.prepare('INSERT INTO trials (run_id, sequence, record) VALUES (?, ?, ?)').run(
    runId,
    record.sequence,
    JSON.stringify(record),
  );
  if (evidence === null) return;
  db.prepare('INSERT INTO samples (run_id, sequence, evidence) VALUES (?, ?, ?)').run(
    runId,
    record.sequence,
    deflateSync(JSON.stringify(evidence)),
  );
}

export function selectTrials(db: Database, runId: string): TrialRecord[] {
  const rows = db.prepare('SELECT record FROM trials WHERE run_id = ? ORDER BY sequence').pluck().all(runId);
  return (rows as string[]).map((record) => JSON.parse(record) as TrialRecord);
}

/** The raw polls and ticks of a trial; null when the run has no such trial, or none was kept. */
export function selectEvidence(db: Database, runId: string, sequence: number): TrialEvidence | null {
  const bytes = db
    .prepare('SELECT evidence FROM samples WHERE run_id = ? AND sequence = ?')
    .pluck()
    .get(runId, sequence);
  return bytes instanceof Uint8Array
    ? (JSON.parse(inflateSync(bytes).toString('utf8')) as TrialEvidence)
    : null;
}

/** Adds an event of the search to the log; returns its place, 1, 2, 3 ... */
export function insertEvent(db: Database, runId: string, event: unknown): number {
  const seq = db
    .prepare(
      `INSERT INTO events (run_id, seq, event)
       SELECT ?, COALESCE(MAX(seq), 0) + 1, ? FROM events WHERE run_id = ? RETURNING seq`,
    )
    .pluck()
    .get(runId, JSON.stringify(event), runId);
  return Number(seq);
}

export function selectEvents(db: Database, runId: string): unknown[] {
  const rows = db.prepare('SELECT event FROM events WHERE run_id = ? ORDER BY seq').pluck().all(runId);
  return (rows as string[]).map((event) => JSON.parse(event) as unknown);
}
