import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const TAIL_BYTES = 16_384;

/** Reads the last lines of a log, oldest first; empty when there is none. Stack frames are left out: the reason is above them. */
export function logTail(file: string, lineCount: number): readonly string[] {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    return [];
  }
  try {
    const sizeBytes = fstatSync(handle).size;
    const lengthBytes = Math.min(TAIL_BYTES, sizeBytes);
    const buffer = Buffer.alloc(lengthBytes);
    readSync(handle, buffer, 0, lengthBytes, sizeBytes - lengthBytes);
    const lines = buffer.toString('utf8').split('\n');
    return lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line)).slice(-lineCount);
  } finally {
    closeSync(handle);
  }
}
