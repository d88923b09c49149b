import { describe, expect, it } from 'vitest';
import { type ExpositionFormat, parseExposition, type Sample } from '../../src/signals/exposition.ts';

const all = () => true;

function only(text: string, format: ExpositionFormat | null = null): Sample | string {
  const page = parseExposition(text, all, format);
  if (page.kind !== 'parsed') return `${page.kind}: ${page.reason}`;
  return page.samples.length === 1 && page.samples[0] ? page.samples[0] : `${page.samples.length} samples`;
}

interface SampleRow {
  readonly why: string;
  readonly text: string;
  readonly value: number;
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly timestampMs?: number;
}

function expectRows(rows: readonly SampleRow[], format: ExpositionFormat): void {
  for (const { why, text, name = 'x', value, labels = {}, timestampMs = null } of rows) {
    it(why, () => {
      const sample = only(text, format);
      expect(sample).toMatchObject({ name, value, timestampMs, line: 1 });
      expect(typeof sample === 'object' && Object.fromEntries(sample.labels)).toEqual(labels);
    });
  }
}

describe('parseExposition reads a sample of 0.0.4', () => {
  expectRows(
    [
      { why: 'plain', text: 'x 1\n', value: 1 },
      { why: 'Java exponent', text: 'x 6.122678585934E12\n', value: 6122678585934 },
      { why: 'tiny Java exponent', text: 'x 5.801730204789261E-169\n', value: 5.801730204789261e-169 },
      { why: 'Go exponent', text: 'x 1e+09\n', value: 1e9 },
      { why: '+Inf', text: 'x +Inf\n', value: Number.POSITIVE_INFINITY },
      { why: '-Inf', text: 'x -Inf\n', value: Number.NEGATIVE_INFINITY },
      { why: 'NaN', text: 'x NaN\n', value: Number.NaN },
      { why: 'timestamp', text: 'x 1 1700000000123\n', value: 1, timestampMs: 1_700_000_000_123 },
      { why: 'timestamp before 1970', text: 'x 1 -5\n', value: 1, timestampMs: -5 },
      { why: 'tabs and blanks', text: ' \tx\t 1  \n', value: 1 },
      { why: 'CRLF', text: 'x{a="b"} 1\r\n', value: 1, labels: { a: 'b' } },
      { why: 'empty braces (Redpanda)', text: 'x{} 0.000000\n', value: 0 },
      { why: 'trailing comma (simpleclient)', text: 'x{a="b",} 1\n', value: 1, labels: { a: 'b' } },
      {
        why: 'blanks in the braces',
        text: 'x { a = "b" , c="d" } 1\n',
        value: 1,
        labels: { a: 'b', c: 'd' },
      },
      { why: 'blanks before the value left out', text: 'x{a="b"}1\n', value: 1, labels: { a: 'b' } },
      { why: 'escaped quotes', text: 'x{d="\\"/tmp/a\\"",} 0\n', value: 0, labels: { d: '"/tmp/a"' } },
      { why: 'escaped newline', text: 'x{d="a\\nb"} 0\n', value: 0, labels: { d: 'a\nb' } },
      {
        why: 'escaped backslash at the end',
        text: 'x{d="a\\\\",e="f"} 0\n',
        value: 0,
        labels: { d: 'a\\', e: 'f' },
      },
      { why: 'escaped backslash before n', text: 'x{d="\\\\n"} 0\n', value: 0, labels: { d: '\\n' } },
      { why: 'unknown escape stays', text: 'x{d="\\w\\\\"} 0\n', value: 0, labels: { d: '\\w\\' } },
      { why: 'brace and hash in a value', text: 'x{d="}# "} 0\n', value: 0, labels: { d: '}# ' } },
      { why: 'UTF-8 in a value', text: 'x{d="é€😀"} 0\n', value: 0, labels: { d: 'é€😀' } },
      { why: 'empty value of a label', text: 'x{d=""} 0\n', value: 0, labels: { d: '' } },
      { why: 'colon in a name', text: 'a:b 2\n', name: 'a:b', value: 2 },
      { why: 'quoted name', text: '{"a.b",l="v"} 1\n', name: 'a.b', value: 1, labels: { l: 'v' } },
      { why: 'quoted name alone', text: '{"a \\"b\\""} 1\n', name: 'a "b"', value: 1 },
      {
        why: 'quoted name after the labels',
        text: '{l="v","a.b"} 1\n',
        name: 'a.b',
        value: 1,
        labels: { l: 'v' },
      },
      { why: 'quoted label name', text: 'x{"a.b"="c"} 1\n', value: 1, labels: { 'a.b': 'c' } },
      {
        why: 'label called __proto__',
        text: 'x{__proto__="a"} 1\n',
        value: 1,
        labels: { ['__proto__']: 'a' },
      },
    ],
    'prometheus',
  );
});

describe('parseExposition reads a sample of OpenMetrics', () => {
  expectRows(
    [
      {
        why: 'seconds with a fraction',
        text: 'x 1 1700000000.25\n# EOF\n',
        value: 1,
        timestampMs: 1700000000250,
      },
      { why: 'seconds as Go writes them', text: 'x 1 1.7e+09\n# EOF\n', value: 1, timestampMs: 1.7e12 },
      { why: 'exemplar', text: 'x 1 # {trace_id="a"} 0.5\n# EOF\n', value: 1 },
      { why: 'exemplar without labels', text: 'x{a="b"} 1 # {} 0.5\n# EOF\n', value: 1, labels: { a: 'b' } },
      { why: 'both', text: 'x 1 2 # {a="} # "} 5 6.5\n# EOF\n', value: 1, timestampMs: 2000 },
      { why: 'no line break after # EOF', text: 'x 1\n# EOF', value: 1 },
      { why: 'CRLF', text: 'x 1\r\n# EOF\r\n', value: 1 },
      { why: '_created', text: 'x_created 1.5e9\n# EOF\n', name: 'x_created', value: 1.5e9 },
    ],
    'openmetrics',
  );

  it.each([
    { why: 'ends with # EOF: seconds', text: 'x 1 2\n# EOF\n', timestampMs: 2000 },
    { why: 'ends so without a line break', text: 'x 1 2\n# EOF', timestampMs: 2000 },
    { why: 'ends so with CRLF', text: 'x 1 2\r\n# EOF\r\n', timestampMs: 2000 },
    { why: 'does not: milliseconds', text: 'x 1 2\n', timestampMs: 2 },
    { why: 'only ends like it', text: '## EOF\nx 1 2\n### EOF\n', timestampMs: 2 },
  ])('format not told: $why', ({ text, timestampMs }) => {
    expect(only(text)).toMatchObject({ timestampMs });
  });

  it('believes the content type more than # EOF, which is a comment in 0.0.4', () => {
    expect(only('# EOF\nx 1 2000\n# EOF\n', 'prometheus')).toMatchObject({ timestampMs: 2000 });
  });
});

describe('parseExposition', () => {
  it('tells lines and keeps both of a series that the page has twice', () => {
    const page = parseExposition('# a\nx{a="b"} NaN\r\n\n \nx{a="b"} 15.2\n', all);
    expect(page.kind === 'parsed' && page.samples.map(({ value, line }) => [value, line])).toEqual([
      [Number.NaN, 2],
      [15.2, 5],
    ]);
  });

  it('does not take a name for another one that starts or ends with it', () => {
    const text = 'ab 1\nabc 2\nab{l="m"} 3\nab_total 4\na 5\nbab 6\nab\t7\n';
    const page = parseExposition(text, (name) => name === 'ab');
    expect(page.kind === 'parsed' && page.samples.map(({ value }) => value)).toEqual([1, 3, 7]);
  });

  it('asks for each name as it is written, once for a run of lines', () => {
    const asked: string[] = [];
    const page = parseExposition('x{a="1"} 1\nx{a="2"} 1\ny 1\nx 1\n{"x.y"} 1\n', (name) => {
      asked.push(name);
      return name === 'x.y';
    });
    expect(asked).toEqual(['x', 'y', 'x', 'x.y']);
    expect(page).toMatchObject({ samples: [{ name: 'x.y' }] });
  });

  it('reads an empty page as a page without samples', () => {
    expect(parseExposition('', all)).toMatchObject({ kind: 'parsed', samples: [] });
  });

  it('reads a page of many long lines', () => {
    const label = '\\"é'.repeat(100_000);
    const page = parseExposition(`x{a="${label}"} 1\n`.repeat(5), all);
    expect(page.kind === 'parsed' && page.samples.map(({ labels }) => labels.get('a')?.length)).toEqual(
      Array(5).fill(200_000),
    );
  });
});
