import { BACKSLASH, isBlank, isNameCode, isNameStart, QUOTE } from './char-class.ts';

/** A place within a line of a metrics page; every `take...` moves it on. */
export interface LineCursor {
  readonly text: string;
  at: number;
  /** End of the line, its line break left out. */
  end: number;
}

/** Character code at the cursor; at the end of the line that of the line break. */
export function codeAt(cursor: LineCursor): number {
  return cursor.text.charCodeAt(cursor.at);
}

export function isAtEnd(cursor: LineCursor): boolean {
  return cursor.at >= cursor.end;
}

export function skipBlanks(cursor: LineCursor): void {
  while (cursor.at < cursor.end && isBlank(codeAt(cursor))) cursor.at++;
}

/** Steps over this character, blanks before it skipped. @returns whether it was there. */
export function takeCode(cursor: LineCursor, code: number): boolean {
  skipBlanks(cursor);
  if (isAtEnd(cursor) || codeAt(cursor) !== code) return false;
  cursor.at++;
  return true;
}

/** Takes what stands before the next blank, blanks before it skipped; empty at the end of the line. */
export function takeWord(cursor: LineCursor): string {
  skipBlanks(cursor);
  const start = cursor.at;
  while (cursor.at < cursor.end && !isBlank(codeAt(cursor))) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

/** Takes a metric or label name, [a-zA-Z_:][a-zA-Z0-9_:]*; empty when none starts here. */
export function takeName(cursor: LineCursor): string {
  const start = cursor.at;
  if (isNameStart(codeAt(cursor))) {
    do cursor.at++;
    while (isNameCode(codeAt(cursor)));
  }
  return cursor.text.slice(start, cursor.at);
}

/** Takes a quoted text and undoes its escapes; null when there is no whole one, or one that was not UTF-8. */
export function takeQuoted(cursor: LineCursor): string | null {
  const { text } = cursor;
  if (isAtEnd(cursor) || codeAt(cursor) !== QUOTE) return null;
  const start = cursor.at + 1;
  let end = text.indexOf('"', start);
  while (isEscaped(text, start, end)) end = text.indexOf('"', end + 1);
  if (end < 0 || end >= cursor.end) return null;
  cursor.at = end + 1;
  const raw = text.slice(start, end);
  if (NOT_UTF8.test(raw)) return null;
  return unescapeText(raw, QUOTED_ESCAPES);
}

/** An odd number of backslashes stands before. */
function isEscaped(text: string, start: number, at: number): boolean {
  let before = at - 1;
  while (before >= start && text.charCodeAt(before) === BACKSLASH) before--;
  return (at - 1 - before) % 2 === 1;
}

/** What decoding leaves of bytes that are not UTF-8, and halves of characters. */
const NOT_UTF8 = /[\uFFFD\p{Surrogate}]/u;

/** Undoes escapes; one that is not in the list stays as it is written. */
export function unescapeText(raw: string, escapes: ReadonlyMap<string, string>): string {
  let at = raw.indexOf('\\');
  if (at < 0) return raw;
  const parts: string[] = [];
  let from = 0;
  for (; at >= 0; at = raw.indexOf('\\', at)) {
    const plain = escapes.get(raw.charAt(at + 1));
    if (plain !== undefined) {
      parts.push(raw.slice(from, at), plain);
      from = at + 2;
    }
    at += 2;
  }
  parts.push(raw.slice(from));
  return parts.join('');
}

/** Escapes in a label value or a quoted name. */
export const QUOTED_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ['"', '"'],
  ['n', '\n'],
]);

/** Escapes in a HELP text of the format 0.0.4, where quotes stand for themselves. */
export const HELP_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\'],
  ['n', '\n'],
]);
