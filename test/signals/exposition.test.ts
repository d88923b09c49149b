import { describe, expect, it } from 'vitest';
import { parseExposition, type Sample } from '../../src/signals/exposition.ts';

const all = () => true;

function only(text: string): Sample | string {
  const page = parseExposition(text, all);
  if (page.kind !== 'parsed') return page.kind;
  return page.samples.length === 1 && page.samples[0] ? page.samples[0] : `${page.samples.length} samples`;
}

describe('parseExposition reads a sample', () => {
  for (const { why, text, value, labels = {}, timestampMs = null } of [
    { why: 'plain', text: 'x 1\n', value: 1 },
    { why: 'Java exponent', text: 'x 6.122678585934E12\n', value: 6122678585934 },
    { why: 'tiny Java exponent', text: 'x 5.801730204789261E-169\n', value: 5.801730204789261e-169 },
    { why: 'Go exponent', text: 'x 1e+09\n', value: 1e9 },
    { why: '+Inf', text: 'x +Inf\n', value: Number.POSITIVE_INFINITY },
    { why: '-Inf', text: 'x -Inf\n', value: Number.NEGATIVE_INFINITY },
    { why: 'NaN', text: 'x NaN\n', value: Number.NaN },
    { why: 'timestamp', text: 'x 1 1700000000000\n', value: 1, timestampMs: 1_700_000_000_000 },
    { why: 'tabs and blanks', text: ' \tx\t 1  \n', value: 1 },
    { why: 'CRLF', text: 'x{a="b"} 1\r\n', value: 1, labels: { a: 'b' } },
    { why: 'empty braces (Redpanda)', text: 'x{} 0.000000\n', value: 0 },
    { why: 'trailing comma (simpleclient)', text: 'x{a="b",} 1\n', value: 1, labels: { a: 'b' } },
    { why: 'blanks in the braces', text: 'x { a = "b" , c="d" } 1\n', value: 1, labels: { a: 'b', c: 'd' } },
    { why: 'escaped quotes', text: 'x{d="\\"/tmp/a\\"",} 0\n', value: 0, labels: { d: '"/tmp/a"' } },
    { why: 'escaped newline and backslash', text: 'x{d="a\\nb\\\\"} 0\n', value: 0, labels: { d: 'a\nb\\' } },
    { why: 'unknown escape stays', text: 'x{d="\\w"} 0\n', value: 0, labels: { d: '\\w' } },
    { why: 'brace and hash in a value', text: 'x{d="}# "} 0\n', value: 0, labels: { d: '}# ' } },
    { why: 'colon in a name', text: 'a:b 2\n', value: 2 },
  ]) {
    it(why, () => {
      const sample = only(text);
      expect(sample).toMatchObject({ value, timestampMs, line: 1 });
      expect(typeof sample === 'object' && Object.fromEntries(sample.labels)).toEqual(labels);
    });
  }
});

describe('parseExposition names the line of a page that it cannot use', () => {
  for (const { why, text, result } of [
    { why: 'HTML', text: '<html>\n', result: { kind: 'broken', line: 1 } },
    { why: 'no value', text: 'y 1\nx\n', result: { kind: 'broken', line: 2 } },
    { why: 'value is a word', text: 'x one\n', result: { kind: 'broken', line: 1 } },
    { why: 'timestamp is a word', text: 'x 1 now\n', result: { kind: 'broken', line: 1 } },
    { why: 'a word after the timestamp', text: 'x 1 2 3\n', result: { kind: 'broken', line: 1 } },
    { why: 'escape at the end of the line', text: 'x{a="b\\\n', result: { kind: 'broken', line: 1 } },
    { why: 'label without quotes', text: '# a\n\nx{a=b} 1\n', result: { kind: 'broken', line: 3 } },
    { why: 'open quote', text: 'x{a="b} 1\n', result: { kind: 'broken', line: 1 } },
    { why: 'open brace', text: 'x{a="b"\n', result: { kind: 'broken', line: 1 } },
    { why: 'no comma', text: 'x{a="b"c="d"} 1\n', result: { kind: 'broken', line: 1 } },
    {
      why: 'no final newline: the value may be cut',
      text: 'y 1\nx 12',
      result: { kind: 'truncated', line: 2 },
    },
    { why: 'cut within a comment', text: 'y 1\n# HEL', result: { kind: 'truncated', line: 2 } },
  ]) {
    it(why, () => expect(parseExposition(text, all)).toMatchObject(result));
  }
});

describe('parseExposition', () => {
  it('keeps HELP unescaped and TYPE by name', () => {
    const page = parseExposition('# HELP x a\\nb \\\\ c\n# TYPE x Counter\n#comment\nx 1\n', all);
    expect(page.kind === 'parsed' && [...page.help, ...page.types]).toEqual([
      ['x', 'a\nb \\ c'],
      ['x', 'counter'],
    ]);
  });

  it('builds wanted names only, comments included', () => {
    const page = parseExposition(
      '# TYPE x gauge\nx 1\n# TYPE y gauge\ny{broken\ny 2\n',
      (name) => name === 'x',
    );
    expect(page).toMatchObject({ kind: 'parsed', samples: [{ name: 'x' }] });
    expect(page.kind === 'parsed' && page.types.size).toBe(1);
  });

  it('reads an empty page as a page without samples', () => {
    expect(parseExposition('', all)).toMatchObject({ kind: 'parsed', samples: [] });
  });

  it('keeps a label called __proto__', () => {
    const sample = only('x{__proto__="a"} 1\n');
    expect(typeof sample === 'object' && sample.labels.get('__proto__')).toBe('a');
  });
});
