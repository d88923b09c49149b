import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.ts';
import { waitUntil } from './wait-until.ts';

/** A lock that this process holds. */
export interface HeldLock {
  release(): void;
}

/**
 * Takes a lock file, waiting while another living process holds it. A lock whose owner is gone is taken over.
 * @param onWait called once, with the owner's pid, before the wait.
 * @returns null when `timeoutMs` passed and the owner still holds it.
 */
export async function acquireLock(
  path: string,
  timeoutMs: number,
  onWait: (ownerPid: number) => void,
): Promise<HeldLock | null> {
  const self = identifyProcess(process.pid);
  const text = JSON.stringify({ ...self, token: randomUUID() });
  let hasToldWait = false;
  const isTaken = await waitUntil(() => {
    if (tryTake(path, text)) return true;
    const found = readLock(path);
    if (found !== null && found.owner !== null && isAlive(found.owner)) {
      if (!hasToldWait) onWait(found.owner.pid);
      hasToldWait = true;
      return false;
    }
    if (found !== null) removeStale(path, found.text);
    return tryTake(path, text);
  }, timeoutMs);
  return isTaken ? { release: () => removeStale(path, text) } : null;
}

/** A link appears with its whole content at once; a file opened with `wx` could be read while still empty. */
function tryTake(path: string, text: string): boolean {
  const own = `${path}.${process.pid}.${randomUUID()}`;
  // Who held the lock before may have removed the folder with it.
  makeFolder(dirname(path));
  try {
    writeFileSync(own, text);
    linkSync(own, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function readLock(path: string): { text: string; owner: ProcessIdentity | null } | null {
  try {
    const text = readFileSync(path, 'utf8');
    return { text, owner: parseOwner(text) };
  } catch {
    return null;
  }
}

function parseOwner(text: string): ProcessIdentity | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return null;
    const { pid, startedAt } = value as Record<string, unknown>;
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : null;
  } catch {
    return null;
  }
}

/** Removes the lock only if it still holds `text`; one that was taken anew in between is put back. */
function removeStale(path: string, text: string): void {
  const aside = `${path}.${process.pid}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  try {
    if (readFileSync(aside, 'utf8') !== text) linkSync(aside, path);
  } catch {
    // Another process took the lock meanwhile: it holds it now.
  } finally {
    rmSync(aside, { force: true });
  }
}
