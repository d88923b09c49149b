import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type LabelMatcher,
  matchersOfQuery,
  matchersText,
  nameMatcher,
  parseLabelMatchers,
} from '../../src/signals/label-matchers.ts';

describe('parseLabelMatchers', () => {
  it.each([
    { why: 'one', text: 'job="kafka"', written: 'job="kafka"' },
    { why: 'braces and blanks', text: ' { job = "kafka" , az!="b" } ', written: 'job="kafka",az!="b"' },
    { why: 'expressions', text: 'job=~"a|b",az!~"c.*"', written: 'job=~"a|b",az!~"c.*"' },
    { why: 'a comma, a brace and an escaped quote in a value', text: 'a="x,}\\"y"', written: 'a="x,}\\"y"' },
    { why: 'a comma at the end, as Prometheus takes it', text: 'job="kafka",', written: 'job="kafka"' },
    { why: 'nothing', text: '', written: '' },
  ])('reads $why', ({ text, written }) => {
    const matchers = parseLabelMatchers(text);
    expect(matchers && matchersText(matchers)).toBe(written);
  });

  it.each([
    { why: 'no quotes', text: 'job=kafka' },
    { why: 'no value', text: 'job' },
    { why: 'a quote left open', text: 'job="kafka' },
    { why: 'no comma', text: 'a="1" b="2"' },
    { why: 'a name before the braces', text: 'up{job="kafka"}' },
    { why: 'a label that can be none', text: '1a="x"' },
  ])('refuses $why', ({ text }) => {
    expect(parseLabelMatchers(text)).toBeNull();
  });

  it('reads back whatever is written', () => {
    const matcher: fc.Arbitrary<LabelMatcher> = fc.record({
      label: fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,8}$/),
      operator: fc.constantFrom('=', '!=', '=~', '!~'),
      value: fc.string({ unit: 'binary' }),
    });
    fc.assert(
      fc.property(fc.array(matcher, { maxLength: 4 }), (matchers) => {
        expect(parseLabelMatchers(matchersText(matchers))).toEqual(matchers);
      }),
    );
  });
});

it('takes the query of an address as matchers', () => {
  const url = new URL('http://prom:9090/?instance=b1:7071&job=a%20%22b%22');
  expect(matchersText(matchersOfQuery(url))).toBe('instance="b1:7071",job="a \\"b\\""');
});

it('matches names as they are, also those with dots', () => {
  expect(matchersText([nameMatcher(['a_total', 'b.c'])])).toBe('__name__=~"a_total|b\\\\.c"');
});
