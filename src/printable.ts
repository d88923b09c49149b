/** Longer texts come from elsewhere and bury what is to be said. */
const LONGEST = 2_000;

/**
 * Makes a text fit for a terminal: what pages, servers and labels say reaches messages, and must not move the cursor, colour
 * the screen or go on for pages.
 * @returns one line; control characters as `\x1b`.
 */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escaped);
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 3)}...` : line;
}

function escaped(character: string): string {
  if (/\s/.test(character)) return ' ';
  const code = character.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`;
}
