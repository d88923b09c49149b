/**
 * Reads a value as Go and Java write them: decimals with or without exponent, NaN and Inf in any case.
 * @returns null for anything else: hexadecimal, separators, decimals too large for a double.
 */
export function parseMetricNumber(word: string): number | null {
  if (!isDecimal(word)) return SPECIAL.get(word.toLowerCase()) ?? null;
  const value = Number(word);
  return Number.isFinite(value) ? value : null;
}

/** The characters of a decimal alone: `Number` would take 0x10 and an empty word for numbers, too. */
function isDecimal(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    const isDigit = code >= 48 && code <= 57;
    // + - . E e
    if (!isDigit && code !== 43 && code !== 45 && code !== 46 && code !== 69 && code !== 101) return false;
  }
  return word !== '';
}

const SPECIAL: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['+inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['+infinity', Number.POSITIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);
