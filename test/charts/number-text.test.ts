import { describe, expect, it } from 'vitest';
import {
  formatCount,
  formatInstant,
  formatMegabytes,
  formatPrecision,
  formatRatio,
  formatSeconds,
  formatShort,
} from '../../charts/number-text.ts';

const ROWS: [written: string, expected: string, reason: string][] = [
  [formatCount(10_700.4), '10,700', 'no decimals that were not measured'],
  [formatCount(999.6), '1,000', 'the separator comes after rounding'],
  [formatCount(1_234_567), '1,234,567', 'two separators'],
  [formatCount(0.5), '0.5', 'slow loads keep their decimals'],
  [formatCount(0), '0', 'zero is a number'],
  [formatCount(Number.NaN), '-', 'nothing is a dash'],
  [formatMegabytes(0.0321), '0.0321', 'small rates keep three digits'],
  [formatMegabytes(0.2803), '0.280', 'three digits, as above 1, so that columns agree'],
  [formatMegabytes(0.9999), '1.00', 'rounds up to three digits'],
  [formatMegabytes(1.066), '1.07', 'three digits'],
  [formatMegabytes(20), '20.0', 'three digits'],
  [formatMegabytes(1_250), '1,250', 'separator'],
  [formatMegabytes(0), '0.00', 'log of zero is not asked for'],
  [formatMegabytes(1e-12), '0', 'too small to matter, and no exception'],
  [formatShort(999_950), '1M', 'never 1000k'],
  [formatShort(10_700), '10.7k', 'thousands'],
  [formatShort(950), '950', 'below a thousand as it is'],
  [formatRatio(0.19999), '19.9 %', 'under the limit must not show as 20.0 %'],
  [formatRatio(0.29, 0), '29 %', 'binary fractions do not lose a percent'],
  [formatRatio(0.2), '20.0 %', 'the limit itself'],
  [formatPrecision(0.02727), '2.8 %', 'a precision is not flattered'],
  [formatPrecision(0.02), '2.0 %', 'exact stays exact'],
  [formatSeconds(59.6), '1 min 00 s', 'never 60 s'],
  [formatSeconds(200), '3 min 20 s', 'minutes'],
  [formatSeconds(3_900), '1 h 05 min', 'hours'],
  [formatInstant(Date.UTC(2026, 2, 1, 14, 5)), '2026-03-01 14:05 UTC', 'no locale, no zone of the machine'],
];

describe('numbers as text', () => {
  it.each(ROWS)('%s is %s: %s', (written, expected) => {
    expect(written).toBe(expected);
  });
});
