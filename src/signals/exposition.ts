import { CARRIAGE_RETURN } from './char-class.ts';
import type { LineCursor } from './line-cursor.ts';
import { newPageDraft, readLine } from './page-line.ts';

/** One line of a metrics page. Label order is the page's. */
export interface Sample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
  readonly timestampMs: number | null;
  /** Line of the page, from 1. */
  readonly line: number;
}

/**
 * The wanted part of a page. A series that the page has twice is here twice. HELP and TYPE are kept by the name that
 * they stand under, the first of each; of OpenMetrics, which leaves the `_total` of counters out there, by both.
 */
export interface Exposition {
  readonly kind: 'parsed';
  readonly samples: readonly Sample[];
  readonly help: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, string>;
}

/** Why a page cannot be used. `truncated`: it ends too early, so what follows is unknown. */
export interface ExpositionFailure {
  readonly kind: 'broken' | 'truncated';
  readonly line: number;
  /** Short, of one line. */
  readonly reason: string;
}

/** Prometheus text 0.0.4 or OpenMetrics 1.0. */
export type ExpositionFormat = 'prometheus' | 'openmetrics';

/** Longer than any line of an exporter: a client id, the longest label value, has at most 32 kB. */
const LONGEST_LINE = 1_000_000;
const END_OF_PAGE = '# EOF';

/**
 * Parses a page in the Prometheus text format 0.0.4 or in OpenMetrics 1.0, with what exporters make of them: CRLF,
 * trailing commas, Go and Java exponents, quoted UTF-8 names. One pass, linear time.
 *
 * @param isWanted told a metric name as written, once for each run of lines with one name. The others are stepped
 * over without being built, which keeps a page of megabytes cheap to poll.
 * @param format from the content type; when it is not known, a page that ends with `# EOF` is OpenMetrics.
 * @returns the wanted samples, or the first broken line. Of unwanted lines only the name, what follows it and the
 * numbers at the end are checked.
 */
export function parseExposition(
  text: string,
  isWanted: (name: string) => boolean,
  format: ExpositionFormat | null = null,
): Exposition | ExpositionFailure {
  const foreign = foreignLine(text);
  if (foreign !== null) return foreign;
  const page = newPageDraft(isWanted, (format ?? guessFormat(text)) === 'openmetrics');
  const isEndMarked = format !== 'prometheus';
  const cursor: LineCursor = { text, at: 0, end: 0 };
  let isEnded = false;
  let line = 0;
  for (let start = 0; start < text.length; ) {
    line++;
    if (isEnded) return broken(line, `something after ${END_OF_PAGE}`);
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    if (end - start > LONGEST_LINE) return broken(line, `a line of ${end - start} characters`);
    cursor.at = start;
    cursor.end = end > start && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
    isEnded = isEndMarked && isEndOfPage(cursor);
    // OpenMetrics allows to leave the last line break out.
    if (newline < 0 && !isEnded) return truncated(line, 'no line break at the end');
    const problem = readLine(cursor, page, line);
    if (problem !== null) return broken(line, problem);
    start = end + 1;
  }
  if (format === 'openmetrics' && !isEnded) return truncated(line, `no ${END_OF_PAGE} at the end`);
  return { kind: 'parsed', samples: page.samples, help: page.help, types: page.types };
}

/** What is not said by the content type is said by the end of the page. */
function guessFormat(text: string): ExpositionFormat {
  return /(?:^|\n)# EOF\r?\n?$/.test(text.slice(-8)) ? 'openmetrics' : 'prometheus';
}

function isEndOfPage({ text, at, end }: LineCursor): boolean {
  return end - at === END_OF_PAGE.length && text.startsWith(END_OF_PAGE, at);
}

/** Finds what no metrics page has, so that the message names it rather than a missing name or line break. */
function foreignLine(text: string): ExpositionFailure | null {
  const nul = text.indexOf('\0');
  if (nul >= 0) return broken(text.slice(0, nul).split('\n').length, 'a NUL character');
  if (text.startsWith('\uFEFF')) return broken(1, 'a byte order mark');
  if (/^\s*</.test(text)) return broken(1, 'HTML or XML');
  if (/^\s*(?:\[|\{\s*"[^"\n]*"\s*:)/.test(text)) return broken(1, 'JSON');
  return null;
}

function broken(line: number, reason: string): ExpositionFailure {
  return { kind: 'broken', line, reason };
}

function truncated(line: number, reason: string): ExpositionFailure {
  return { kind: 'truncated', line, reason };
}
