/** A place within a line of a metrics page; every `take...` moves it on. */
export interface Cursor {
  readonly text: string;
  readonly isWanted: (name: string) => boolean;
  at: number;
  /** End of the line, its line break left out. */
  end: number;
  line: number;
}

const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;
const TAB = 9;

/** Character code at the cursor; at the end of the line that of the line break. */
export function codeAt(cursor: Cursor): number {
  return cursor.text.charCodeAt(cursor.at);
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

export function skipBlanks(cursor: Cursor): void {
  while (cursor.at < cursor.end && isBlank(codeAt(cursor))) cursor.at++;
}

/** Takes what stands before the next blank, blanks before it skipped. */
export function takeWord(cursor: Cursor): string {
  skipBlanks(cursor);
  const start = cursor.at;
  while (cursor.at < cursor.end && !isBlank(codeAt(cursor))) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

/** Takes a metric or label name; empty when none starts here. */
export function takeName(cursor: Cursor): string {
  const start = cursor.at;
  while (cursor.at < cursor.end && isNameCode(codeAt(cursor), cursor.at > start)) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

/** Takes a quoted text and undoes its escapes; null when there is no whole one. */
export function takeQuoted(cursor: Cursor): string | null {
  if (cursor.at >= cursor.end || codeAt(cursor) !== QUOTE) return null;
  const start = cursor.at + 1;
  let isEscaped = false;
  for (cursor.at = start; cursor.at < cursor.end; cursor.at++) {
    const code = codeAt(cursor);
    if (code === BACKSLASH) {
      isEscaped = true;
      cursor.at++;
    } else if (code === QUOTE) {
      const raw = cursor.text.slice(start, cursor.at++);
      return isEscaped ? unescapeText(raw) : raw;
    }
  }
  return null;
}

/** [a-zA-Z_:][a-zA-Z0-9_:]* */
function isNameCode(code: number, isInside: boolean): boolean {
  const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return isLetter || code === 95 || code === 58 || (isInside && code >= 48 && code <= 57);
}

/** Backslash, quote and n are the escapes of the format; an unknown one stays as it is written. */
export function unescapeText(raw: string): string {
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
