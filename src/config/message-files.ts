import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatBytes, parseBytes } from '../../boundary/units.ts';
import { messageOf } from '../errors.ts';
import { good, type ReadResult, shown, wrong } from './read-value.ts';

/** What a file holds, and how the setting that names it is recorded: with count and hash, so that a change shows. */
export interface FileContent<T> {
  readonly content: T;
  /** `file:orders.txt (1200 messages, sha256 1f9a0c3d5e7b)` */
  readonly text: string;
}

/** Every load job carries the messages, by way of Redis. */
const MOST_SAMPLE_BYTES = 1_048_576;

const MOST_SIZE_FILE_BYTES = 16 * 1_048_576;

/** So many sizes stand for all of a file. */
const MOST_SIZES = 1_024;

/**
 * Reads messages of the user's own from a file, one a line (empty lines are passed over), or from a folder, one a file (hidden
 * ones are passed over).
 *
 * @param named the path, or the recorded text behind `file:`, whose count and hash the file must then have.
 * @returns base64, since jobs are JSON.
 */
export function readSampleFile(named: string): ReadResult<FileContent<readonly string[]>> {
  return readNamed(named, (path) => {
    const parts = statSync(path).isDirectory() ? filesOf(path) : [path];
    const bytes = parts.reduce((sum, part) => sum + statSync(part).size, 0);
    if (bytes > MOST_SAMPLE_BYTES) return tooMuch(path, bytes, MOST_SAMPLE_BYTES);
    const samples = parts[0] === path ? linesOf(path) : parts.map((part) => readFileSync(part));
    const kept = samples.filter(({ length }) => length > 0).map((sample) => sample.toString('base64'));
    if (kept.length === 0) return wrong(`names ${shown(path)}, which holds no message`);
    return good({ content: kept, mark: markOf(kept, 'message') });
  });
}

/**
 * Reads sizes from a file, one a line (`1200`, `1.5kB`).
 * @returns bytes, smallest first; of more than 1,024 sizes as many that stand for all, at even steps.
 */
export function readSizeFile(named: string): ReadResult<FileContent<readonly number[]>> {
  return readNamed(named, (path) => {
    const { size } = statSync(path);
    if (size > MOST_SIZE_FILE_BYTES) return tooMuch(path, size, MOST_SIZE_FILE_BYTES);
    const sizes: number[] = [];
    for (const line of linesOf(path).map(String)) {
      if (line.trim() === '') continue;
      const bytes = parseBytes(line);
      if (bytes === null)
        return wrong(`names ${shown(path)}, where ${shown(line)} is not a size such as 1200 or 1.5kB`);
      sizes.push(bytes);
    }
    if (sizes.length === 0) return wrong(`names ${shown(path)}, which holds no size`);
    const sorted = sizes.sort((a, b) => a - b);
    return good({ content: thinned(sorted), mark: markOf(sorted.map(String), 'size') });
  });
}

interface Marked<T> {
  readonly content: T;
  readonly mark: string;
}

function readNamed<T>(
  named: string,
  read: (path: string) => ReadResult<Marked<T>>,
): ReadResult<FileContent<T>> {
  const [, path = '', mark] = /^(.*?)(?: \((\d+ \w+, sha256 [0-9a-f]{12})\))?$/.exec(named) ?? [];
  if (path === '') return wrong('needs the name of a file, as in file:samples.txt');
  try {
    const found = read(path);
    if (!found.ok) return found;
    if (mark !== undefined && mark !== found.value.mark) {
      return wrong(`names ${shown(path)}, which has changed: it held ${mark}, now ${found.value.mark}`);
    }
    return good({ content: found.value.content, text: `file:${path} (${found.value.mark})` });
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return wrong(
      isMissing
        ? `names a file that is not there: ${shown(path)}`
        : `names ${shown(path)}, which cannot be read: ${messageOf(error)}`,
    );
  }
}

function tooMuch(path: string, bytes: number, most: number): ReadResult<never> {
  const limit = `${most / 1_048_576} MiB`;
  return wrong(
    `names ${shown(path)}, which holds ${formatBytes(bytes)}; up to ${limit} can be used: give a part of it`,
  );
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries.flatMap((entry) =>
    entry.isFile() && !entry.name.startsWith('.') ? [entry.name] : [],
  );
  return names.sort().map((name) => join(folder, name));
}

/** Lines as bytes: latin1 keeps every one of them. */
function linesOf(file: string): Buffer[] {
  const lines = readFileSync(file, 'latin1').split(/\r?\n/);
  return lines.map((line) => Buffer.from(line, 'latin1'));
}

function markOf(parts: readonly string[], noun: string): string {
  const hash = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12);
  return `${parts.length} ${noun}${parts.length === 1 ? '' : 's'}, sha256 ${hash}`;
}

function thinned(sorted: readonly number[]): readonly number[] {
  if (sorted.length <= MOST_SIZES) return sorted;
  const step = sorted.length / MOST_SIZES;
  return Array.from({ length: MOST_SIZES }, (_, index) => sorted[Math.floor((index + 0.5) * step)] ?? 1);
}
