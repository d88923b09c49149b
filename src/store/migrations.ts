/**
 * SQL that takes the database from one schema version to the next; the version (`PRAGMA user_version`) is the number
 * of steps taken. Steps are only ever added: one that a released program has taken may not change.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE runs (
    run_id         TEXT PRIMARY KEY,
    started_at_ms  INTEGER NOT NULL,
    finished_at_ms INTEGER,
    status         TEXT NOT NULL CHECK (status IN ('running', 'finished', 'interrupted', 'failed')),
    error          TEXT,
    cluster_key    TEXT NOT NULL,
    cluster        TEXT NOT NULL,
    owner          TEXT NOT NULL,
    seen_at_ms     INTEGER NOT NULL,
    configuration  TEXT NOT NULL,
    environment    TEXT NOT NULL,
    method_version INTEGER NOT NULL,
    search_config  TEXT NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_cluster ON runs (cluster_key, status);

  CREATE TABLE events (
    run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    seq    INTEGER NOT NULL,
    event  TEXT NOT NULL,
    PRIMARY KEY (run_id, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE trials (
    run_id   TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    sequence INTEGER NOT NULL,
    record   TEXT NOT NULL,
    PRIMARY KEY (run_id, sequence)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE samples (
    run_id   TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    evidence BLOB NOT NULL,
    PRIMARY KEY (run_id, sequence),
    FOREIGN KEY (run_id, sequence) REFERENCES trials (run_id, sequence) ON DELETE CASCADE
  ) STRICT;

  CREATE TABLE topics (
    run_id        TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    name          TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    deleted_at_ms INTEGER,
    PRIMARY KEY (run_id, name)
  ) STRICT;

  CREATE TABLE points (
    run_id        TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    message_bytes INTEGER NOT NULL,
    point         TEXT NOT NULL,
    PRIMARY KEY (run_id, message_bytes)
  ) STRICT;
  `,
];
