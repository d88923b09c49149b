import { formatDuration, parseDurationMs } from './duration.ts';
import { maskText } from './masked-text.ts';

/** What a reader makes of a raw value (YAML value, or text of a flag or variable): the value, or what is wrong. */
export type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

export type Reader<T> = (raw: unknown) => ReadResult<T>;

export interface Range {
  readonly min?: number;
  readonly max?: number;
  /** The reason of the limit, put behind the message. */
  readonly because?: string;
}

/** Reads a whole number within a range. */
export function readWhole(range: Range): Reader<number> {
  return (raw) => {
    const value = asNumber(raw);
    if (value === null || !Number.isSafeInteger(value))
      return wrong(`must be a whole number, not ${shown(raw)}`);
    return within(value, range, String);
  };
}

/** Reads a positive number. */
export const readPositive: Reader<number> = (raw) => {
  const value = asNumber(raw);
  return value !== null && value > 0 ? good(value) : wrong(`must be a number above 0, not ${shown(raw)}`);
};

/** Reads a ratio, 0..1, also written as a percentage: `0.05` or `5%`. Without `zero`, 0 itself is refused. */
export function readRatio(options: { readonly allowZero: boolean }): Reader<number> {
  return (raw) => {
    const percent = typeof raw === 'string' ? /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(raw) : null;
    const value = percent ? Number(percent[1]) / 100 : asNumber(raw);
    const isInside = value !== null && value <= 1 && (options.allowZero ? value >= 0 : value > 0);
    const wanted = options.allowZero ? 'a ratio from 0 to 1' : 'a ratio above 0 and up to 1';
    return isInside
      ? good(value)
      : wrong(`must be ${wanted} (or a percentage such as 5%), not ${shown(raw)}`);
  };
}

/** Reads a duration into milliseconds. */
export function readDurationMs(range: Range): Reader<number> {
  return (raw) => {
    const value = parseDurationMs(raw);
    if (value === null) return wrong(`must be a duration such as 15s, 500ms or 1m, not ${shown(raw)}`);
    return within(value, range, formatDuration);
  };
}

/** Reads one of a few words or numbers. */
export function readChoice<const T extends string | number>(choices: readonly T[]): Reader<T> {
  return (raw) => {
    const choice = choices.find((candidate) => String(candidate) === String(raw).trim());
    return choice === undefined ? wrong(`must be ${choices.join(' or ')}, not ${shown(raw)}`) : good(choice);
  };
}

/** Reads a text that is not empty. */
export const readText: Reader<string> = (raw) => {
  const isText = typeof raw === 'string' && raw.trim() !== '';
  return isText ? good(raw.trim()) : wrong(`must be a text, not ${shown(raw)}`);
};

/** Lets null (in YAML `null` or nothing) through as `not set`. */
export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (raw) => (raw === null ? good(null) : read(raw));
}

/** Reads broker addresses, a list or a comma list of host:port. */
export const readAddresses: Reader<readonly string[]> = (raw) => {
  const addresses = listOf(raw).map((entry) => String(entry).trim());
  for (const address of addresses) {
    const port = Number(/^(?:[^\s:/@]+|\[[0-9a-f:.]+\]):(\d+)$/i.exec(address)?.[1] ?? Number.NaN);
    if (!(port >= 1 && port <= 65_535)) return wrong(`must be host:port; ${shown(address)} is not`);
  }
  return good([...new Set(addresses)]);
};

export function good<T>(value: T): ReadResult<T> {
  return { ok: true, value };
}

export function wrong(problem: string): ReadResult<never> {
  return { ok: false, problem };
}

/** Splits a comma list; a YAML list stays as it is, a single value becomes a list of one. */
export function listOf(raw: unknown): readonly unknown[] {
  if (Array.isArray(raw)) return raw;
  if (raw === null || raw === undefined) return [];
  return String(raw)
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Writes a raw value into a message: short, on one line, credentials hidden. */
export function shown(raw: unknown): string {
  // JSON makes null of a number that is none.
  const text = typeof raw === 'number' ? String(raw) : maskText(JSON.stringify(raw) ?? String(raw));
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function asNumber(raw: unknown): number | null {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : null;
  if (typeof raw !== 'string' || !/^\s*-?\d+(\.\d+)?(e\d+)?\s*$/i.test(raw)) return null;
  return Number(raw);
}

function within(value: number, range: Range, format: (value: number) => string): ReadResult<number> {
  const reason = range.because ? ` (${range.because})` : '';
  if (range.min !== undefined && value < range.min) {
    return wrong(`must be at least ${format(range.min)}, not ${format(value)}${reason}`);
  }
  if (range.max !== undefined && value > range.max) {
    return wrong(`must be at most ${format(range.max)}, not ${format(value)}${reason}`);
  }
  return good(value);
}
