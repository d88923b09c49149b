import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMetricNumber } from '../../src/signals/metric-number.ts';

describe('parseMetricNumber', () => {
  it.each([
    { word: '0', value: 0, why: 'Go integer' },
    { word: '+1.5', value: 1.5, why: 'sign' },
    { word: '.5', value: 0.5, why: 'no digit before the point' },
    { word: '5.', value: 5, why: 'no digit after it' },
    { word: '1.0E-4', value: 1e-4, why: 'Java' },
    { word: '4.9E-324', value: Number.MIN_VALUE, why: 'the smallest double' },
    { word: '9007199254740993', value: 2 ** 53, why: 'rounded: 1 ns after 104 days' },
    { word: 'nan', value: Number.NaN, why: 'Go reads any case' },
    { word: 'INF', value: Number.POSITIVE_INFINITY, why: 'Go reads any case' },
    { word: '-Infinity', value: Number.NEGATIVE_INFINITY, why: 'Java' },
  ])('reads $word ($why)', ({ word, value }) => expect(parseMetricNumber(word)).toBe(value));

  it.each([
    { word: '', why: 'nothing' },
    { word: '0x10', why: 'hexadecimal' },
    { word: '0b1', why: 'binary' },
    { word: '1_000', why: 'separator' },
    { word: '1,5', why: 'comma' },
    { word: '1.2.3', why: 'two points' },
    { word: '1e', why: 'no exponent' },
    { word: '--1', why: 'two signs' },
    { word: '+NaN', why: 'sign of no number' },
    { word: '1e999', why: 'no double is so large' },
    { word: '\u0661', why: 'Arabic digit' },
    { word: '1\u00A0', why: 'no-break space' },
  ])('refuses $word ($why)', ({ word }) => expect(parseMetricNumber(word)).toBeNull());

  it('reads every double that JavaScript writes, exactly', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        // An exporter that writes -0 as 0 is fine.
        expect(parseMetricNumber(String(value))).toBe(Object.is(value, -0) ? 0 : value);
      }),
    );
  });
});
