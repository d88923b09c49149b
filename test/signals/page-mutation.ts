/**
 * A page whose bytes know where they come from, so that the lines that damage left alone can be found again: each
 * cell is (offset in the original + 1) * 256 + byte, the offset being -1 for a byte that is new or changed.
 */
export type Cells = Int32Array;

export function cellsOf(page: string): Cells {
  return Int32Array.from(Buffer.from(page), (byte, offset) => (offset + 1) * 256 + byte);
}

export function textOf(cells: Cells): string {
  // A typed array of bytes takes the lowest byte of each cell.
  return Buffer.from(new Uint8Array(cells)).toString('utf8');
}

export function byteOf(cell: number): number {
  return cell & 255;
}

/** Offset in the original, -1 for a byte that was not there. */
export function originOf(cell: number): number {
  return (cell >> 8) - 1;
}

export const NEWLINE = 10;
export const CARRIAGE_RETURN = 13;

/** A number from 0 (included) to `limit` (excluded). */
export type Below = (limit: number) => number;

/** Numbers by a linear congruential generator: equal seeds give equal numbers. */
export function randomBelow(seed: number): Below {
  let state = Math.imul(seed + 1, 2654435761) >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Mutation = (page: Cells, below: Below) => Cells;

const TOKENS = [
  '"',
  '{',
  '}',
  '\\',
  '\n',
  '\r',
  ' ',
  '\t',
  '#',
  ',',
  '=',
  '1',
  'e5',
  'NaN',
  '\0',
  '\uFEFF',
  'é',
];
const PIECES = [
  '<html>',
  '# EOF\n',
  '# HELP x y\n',
  '# TYPE x gauge\n',
  'x{a="b"} 1\n',
  ' 1\n',
  '\n\n',
  '{"a.b"} 1\n',
];
const INSERTIONS = [...TOKENS, ...PIECES, 'a'.repeat(300)].map((text) => Int32Array.from(Buffer.from(text)));

/** Leaves every line whole, if perhaps elsewhere, twice or not at all. */
export const LINE_MUTATIONS: Readonly<Record<string, Mutation>> = {
  'lines swapped': (page, below) => {
    const [one, other] = [lineAt(page, below), lineAt(page, below)];
    const [first, second] = one.start <= other.start ? [one, other] : [other, one];
    if (first.start === second.start) return page;
    return join(
      page.subarray(0, first.start),
      page.subarray(second.start, second.end),
      page.subarray(first.end, second.start),
      page.subarray(first.start, first.end),
      page.subarray(second.end),
    );
  },
  'line doubled': (page, below) => {
    const { start, end } = lineAt(page, below);
    return join(page.subarray(0, end), page.subarray(start));
  },
  'line lost': (page, below) => {
    const { start, end } = lineAt(page, below);
    return join(page.subarray(0, start), page.subarray(end));
  },
  CRLF: (page) => {
    const cells: number[] = [];
    for (const [at, cell] of page.entries()) {
      const isBare = byteOf(cell) === NEWLINE && byteOf(page[at - 1] ?? 0) !== CARRIAGE_RETURN;
      if (isBare) cells.push(CARRIAGE_RETURN);
      cells.push(cell);
    }
    return Int32Array.from(cells);
  },
};

/** Damage in the middle of lines. */
export const BYTE_MUTATIONS: Readonly<Record<string, Mutation>> = {
  'bit flipped': (page, below) => replaced(page, below, (byte) => byte ^ (1 << below(8))),
  'byte replaced': (page, below) => replaced(page, below, () => below(256)),
  'end cut': (page, below) => page.subarray(0, below(page.length)),
  'start cut': (page, below) => page.subarray(below(page.length)),
  'range cut': (page, below) => {
    const { start, end } = rangeOf(page, below);
    return join(page.subarray(0, start), page.subarray(end));
  },
  'range doubled': (page, below) => {
    const { start, end } = rangeOf(page, below);
    return join(page.subarray(0, end), page.subarray(start));
  },
  'token inserted': (page, below) => {
    const at = below(page.length + 1);
    return join(page.subarray(0, at), INSERTIONS[below(INSERTIONS.length)] ?? page, page.subarray(at));
  },
  'line break lost': (page, below) => {
    const { end } = lineAt(page, below);
    return join(page.subarray(0, end - 1), page.subarray(end));
  },
};

function replaced(page: Cells, below: Below, change: (byte: number) => number): Cells {
  const copy = page.slice();
  const at = below(page.length);
  copy[at] = change(byteOf(copy[at] ?? 0)) & 255;
  return copy;
}

function rangeOf(page: Cells, below: Below): { start: number; end: number } {
  const start = below(page.length);
  return { start, end: start + below(Math.min(400, page.length - start) + 1) };
}

/** A random line, its line break with it. */
function lineAt(page: Cells, below: Below): { start: number; end: number } {
  const at = below(page.length);
  let start = at;
  while (start > 0 && byteOf(page[start - 1] ?? 0) !== NEWLINE) start--;
  let end = at;
  while (end < page.length && byteOf(page[end] ?? 0) !== NEWLINE) end++;
  return { start, end: Math.min(end + 1, page.length) };
}

function join(...parts: readonly Cells[]): Cells {
  const whole = new Int32Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
