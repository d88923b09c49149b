import {
  type Cursor,
  codeAt,
  isBlank,
  skipBlanks,
  takeName,
  takeQuoted,
  takeWord,
  unescapeText,
} from './line-cursor.ts';

/** One line of a metrics page. Label order is the page's. */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
  readonly timestampMs: number | null;
  /** Line of the page, from 1. */
  readonly line: number;
}

/** The wanted part of a page. HELP and TYPE are kept by the name that they stand under. */
export interface Exposition {
  readonly kind: 'parsed';
  readonly samples: readonly Sample[];
  readonly help: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, string>;
}

/** Why a page cannot be used. `truncated`: it ends within a line, so what follows is unknown. */
export type ExpositionFailure =
  | { readonly kind: 'broken'; readonly line: number; readonly reason: string }
  | { readonly kind: 'truncated'; readonly line: number };

/**
 * Parses a page in the Prometheus text format 0.0.4 in one pass; CRLF, trailing commas in label sets, timestamps and
 * Go or Java exponents are understood.
 *
 * @param isWanted told each metric name as written; the others are stepped over without being built, which keeps a
 * page of megabytes cheap to poll.
 * @returns the wanted samples, or the first broken line (the unwanted lines are only checked for a name).
 */
export function parseExposition(
  text: string,
  isWanted: (name: string) => boolean,
): Exposition | ExpositionFailure {
  const kept: KeptPage = { samples: [], help: new Map(), types: new Map() };
  const cursor: Cursor = { text, at: 0, end: 0, line: 0, isWanted };
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    cursor.line++;
    if (newline < 0) return { kind: 'truncated', line: cursor.line };
    cursor.at = start;
    cursor.end = newline > start && text.charCodeAt(newline - 1) === CARRIAGE_RETURN ? newline - 1 : newline;
    const reason = parseLine(cursor, kept);
    if (reason !== null) return { kind: 'broken', line: cursor.line, reason };
    start = newline + 1;
  }
  return { kind: 'parsed', ...kept };
}

interface KeptPage {
  readonly samples: Sample[];
  readonly help: Map<string, string>;
  readonly types: Map<string, string>;
}

const HASH = 35;
const COMMA = 44;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const EQUALS = 61;
const CARRIAGE_RETURN = 13;

/** @returns what is wrong with the line, or null. */
function parseLine(cursor: Cursor, kept: KeptPage): string | null {
  skipBlanks(cursor);
  if (cursor.at === cursor.end) return null;
  if (codeAt(cursor) === HASH) {
    cursor.at++;
    keepComment(cursor, kept);
    return null;
  }
  const sample = parseSample(cursor);
  if (typeof sample === 'string') return sample;
  if (sample !== null) kept.samples.push(sample);
  return null;
}

function keepComment(cursor: Cursor, kept: KeptPage): void {
  const word = takeWord(cursor);
  if (word !== 'HELP' && word !== 'TYPE') return;
  const name = takeWord(cursor);
  if (name === '' || !cursor.isWanted(name)) return;
  skipBlanks(cursor);
  const rest = cursor.text.slice(cursor.at, cursor.end);
  if (word === 'HELP') kept.help.set(name, rest.includes('\\') ? unescapeText(rest) : rest);
  else kept.types.set(name, rest.trim().toLowerCase());
}

/** @returns the sample, null when nobody wants it, or what is wrong with the line. */
function parseSample(cursor: Cursor): Sample | string | null {
  const name = takeName(cursor);
  if (name === '') return 'no metric name';
  const isFollowed = cursor.at < cursor.end && (isBlank(codeAt(cursor)) || codeAt(cursor) === OPEN_BRACE);
  if (!isFollowed) return `no value after ${name}`;
  if (!cursor.isWanted(name)) return null;
  skipBlanks(cursor);
  const labels = new Map<string, string>();
  if (codeAt(cursor) === OPEN_BRACE) {
    cursor.at++;
    const problem = parseLabels(cursor, labels);
    if (problem !== null) return `${problem} of ${name}`;
  }
  const value = parseNumber(takeWord(cursor));
  if (value === null) return `no number as value of ${name}`;
  const stamp = takeWord(cursor);
  const timestampMs = stamp === '' ? null : parseNumber(stamp);
  if (stamp !== '' && timestampMs === null) return `no number as timestamp of ${name}`;
  skipBlanks(cursor);
  if (cursor.at < cursor.end) return `something after the timestamp of ${name}`;
  return { name, labels, value, timestampMs, line: cursor.line };
}

/** Reads up to and over the closing brace. @returns what is wrong, or null. */
function parseLabels(cursor: Cursor, labels: Map<string, string>): string | null {
  skipBlanks(cursor);
  while (cursor.at < cursor.end && codeAt(cursor) !== CLOSE_BRACE) {
    const label = takeName(cursor);
    skipBlanks(cursor);
    if (label === '' || codeAt(cursor) !== EQUALS) return 'no label name and = in the labels';
    cursor.at++;
    skipBlanks(cursor);
    const value = takeQuoted(cursor);
    if (value === null) return `no quoted value for label ${label}`;
    labels.set(label, value);
    skipBlanks(cursor);
    if (codeAt(cursor) === COMMA) {
      cursor.at++;
      skipBlanks(cursor);
    } else if (codeAt(cursor) !== CLOSE_BRACE) {
      return `no comma after label ${label}`;
    }
  }
  if (cursor.at === cursor.end) return 'no closing brace in the labels';
  cursor.at++;
  return null;
}

function parseNumber(word: string): number | null {
  if (word === '') return null;
  const value = Number(word);
  if (!Number.isNaN(value)) return value;
  switch (word.toLowerCase()) {
    case 'nan':
      return Number.NaN;
    case '+inf':
    case 'inf':
      return Number.POSITIVE_INFINITY;
    case '-inf':
      return Number.NEGATIVE_INFINITY;
    default:
      return null;
  }
}
