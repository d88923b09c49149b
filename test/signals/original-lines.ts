import { byteOf, CARRIAGE_RETURN, type Cells, NEWLINE, originOf } from './page-mutation.ts';

/** Finds the lines of a page again after damage. */
export class OriginalLines {
  /** By the offset that a line starts at. */
  readonly #lines = new Map<number, { readonly line: number; readonly bytes: number }>();

  constructor(page: string) {
    let offset = 0;
    for (const [index, text] of page.split('\n').slice(0, -1).entries()) {
      const bytes = Buffer.byteLength(text) + 1;
      this.#lines.set(offset, { line: index + 1, bytes });
      offset += bytes;
    }
  }

  /**
   * @returns for each line of the damaged page which line of the original (from 1) it is; null when it is none, as a
   * byte of it was added, changed or lost. A carriage return added before the line break is no damage.
   */
  find(damaged: Cells): readonly (number | null)[] {
    const lines: (number | null)[] = [];
    for (let start = 0; start < damaged.length; ) {
      let end = start;
      while (end < damaged.length && byteOf(damaged[end] ?? 0) !== NEWLINE) end++;
      lines.push(end < damaged.length ? this.#lineOf(damaged, start, end) : null);
      start = end + 1;
    }
    return lines;
  }

  #lineOf(cells: Cells, start: number, newline: number): number | null {
    const first = originOf(cells[start] ?? 0);
    const original = this.#lines.get(first);
    if (original === undefined) return null;
    const last = cells[newline - 1] ?? 0;
    const isReturnAdded = newline > start && byteOf(last) === CARRIAGE_RETURN && originOf(last) < 0;
    const end = isReturnAdded ? newline - 1 : newline;
    if (end - start + 1 !== original.bytes) return null;
    for (let at = start; at < end; at++) {
      if (originOf(cells[at] ?? 0) !== first + at - start) return null;
    }
    return originOf(cells[newline] ?? 0) === first + original.bytes - 1 ? original.line : null;
  }
}
