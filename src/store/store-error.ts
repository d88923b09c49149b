import { messageOf, PlimsollError } from '../errors.ts';

/** What to do about a failure of SQLite or the file system, by the start of its code. */
const ADVICE: readonly (readonly [prefix: string, advice: string])[] = [
  ['SQLITE_BUSY', 'is locked by another program; wait for it or stop it'],
  ['SQLITE_NOTADB', 'is not a database; move it away or use another --home'],
  ['SQLITE_CORRUPT', 'is damaged; move it away, or use another --home'],
  [
    'SQLITE_IOERR',
    'cannot be read or written: is the disk full or failing? free some space or use another --home',
  ],
  ['SQLITE_READONLY', 'cannot be written; check its permissions or use another --home'],
  ['SQLITE_CANTOPEN', 'cannot be opened; check its permissions or use another --home'],
  ['EACCES', 'cannot be created; check its permissions or use another --home'],
  ['ENOENT', 'cannot be created there; use another --home'],
  ['EROFS', 'is on a read-only file system; use another --home'],
  ['EEXIST', 'is a file where a folder is needed; use another --home'],
  ['ENOTDIR', 'is below a file, not a folder; use another --home'],
];

/**
 * Does something with the database and turns every failure into a PlimsollError: DISK_FULL, else STORE_FAILED.
 * @param place file or folder that the message names.
 */
export function guardStore<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof PlimsollError ? error : asStoreError(place, error);
  }
}

function asStoreError(place: string, cause: unknown): PlimsollError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') {
    const message = `no space left for ${place}; free some, then start again`;
    return new PlimsollError('DISK_FULL', message, { cause });
  }
  const advice = ADVICE.find(([prefix]) => code.startsWith(prefix))?.[1];
  const message = advice ? `${place} ${advice}` : `${place} failed: ${messageOf(cause)}`;
  return new PlimsollError('STORE_FAILED', message, { cause });
}
