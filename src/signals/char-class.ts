/** What a character may be part of in a metrics page: flags by its code. */
const CLASSES = new Uint8Array(128);
const NAME_START = 1;
const NAME = 2;
const NUMBER_END = 4;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
for (const [flag, characters] of [
  [NAME_START, `${LETTERS}_:`],
  [NAME, `${LETTERS}${DIGITS}_:`],
  [NUMBER_END, `${DIGITS}.nNfFyY`],
] as const) {
  for (const character of characters) {
    const code = character.charCodeAt(0);
    CLASSES[code] = classOf(code) | flag;
  }
}

export const TAB = 9;
export const NEWLINE = 10;
export const CARRIAGE_RETURN = 13;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
export const COMMA = 44;
export const EQUALS = 61;
export const BACKSLASH = 92;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;

function classOf(code: number): number {
  return CLASSES[code] ?? 0;
}

/** [a-zA-Z_:] */
export function isNameStart(code: number): boolean {
  return (classOf(code) & NAME_START) !== 0;
}

/** [a-zA-Z0-9_:] */
export function isNameCode(code: number): boolean {
  return (classOf(code) & NAME) !== 0;
}

/** The last of a decimal, NaN, Inf or Infinity, in any case. */
export function endsNumber(code: number): boolean {
  return (classOf(code) & NUMBER_END) !== 0;
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}
