import { HASH, isBlank, OPEN_BRACE, QUOTE } from './char-class.ts';
import type { Sample } from './exposition.ts';
import {
  codeAt,
  HELP_ESCAPES,
  isAtEnd,
  type LineCursor,
  QUOTED_ESCAPES,
  skipBlanks,
  takeCode,
  takeQuoted,
  unescapeText,
} from './line-cursor.ts';
import { NameRun } from './name-run.ts';
import { endsInNumber, parseBraces, parseSampleBody, shown } from './sample-line.ts';

/** What was kept of a page up to a line. */
export interface PageDraft {
  readonly isOpenMetrics: boolean;
  readonly samples: Sample[];
  readonly help: Map<string, string>;
  readonly types: Map<string, string>;
  readonly sampleNames: NameRun;
  readonly familyNames: NameRun;
}

const NO_LABELS: ReadonlyMap<string, string> = new Map();
const COUNTER_SUFFIX = '_total';
const TYPES: ReadonlySet<string> = new Set(
  'counter gauge summary histogram untyped unknown info stateset gaugehistogram'.split(' '),
);

export function newPageDraft(isWanted: (name: string) => boolean, isOpenMetrics: boolean): PageDraft {
  return {
    isOpenMetrics,
    samples: [],
    help: new Map(),
    types: new Map(),
    sampleNames: new NameRun(isWanted),
    // A counter's HELP and TYPE may stand under its name with `_total` and its sample without, or the other way round.
    familyNames: new NameRun(
      (name) =>
        isWanted(name) ||
        isWanted(name + COUNTER_SUFFIX) ||
        (name.endsWith(COUNTER_SUFFIX) && isWanted(name.slice(0, -COUNTER_SUFFIX.length))),
    ),
  };
}

/** Adds what a line says to the page. @returns what is wrong with the line, or null. */
export function readLine(cursor: LineCursor, page: PageDraft, line: number): string | null {
  skipBlanks(cursor);
  if (isAtEnd(cursor)) return null;
  switch (codeAt(cursor)) {
    case HASH:
      cursor.at++;
      return readComment(cursor, page);
    case OPEN_BRACE:
      return readQuotedSample(cursor, page, line);
    default:
      return readSample(cursor, page, line);
  }
}

function readSample(cursor: LineCursor, page: PageDraft, line: number): string | null {
  const names = page.sampleNames;
  names.take(cursor);
  if (names.name === '') return 'no metric name';
  const hasValue = cursor.at < cursor.end && (isBlank(codeAt(cursor)) || codeAt(cursor) === OPEN_BRACE);
  if (!hasValue) return `no value after ${shown(names.name)}`;
  if (!names.isWanted) return endsInNumber(cursor) ? null : `no number at the end of ${shown(names.name)}`;
  const braces = takeCode(cursor, OPEN_BRACE) ? parseBraces(cursor) : null;
  if (typeof braces === 'string') return `${braces} of ${shown(names.name)}`;
  if (braces !== null && braces.name !== null) return `a second name in the braces of ${shown(names.name)}`;
  return keepSample(cursor, page, line, braces?.labels ?? null);
}

/** `{"a.b",l="v"} 1` */
function readQuotedSample(cursor: LineCursor, page: PageDraft, line: number): string | null {
  cursor.at++;
  const braces = parseBraces(cursor);
  if (typeof braces === 'string') return braces;
  if (braces.name === null) return 'no metric name';
  page.sampleNames.set(braces.name);
  return keepSample(cursor, page, line, braces.labels);
}

function keepSample(
  cursor: LineCursor,
  page: PageDraft,
  line: number,
  labels: ReadonlyMap<string, string> | null,
): string | null {
  const { name, isWanted } = page.sampleNames;
  const body = parseSampleBody(cursor, page.isOpenMetrics);
  if (typeof body === 'string') return `${body} of ${shown(name)}`;
  const { value, timestampMs } = body;
  if (isWanted) page.samples.push({ name, labels: labels ?? NO_LABELS, value, timestampMs, line });
  return null;
}

/** Keeps HELP and TYPE of wanted families, the hash taken before; other comments say nothing. */
function readComment(cursor: LineCursor, page: PageDraft): string | null {
  skipBlanks(cursor);
  const keyword = takeKeyword(cursor);
  if (keyword === null) return null;
  skipBlanks(cursor);
  const names = page.familyNames;
  if (codeAt(cursor) === QUOTE) names.set(takeQuoted(cursor) ?? '');
  else names.take(cursor);
  if (names.name === '' || !(isAtEnd(cursor) || isBlank(codeAt(cursor)))) {
    return `no metric name after ${keyword}`;
  }
  if (!names.isWanted) return null;
  skipBlanks(cursor);
  const rest = cursor.text.slice(cursor.at, cursor.end);
  if (keyword === 'HELP') {
    keepFirst(page, page.help, unescapeText(rest, page.isOpenMetrics ? QUOTED_ESCAPES : HELP_ESCAPES));
    return null;
  }
  const type = rest.trimEnd().toLowerCase();
  if (!TYPES.has(type)) return `no known type of ${shown(names.name)}`;
  keepFirst(page, page.types, type);
  return null;
}

function takeKeyword(cursor: LineCursor): 'HELP' | 'TYPE' | null {
  const { text, at } = cursor;
  const keyword = text.startsWith('HELP', at) ? 'HELP' : text.startsWith('TYPE', at) ? 'TYPE' : null;
  if (keyword === null) return null;
  const isWhole = at + keyword.length >= cursor.end || isBlank(text.charCodeAt(at + keyword.length));
  if (!isWhole) return null;
  cursor.at += keyword.length;
  return keyword;
}

function keepFirst(page: PageDraft, kept: Map<string, string>, text: string): void {
  const { name } = page.familyNames;
  if (!kept.has(name)) kept.set(name, text);
  const counter = name + COUNTER_SUFFIX;
  if (page.isOpenMetrics && !kept.has(counter)) kept.set(counter, text);
}
