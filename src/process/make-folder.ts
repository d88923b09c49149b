import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it. Unlike Node's `recursive`, which tries for ever where the system says `not there`
 * about a name it will not create (/proc, automounts), it ends with that error.
 * @throws the system's error, such as EACCES, ENOSPC or ENOENT.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder);
  if (isMade(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirIfMissing(path);
}

/** @returns false when the folder above is missing. */
function isMade(path: string): boolean {
  try {
    mkdirIfMissing(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(path) !== path) return false;
    throw error;
  }
}

function mkdirIfMissing(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}
