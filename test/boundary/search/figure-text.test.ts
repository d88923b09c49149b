import { expect, it } from 'vitest';
import { durationText, rateText, roughRateText } from '../../../boundary/search/figure-text.ts';

it.each<[number, string]>([
  [0, '0 s'],
  [45.4, '45 s'],
  [59.6, '1 min'],
  [220, '3 min 40 s'],
  [1_800, '30 min'],
  [3_599.7, '1 h'],
  [5_400, '1 h 30 min'],
  // the minutes are rounded, not cut
  [7_190, '2 h'],
])('writes %d s as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

it('writes rates to the message, or to the two digits that are known', () => {
  expect(rateText(2_113.4)).toBe('2,113/s');
  expect(rateText(0.1349)).toBe('0.13/s');
  expect(roughRateText(2_113.4)).toBe('2,100/s');
  expect(roughRateText(0.04567)).toBe('0.046/s');
});
