import { CLOSE_BRACE, COMMA, EQUALS, endsNumber, HASH, isBlank, OPEN_BRACE, QUOTE } from './char-class.ts';
import {
  codeAt,
  isAtEnd,
  type LineCursor,
  skipBlanks,
  takeCode,
  takeName,
  takeQuoted,
  takeWord,
} from './line-cursor.ts';
import { parseMetricNumber } from './metric-number.ts';

/** What follows name and labels of a sample. */
export interface SampleBody {
  readonly value: number;
  readonly timestampMs: number | null;
}

/** What stands within braces. `name`: a quoted metric name among the labels, as `{"a.b",l="v"} 1` has it. */
export interface Braces {
  readonly name: string | null;
  readonly labels: ReadonlyMap<string, string>;
}

/**
 * Reads value, timestamp and exemplar up to the end of the line.
 * @param isOpenMetrics timestamps are seconds and exemplars are allowed; else whole milliseconds and none.
 * @returns the numbers, or what is wrong with the line.
 */
export function parseSampleBody(cursor: LineCursor, isOpenMetrics: boolean): SampleBody | string {
  const value = parseMetricNumber(takeWord(cursor));
  if (value === null) return 'no number as value';
  skipBlanks(cursor);
  let timestampMs: number | null = null;
  if (!isAtEnd(cursor) && codeAt(cursor) !== HASH) {
    timestampMs = parseTimestampMs(takeWord(cursor), isOpenMetrics);
    if (timestampMs === null) return 'no number as timestamp';
  }
  const problem = isOpenMetrics && takeCode(cursor, HASH) ? stepOverExemplar(cursor) : null;
  if (problem !== null) return problem;
  skipBlanks(cursor);
  if (!isAtEnd(cursor)) return 'something after the sample';
  return { value, timestampMs };
}

/** Seconds, maybe with a fraction, in OpenMetrics; whole milliseconds in 0.0.4. */
function parseTimestampMs(word: string, isOpenMetrics: boolean): number | null {
  const stamp = parseMetricNumber(word);
  if (stamp === null || !Number.isFinite(stamp)) return null;
  if (isOpenMetrics) return stamp * 1000;
  return Number.isSafeInteger(stamp) ? stamp : null;
}

/** ` {trace_id="x"} 1 123.4`, the hash taken before. @returns what is wrong, or null. */
function stepOverExemplar(cursor: LineCursor): string | null {
  if (!takeCode(cursor, OPEN_BRACE)) return 'no labels in the exemplar';
  const braces = parseBraces(cursor);
  if (typeof braces === 'string') return `${braces} (exemplar)`;
  if (braces.name !== null || parseMetricNumber(takeWord(cursor)) === null)
    return 'no number as value of the exemplar';
  const stamp = takeWord(cursor);
  return stamp === '' || parseMetricNumber(stamp) !== null ? null : 'no number as timestamp of the exemplar';
}

/** Reads up to and over the closing brace, the opening one taken before. @returns what is wrong as text. */
export function parseBraces(cursor: LineCursor): Braces | string {
  const labels = new Map<string, string>();
  let name: string | null = null;
  while (!takeCode(cursor, CLOSE_BRACE)) {
    if (isAtEnd(cursor)) return 'no closing brace';
    const isQuoted = codeAt(cursor) === QUOTE;
    const label = isQuoted ? takeQuoted(cursor) : takeName(cursor);
    if (label === null || label === '') return 'no label name in the braces';
    if (takeCode(cursor, EQUALS)) {
      skipBlanks(cursor);
      const value = takeQuoted(cursor);
      if (value === null) return `no quoted UTF-8 text for label ${shown(label)}`;
      const count = labels.size;
      if (labels.set(label, value).size === count) return `label ${shown(label)} twice`;
    } else if (isQuoted && name === null) {
      name = label;
    } else {
      return `no = after label ${shown(label)}`;
    }
    if (!takeCode(cursor, COMMA) && (isAtEnd(cursor) || codeAt(cursor) !== CLOSE_BRACE)) {
      return `no comma after label ${shown(label)}`;
    }
  }
  return { name, labels };
}

/** Tells whether an unwanted line, which is not taken apart, ends in a number after the name, where the cursor is. */
export function endsInNumber({ text, at: nameEnd, end }: LineCursor): boolean {
  let at = end - 1;
  while (at > nameEnd && isBlank(text.charCodeAt(at))) at--;
  return endsNumber(text.charCodeAt(at));
}

/** A piece of the page within a message of one short line. */
export function shown(text: string): string {
  const clipped = text.length > 80 ? `${text.slice(0, 80)}...` : text;
  return /^[\w:.]*$/.test(clipped) ? clipped : JSON.stringify(clipped);
}
