import { describe, expect, it } from 'vitest';
import { type ExpositionFormat, parseExposition } from '../../src/signals/exposition.ts';

interface FailureRow {
  readonly why: string;
  readonly text: string;
  readonly line?: number;
  readonly reason: string;
  readonly format?: ExpositionFormat | null;
  readonly wanted?: (name: string) => boolean;
}

const all = () => true;
const none = () => false;

function expectFailures(kind: 'broken' | 'truncated', rows: readonly FailureRow[]): void {
  for (const { why, text, line = 1, reason, format = null, wanted = all } of rows) {
    it(`${why}: ${reason}`, () =>
      expect(parseExposition(text, wanted, format)).toEqual({ kind, line, reason }));
  }
}

describe('parseExposition names the line that is broken', () => {
  expectFailures('broken', [
    { why: 'name alone', text: 'y 1\nx\n', line: 2, reason: 'no value after x' },
    { why: 'name and blank', text: 'x \n', reason: 'no number as value of x' },
    { why: 'name with a dot', text: 'x.y 1\n', reason: 'no value after x' },
    { why: 'number in front', text: 'x 1\n\n# a\n1 x\n', line: 4, reason: 'no metric name' },
    { why: 'braces without a name', text: '{a="b"} 1\n', reason: 'no metric name' },
    { why: 'value is a word', text: 'x one\n', reason: 'no number as value of x' },
    { why: 'hexadecimal', text: 'x 0x10\n', reason: 'no number as value of x' },
    { why: 'two lines in one', text: 'x 1y 2\n', reason: 'no number as value of x' },
    { why: 'carriage return within', text: 'x 1\ry 2\n', reason: 'no number as value of x' },
    { why: 'timestamp is a word', text: 'x 1 now\n', reason: 'no number as timestamp of x' },
    { why: 'timestamp in seconds', text: 'x 1 17.5\n', reason: 'no number as timestamp of x' },
    { why: 'timestamp NaN', text: 'x 1 NaN\n', reason: 'no number as timestamp of x' },
    { why: 'a word after the timestamp', text: 'x 1 2 3\n', reason: 'something after the sample of x' },
    { why: 'exemplar in 0.0.4', text: 'x 1 # {} 2\n', reason: 'something after the sample of x' },
    { why: 'escape at the end', text: 'x{a="b\\\n', reason: 'no quoted UTF-8 text for label a of x' },
    {
      why: 'escaped quote at the end',
      text: 'x{a="b\\"} 1\n',
      reason: 'no quoted UTF-8 text for label a of x',
    },
    {
      why: 'label without quotes',
      text: '# a\n\nx{a=b} 1\n',
      line: 3,
      reason: 'no quoted UTF-8 text for label a of x',
    },
    {
      why: 'quote closed on the next line',
      text: 'x{a="b\ny{c="d"} 1\n',
      reason: 'no quoted UTF-8 text for label a of x',
    },
    {
      why: 'bytes that were not UTF-8',
      text: 'x{a="\uFFFD"} 1\n',
      reason: 'no quoted UTF-8 text for label a of x',
    },
    { why: 'lone surrogate', text: 'x{a="\uD800"} 1\n', reason: 'no quoted UTF-8 text for label a of x' },
    { why: 'open brace', text: 'x{a="b"\n', reason: 'no comma after label a of x' },
    { why: 'open brace after a comma', text: 'x{a="b",\n', reason: 'no closing brace of x' },
    { why: 'no comma', text: 'x{a="b"c="d"} 1\n', reason: 'no comma after label a of x' },
    { why: 'comma alone', text: 'x{,} 1\n', reason: 'no label name in the braces of x' },
    { why: 'label without value', text: 'x{a} 1\n', reason: 'no = after label a of x' },
    { why: 'label twice', text: 'x{a="b",a="c"} 1\n', reason: 'label a twice of x' },
    { why: 'two names', text: 'x{"y"} 1\n', reason: 'a second name in the braces of x' },
    { why: 'two quoted names', text: '{"x","y"} 1\n', reason: 'no = after label y' },
    { why: 'empty quoted name', text: '{""} 1\n', reason: 'no label name in the braces' },
    { why: 'quoted name, no value', text: '{"a b"}\n', wanted: none, reason: 'no number as value of "a b"' },
    { why: 'long name', text: `${'x'.repeat(500)}\n`, reason: `no value after ${'x'.repeat(80)}...` },
    { why: 'long line', text: `# ${'x'.repeat(1_000_000)}\n`, reason: 'a line of 1000002 characters' },
    { why: 'long line without an end', text: 'x'.repeat(3_000_000), reason: 'a line of 3000000 characters' },
  ]);
});

describe('parseExposition sees a line broken that nobody wants', () => {
  expectFailures('broken', [
    { why: 'no name', text: 'y 1\n-\n', line: 2, wanted: none, reason: 'no metric name' },
    { why: 'no value', text: 'y\n', wanted: none, reason: 'no value after y' },
    { why: 'other separator', text: 'y 1\ny=1\n', line: 2, wanted: none, reason: 'no value after y' },
    { why: 'blank for a value', text: 'y1 \t\n', wanted: none, reason: 'no number at the end of y1' },
    { why: 'open brace', text: 'y{a="b",\n', wanted: none, reason: 'no number at the end of y' },
    { why: 'a word', text: 'y one\n', wanted: none, reason: 'no number at the end of y' },
  ]);

  it.each(['y{a="b"} 1\n', 'y 1. \n', 'y NaN\n', 'y +Inf\n', 'y -Infinity\n', 'y 1e5\t5\r\n'])(
    'but not in %j',
    (text) => {
      expect(parseExposition(text, none)).toMatchObject({ kind: 'parsed', samples: [] });
    },
  );
});

describe('parseExposition names what is no metrics page', () => {
  expectFailures('broken', [
    { why: 'HTML', text: '<html>\n', reason: 'HTML or XML' },
    { why: 'HTML without a line break', text: '\n <!DOCTYPE html>', reason: 'HTML or XML' },
    { why: 'JSON', text: '{"status":"success"}', reason: 'JSON' },
    { why: 'JSON, pretty', text: '{\n  "status" : 404\n}\n', reason: 'JSON' },
    { why: 'JSON list', text: '[1]\n', reason: 'JSON' },
    { why: 'NUL', text: 'y 1\nx{a="\0"} 1\n', line: 2, reason: 'a NUL character' },
    { why: 'byte order mark', text: '\uFEFFx 1\n', reason: 'a byte order mark' },
    { why: 'binary', text: '\u001f\uFFFD\b\n', reason: 'no metric name' },
  ]);
});

describe('parseExposition tells a page that ends too early', () => {
  expectFailures('truncated', [
    { why: 'the value may be cut', text: 'y 1\nx 12', line: 2, reason: 'no line break at the end' },
    { why: 'cut within CRLF', text: 'y 1\r', reason: 'no line break at the end' },
    { why: 'cut within a comment', text: 'y 1\n# HEL', line: 2, reason: 'no line break at the end' },
    {
      why: 'OpenMetrics cut after a line',
      text: 'y 1\nx 2\n',
      line: 2,
      format: 'openmetrics',
      reason: 'no # EOF at the end',
    },
    {
      why: 'OpenMetrics cut in # EOF',
      text: 'y 1\n# EO',
      line: 2,
      format: 'openmetrics',
      reason: 'no line break at the end',
    },
    {
      why: 'OpenMetrics without a line',
      text: '',
      line: 0,
      format: 'openmetrics',
      reason: 'no # EOF at the end',
    },
    {
      why: '# EOF of 0.0.4 is a comment',
      text: 'y 1\n# EOF',
      line: 2,
      format: 'prometheus',
      reason: 'no line break at the end',
    },
  ]);
});

describe('parseExposition allows nothing after # EOF', () => {
  expectFailures('broken', [
    { why: 'a sample', text: '# EOF\nx 1\n', line: 2, reason: 'something after # EOF' },
    { why: 'two pages', text: 'x 1\n# EOF\nx 1\n# EOF\n', line: 3, reason: 'something after # EOF' },
    {
      why: 'an empty line',
      text: '# EOF\n\n',
      line: 2,
      format: 'openmetrics',
      reason: 'something after # EOF',
    },
    { why: 'a cut line', text: '# EOF\nx', line: 2, reason: 'something after # EOF' },
  ]);
});

describe('parseExposition checks exemplars', () => {
  expectFailures(
    'broken',
    [
      { why: 'no braces', text: 'x 1 # 2\n', reason: 'no labels in the exemplar of x' },
      { why: 'broken braces', text: 'x 1 # {a} 2\n', reason: 'no = after label a (exemplar) of x' },
      { why: 'no value', text: 'x 1 # {}\n', reason: 'no number as value of the exemplar of x' },
      { why: 'a name', text: 'x 1 # {"y"} 2\n', reason: 'no number as value of the exemplar of x' },
      { why: 'no timestamp', text: 'x 1 # {} 2 y\n', reason: 'no number as timestamp of the exemplar of x' },
      { why: 'more', text: 'x 1 # {} 2 3 4\n', reason: 'something after the sample of x' },
    ].map((row) => ({ ...row, format: 'openmetrics' as const })),
  );
});
