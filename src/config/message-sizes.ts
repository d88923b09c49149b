import type { SizeRange } from '../../boundary/search/search.ts';
import { formatBytes, parseBytes, roundSize } from '../../boundary/units.ts';
import { good, listOf, type Reader, shown, wrong } from './read-value.ts';

/** `bpm`: a list of message sizes, smallest first, or all from one to another; bytes. */
export type MessageSizes = readonly number[] | SizeRange;

/** Reads message sizes: a list or a comma list (duplicates dropped, smallest first), or a range as in `100..1MB`. */
export const readSizes: Reader<MessageSizes> = (raw) => {
  const ends = typeof raw === 'string' ? raw.split('..') : [];
  if (ends.length > 1) return readRange(raw, ends);
  const sizes = new Set<number>();
  for (const entry of listOf(raw)) {
    const bytes = typeof entry === 'string' || typeof entry === 'number' ? parseBytes(String(entry)) : null;
    if (bytes === null) return wrong(`must be sizes such as 100, 1kB or 1MiB; ${shown(entry)} is not one`);
    sizes.add(bytes);
  }
  if (sizes.size === 0) return wrong('is empty; give at least one message size, for example 100,1kB,10kB');
  return good([...sizes].sort((a, b) => a - b));
};

function readRange(raw: unknown, ends: readonly string[]): ReturnType<Reader<SizeRange>> {
  const [from, to] = ends.map((end) => parseBytes(end));
  if (ends.length !== 2 || from == null || to == null) {
    return wrong(`must be a range of two sizes such as 100..1MB, not ${shown(raw)}`);
  }
  return from < to ? good({ from, to }) : wrong(`must go from a smaller to a larger size, not ${shown(raw)}`);
}

/** Tells a range from a list. */
export function isSizeRange(sizes: MessageSizes): sizes is SizeRange {
  return !Array.isArray(sizes);
}

/** The sizes that a search starts with, bytes, smallest first: those of a list; of a range its ends and their middle. */
export function sizesToStart(sizes: MessageSizes): readonly number[] {
  if (!isSizeRange(sizes)) return sizes;
  const { from, to } = sizes;
  const middle = roundSize(Math.sqrt(from * to));
  return from < middle && middle < to ? [from, middle, to] : [from, to];
}

/** The largest message that a run sends, bytes. */
export function largestSize(sizes: MessageSizes): number {
  return isSizeRange(sizes) ? sizes.to : Math.max(...sizes);
}

/** Writes sizes the way a person would give them: `100 B, 1 kB` or `100 B..1 MB`. */
export function formatSizes(sizes: MessageSizes): string {
  return isSizeRange(sizes)
    ? `${formatBytes(sizes.from)}..${formatBytes(sizes.to)}`
    : sizes.map(formatBytes).join(', ');
}
