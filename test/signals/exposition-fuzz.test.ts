import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Exposition,
  type ExpositionFailure,
  type ExpositionFormat,
  parseExposition,
  type Sample,
} from '../../src/signals/exposition.ts';
import { OriginalLines } from './original-lines.ts';
import {
  type Below,
  BYTE_MUTATIONS,
  type Cells,
  cellsOf,
  LINE_MUTATIONS,
  randomBelow,
  textOf,
} from './page-mutation.ts';

/** `PLIMSOLL_FUZZ_PAGES=10000000` for a long run; `PLIMSOLL_FUZZ_SEED` to see other pages, or one again. */
const PAGES = Number(process.env.PLIMSOLL_FUZZ_PAGES ?? 100_000);
const SEED = Number(process.env.PLIMSOLL_FUZZ_SEED ?? 1);
/** Long pages are taken in pieces, as small ones take more damage in the same time. */
const LONGEST_PAGE = 3000;

interface Original {
  readonly name: string;
  readonly format: ExpositionFormat;
  readonly cells: Cells;
  readonly lines: OriginalLines;
  readonly samples: ReadonlyMap<number, Sample>;
  readonly metadata: ReadonlyMap<number, Metadata>;
}

interface Metadata {
  readonly kind: 'help' | 'types';
  readonly name: string;
  readonly text: string;
}

function originalsOf(path: string): readonly Original[] {
  const whole = readFileSync(path, 'utf8');
  if (whole.endsWith('# EOF\n')) return [originalOf(path, whole, 'openmetrics')];
  const originals: Original[] = [];
  for (let start = 0; start < whole.length; ) {
    const end = Math.max(whole.lastIndexOf('\n', start + LONGEST_PAGE), whole.indexOf('\n', start)) + 1;
    if (end <= start) throw new Error(`${path} has no line break at its end`);
    originals.push(originalOf(`${path} from ${start}`, whole.slice(start, end), 'prometheus'));
    start = end;
  }
  return originals;
}

function originalOf(path: string, text: string, format: ExpositionFormat): Original {
  const page = parseExposition(text, () => true, format);
  if (page.kind !== 'parsed') throw new Error(`${path} line ${page.line}: ${page.reason}`);
  return {
    name: path,
    format,
    cells: cellsOf(text),
    lines: new OriginalLines(text),
    samples: new Map(page.samples.map((sample) => [sample.line, sample])),
    metadata: metadataOf(text, format),
  };
}

/** HELP and TYPE of each line, read alone. */
function metadataOf(page: string, format: ExpositionFormat): ReadonlyMap<number, Metadata> {
  const metadata = new Map<number, Metadata>();
  for (const [index, line] of page.split('\n').entries()) {
    const alone = parseExposition(
      format === 'openmetrics' ? `${line}\n# EOF` : `${line}\n`,
      () => true,
      format,
    );
    for (const kind of ['help', 'types'] as const) {
      const [entry] = alone.kind === 'parsed' ? alone[kind] : [];
      if (entry !== undefined) metadata.set(index + 1, { kind, name: entry[0], text: entry[1] });
    }
  }
  return metadata;
}

const FOLDERS = ['test/fixtures/pages', 'test/fixtures/exposition'];
const ORIGINALS = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .flatMap((name) => originalsOf(join(folder, name))),
);

/** Every other page is asked for all of its series, the rest for those of the idle meter. */
const WISHES: readonly ((name: string) => boolean)[] = [
  () => true,
  (name) => name.toLowerCase().includes('requesthandler'),
];

type Mutations = Readonly<Record<string, (page: Cells, below: Below) => Cells>>;

interface Case {
  readonly original: Original;
  readonly damaged: Cells;
  readonly text: string;
  readonly isWanted: (name: string) => boolean;
  readonly result: Exposition | ExpositionFailure;
  /** To tell the case when it fails. */
  readonly label: string;
}

/** One to three mutations of one of the pages; the same for the same seed. */
function caseOf(seed: number, mutations: Mutations, originals: readonly Original[]): Case {
  const below = randomBelow(seed);
  const original = pick(originals, below);
  const names: string[] = [];
  let damaged = original.cells;
  for (let count = 1 + below(3); count > 0; count--) {
    const [name, mutate] = pick(Object.entries(mutations), below);
    names.push(name);
    damaged = mutate(damaged, below);
  }
  const text = textOf(damaged);
  const isWanted = pick(WISHES, below);
  const label = `seed ${seed}, ${original.name}: ${names.join(', ')}`;
  return {
    original,
    damaged,
    text,
    isWanted,
    result: parseExposition(text, isWanted, original.format),
    label,
  };
}

function pick<T>(list: readonly T[], below: Below): T {
  const picked = list[below(list.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
}

/** @returns what the result says wrong; null when it is an error, or right about all that the damage left alone. */
function findWrong({ original, damaged, text, isWanted, result }: Case): string | null {
  if (result.kind !== 'parsed') {
    const isTelling = result.line >= 0 && result.reason !== '' && result.reason.length < 200;
    return isTelling && !result.reason.includes('\n') ? null : `failure ${JSON.stringify(result)}`;
  }
  const isWhole =
    text === '' || text.endsWith('\n') || (original.format === 'openmetrics' && text.endsWith('# EOF'));
  if (!isWhole) return 'takes a cut page';
  const lines = original.lines.find(damaged);
  const found = new Map(result.samples.map((sample) => [sample.line, sample]));
  if (found.size !== result.samples.length) return 'two samples of one line';
  for (const [index, line] of lines.entries()) {
    if (line === null) continue;
    const before = original.samples.get(line);
    const now = found.get(index + 1);
    const expected = before !== undefined && isWanted(before.name) ? before : undefined;
    if (!isSameSample(expected, now)) return `line ${index + 1}, once ${line}, reads ${JSON.stringify(now)}`;
    const { kind, name = '', text: then } = original.metadata.get(line) ?? {};
    if (kind === undefined || !isWanted(name)) continue;
    // The first one counts, and a damaged line may be it.
    const isSame = result[kind].get(name) === then || lines.slice(0, index).includes(null);
    if (!isSame) return `${kind} of line ${index + 1}, once ${line}, reads ${result[kind].get(name)}`;
  }
  return null;
}

function isSameSample(one: Sample | undefined, other: Sample | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return (
    one.name === other.name &&
    Object.is(one.value, other.value) &&
    one.timestampMs === other.timestampMs &&
    one.labels.size === other.labels.size &&
    [...one.labels].every(([name, value]) => other.labels.get(name) === value)
  );
}

/** Runs the cases and tells the first that is wrong, and how many pages were taken. */
function tryAll(pages: number, mutations: Mutations, originals: readonly Original[]) {
  let taken = 0;
  for (let index = 0; index < pages; index++) {
    const tried = caseOf(SEED + index, mutations, originals);
    const wrong = findWrong(tried);
    if (wrong !== null) return { wrong: `${wrong} (${tried.label})`, taken };
    if (tried.result.kind === 'parsed') taken++;
  }
  return { wrong: null, taken };
}

describe('parseExposition of damaged pages gives the values of all lines left alone, or an error', () => {
  it('damage within lines', { timeout: 3_600_000 }, () => {
    const pages = Math.round(PAGES * 0.9);
    const { wrong, taken } = tryAll(pages, BYTE_MUTATIONS, ORIGINALS);
    expect(wrong).toBeNull();
    // Else the property would hold for a parser that refuses all, or for damage that does none.
    expect(taken / pages).toBeGreaterThan(0.1);
    expect(taken / pages).toBeLessThan(0.9);
  });

  it('lines moved, doubled or lost, and CRLF, break no page without an end mark', {
    timeout: 3_600_000,
  }, () => {
    const pages = PAGES - Math.round(PAGES * 0.9);
    const unmarked = ORIGINALS.filter(({ format }) => format === 'prometheus');
    expect(tryAll(pages, LINE_MUTATIONS, unmarked)).toEqual({ wrong: null, taken: pages });
  });
});
