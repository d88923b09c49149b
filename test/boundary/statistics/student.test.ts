import { expect, it } from 'vitest';
import { NORMAL_975, student975 } from '../../../boundary/statistics/student.ts';

it.each([
  [3, 3.1824, 'the fewest that a search starts with'],
  [5, 2.5706, 'a search of few sizes'],
  [10, 2.2281, 'a search half way'],
  [30, 2.0423, 'a search of ten sizes'],
])("is Student's quantile at %s degrees: %s (%s)", (degrees, quantile) => {
  expect(student975(degrees) / quantile).toBeGreaterThan(0.99);
  expect(student975(degrees) / quantile).toBeLessThan(1.01);
});

it('is the normal one when the deviation is known', () => {
  expect(student975(1e9)).toBeCloseTo(NORMAL_975, 6);
});
