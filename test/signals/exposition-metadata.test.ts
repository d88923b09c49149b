import { describe, expect, it } from 'vitest';
import { type ExpositionFormat, parseExposition } from '../../src/signals/exposition.ts';

function metadataOf(text: string, wanted: readonly string[], format: ExpositionFormat = 'prometheus') {
  const page = parseExposition(text, (name) => wanted.includes(name), format);
  return page.kind === 'parsed'
    ? { help: Object.fromEntries(page.help), types: Object.fromEntries(page.types) }
    : page.reason;
}

describe('parseExposition keeps HELP and TYPE', () => {
  for (const { why, text, wanted = ['x'], help = {}, types = {} } of [
    { why: 'by name', text: '# HELP x a b\n# TYPE x gauge\n', help: { x: 'a b' }, types: { x: 'gauge' } },
    { why: 'HELP unescaped', text: '# HELP x a\\nb \\\\ c\n', help: { x: 'a\nb \\ c' } },
    { why: 'quotes in HELP stand for themselves', text: '# HELP x \\"a"\n', help: { x: '\\"a"' } },
    { why: 'HELP that ends in a backslash', text: '# HELP x a\\\n', help: { x: 'a\\' } },
    { why: 'HELP without text', text: '# HELP x\n', help: { x: '' } },
    { why: 'HELP with a hash and braces', text: '# HELP x # {} 1\n', help: { x: '# {} 1' } },
    { why: 'TYPE in any case', text: '# TYPE x Counter\n', types: { x: 'counter' } },
    { why: 'odd blanks, CRLF', text: '\t#  TYPE\tx  gauge \r\n', types: { x: 'gauge' } },
    { why: 'no blank after the hash', text: '#TYPE x gauge\n', types: { x: 'gauge' } },
    { why: 'quoted name', text: '# TYPE "a.b" gauge\n', wanted: ['a.b'], types: { 'a.b': 'gauge' } },
    { why: 'the first of two', text: '# HELP x a\n# HELP x b\n', help: { x: 'a' } },
    { why: 'not of others', text: '# HELP y a\n# TYPE y gauge\n# HELP xx a\n' },
    { why: 'no other comments', text: '#\n# x\n# UNIT x seconds\n# HELPX x a\n# TYPED x gauge\n' },
    {
      why: '_total on the TYPE only (exporter 0.x)',
      text: '# TYPE x_total counter\n',
      types: { x_total: 'counter' },
    },
    {
      why: '_total on the sample only',
      text: '# TYPE x counter\n',
      wanted: ['x_total'],
      types: { x: 'counter' },
    },
  ] as const) {
    it(why, () => expect(metadataOf(text, wanted)).toEqual({ help, types }));
  }

  it('of OpenMetrics by the name of the counter, too, with quotes escaped', () => {
    const text = '# HELP x \\"a\\"\n# TYPE x counter\nx_total 1\n# EOF\n';
    expect(metadataOf(text, ['x_total'], 'openmetrics')).toEqual({
      help: { x: '"a"', x_total: '"a"' },
      types: { x: 'counter', x_total: 'counter' },
    });
  });

  it.each([
    { why: 'no name', text: '# HELP\n', reason: 'no metric name after HELP' },
    { why: 'no name', text: '# TYPE 1x gauge\n', reason: 'no metric name after TYPE' },
    { why: 'name goes on', text: '# HELP a.b text\n', reason: 'no metric name after HELP' },
    { why: 'open quote', text: '# TYPE "x gauge\n', reason: 'no metric name after TYPE' },
    { why: 'no type', text: '# TYPE x\n', reason: 'no known type of x' },
    { why: 'unknown type', text: '# TYPE x gouge\n', reason: 'no known type of x' },
  ])('refuses $why: $reason', ({ text, reason }) => {
    expect(metadataOf(text, ['x'])).toBe(reason);
  });
});
