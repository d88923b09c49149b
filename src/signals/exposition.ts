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
  const samples: Sample[] = [];
  const help = new Map<string, string>();
  const types = new Map<string, string>();
  let start = 0;
  for (let line = 1; start < text.length; line++) {
    const newline = text.indexOf('\n', start);
    if (newline < 0) return { kind: 'truncated', line };
    const end = newline > start && text.charCodeAt(newline - 1) === CARRIAGE_RETURN ? newline - 1 : newline;
    const first = skipBlanks(text, start, end);
    if (first < end) {
      if (text.charCodeAt(first) === HASH) {
        keepComment(text, first, end, isWanted, help, types);
      } else {
        const sample = parseSample(text, first, end, line, isWanted);
        if (typeof sample === 'string') return { kind: 'broken', line, reason: sample };
        if (sample !== null) samples.push(sample);
      }
    }
    start = newline + 1;
  }
  return { kind: 'parsed', samples, help, types };
}

const HASH = 35;
const QUOTE = 34;
const COMMA = 44;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const EQUALS = 61;
const BACKSLASH = 92;
const SPACE = 32;
const TAB = 9;
const CARRIAGE_RETURN = 13;

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** End of the word that starts at `from`. */
function wordEnd(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && !isBlank(text.charCodeAt(at))) at++;
  return at;
}

function keepComment(
  text: string,
  first: number,
  end: number,
  isWanted: (name: string) => boolean,
  help: Map<string, string>,
  types: Map<string, string>,
): void {
  const wordStart = skipBlanks(text, first + 1, end);
  const afterWord = wordEnd(text, wordStart, end);
  const word = text.slice(wordStart, afterWord);
  if (word !== 'HELP' && word !== 'TYPE') return;
  const nameStart = skipBlanks(text, afterWord, end);
  const nameEnd = wordEnd(text, nameStart, end);
  const name = text.slice(nameStart, nameEnd);
  if (name === '' || !isWanted(name)) return;
  const rest = text.slice(skipBlanks(text, nameEnd, end), end);
  if (word === 'HELP') help.set(name, rest.includes('\\') ? unescapeText(rest) : rest);
  else types.set(name, rest.trim().toLowerCase());
}

/** @returns the sample, null when nobody wants it, or what is wrong with the line. */
function parseSample(
  text: string,
  first: number,
  end: number,
  line: number,
  isWanted: (name: string) => boolean,
): Sample | string | null {
  let at = first;
  while (at < end && isNameCode(text.charCodeAt(at), at > first)) at++;
  if (at === first) return 'no metric name';
  const name = text.slice(first, at);
  const isFollowed = at < end && (isBlank(text.charCodeAt(at)) || text.charCodeAt(at) === OPEN_BRACE);
  if (!isFollowed) return `no value after ${name}`;
  if (!isWanted(name)) return null;
  at = skipBlanks(text, at, end);
  const labels = new Map<string, string>();
  if (text.charCodeAt(at) === OPEN_BRACE) {
    const after = parseLabels(text, at + 1, end, labels);
    if (typeof after === 'string') return `${after} of ${name}`;
    at = after;
  }
  const valueStart = skipBlanks(text, at, end);
  const valueEnd = wordEnd(text, valueStart, end);
  const value = parseNumber(text.slice(valueStart, valueEnd));
  if (value === null) return `no number as value of ${name}`;
  const stamp = text.slice(valueEnd, end).trim();
  const timestampMs = stamp === '' ? null : parseNumber(stamp);
  if (stamp !== '' && timestampMs === null) return `no number as timestamp of ${name}`;
  return { name, labels, value, timestampMs, line };
}

/** [a-zA-Z_:][a-zA-Z0-9_:]* */
function isNameCode(code: number, isInside: boolean): boolean {
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return isLetter || code === 95 || code === 58 || (isInside && code >= 48 && code <= 57);
}

/** @returns the place after the closing brace, or what is wrong. */
function parseLabels(text: string, from: number, end: number, labels: Map<string, string>): number | string {
  let at = skipBlanks(text, from, end);
  while (at < end && text.charCodeAt(at) !== CLOSE_BRACE) {
    const nameStart = at;
    while (at < end && isNameCode(text.charCodeAt(at), at > nameStart)) at++;
    const label = text.slice(nameStart, at);
    at = skipBlanks(text, at, end);
    if (label === '' || text.charCodeAt(at) !== EQUALS) return 'no label name and = in the labels';
    at = skipBlanks(text, at + 1, end);
    const close = text.charCodeAt(at) === QUOTE ? closingQuote(text, at + 1, end) : -1;
    if (close < 0) return `no quoted value for label ${label}`;
    const raw = text.slice(at + 1, close);
    labels.set(label, raw.includes('\\') ? unescapeText(raw) : raw);
    at = skipBlanks(text, close + 1, end);
    if (text.charCodeAt(at) === COMMA) at = skipBlanks(text, at + 1, end);
    else if (text.charCodeAt(at) !== CLOSE_BRACE) return `no comma after label ${label}`;
  }
  return at < end ? at + 1 : 'no closing brace in the labels';
}

function closingQuote(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at;
  }
  return -1;
}

/** Backslash, quote and n are the escapes of the format; an unknown one stays as it is written. */
function unescapeText(raw: string): string {
  let plain = '';
  for (let at = 0; at < raw.length; at++) {
    const next = raw[at + 1];
    if (raw[at] !== '\\' || next === undefined || !(next in ESCAPES)) {
      plain += raw[at];
    } else {
      plain += ESCAPES[next];
      at++;
    }
  }
  return plain;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\', '"': '"', n: '\n' };

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
