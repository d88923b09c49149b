import Database from 'better-sqlite3';
import { PlimsollError } from '../errors.ts';
import { MIGRATIONS } from './migrations.ts';
import { guardStore } from './store-error.ts';

/** Another process may hold the write lock while it commits a trial; a commit takes milliseconds, not seconds. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens the database file, makes it when it is not there, and brings its schema up to date.
 * A commit is on the disk when it returns (WAL with synchronous FULL), so a kill -9 loses nothing recorded.
 * @throws PlimsollError STORE_FAILED, also when a newer program wrote the file; DISK_FULL.
 */
export function openDatabase(file: string, migrations: readonly string[] = MIGRATIONS): Database.Database {
  return guardStore(file, () => {
    const db = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    try {
      migrate(db, file, migrations);
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = FULL');
      db.pragma('foreign_keys = ON');
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

function migrate(db: Database.Database, file: string, migrations: readonly string[]): void {
  // Immediate: of two programs that find a new file, the second waits and then sees the first one's tables.
  const step = db.transaction(() => {
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version > migrations.length) {
      throw new PlimsollError(
        'STORE_FAILED',
        `${file} was written by a newer Plimsoll (schema ${version}, this one knows ${migrations.length}); ` +
          'update Plimsoll or use another --home',
      );
    }
    for (const sql of migrations.slice(version)) db.exec(sql);
    if (version < migrations.length) db.pragma(`user_version = ${migrations.length}`);
  });
  step.immediate();
}
