import { describe, expect, it } from 'vitest';
import {
  leastOfNormals,
  normalCdf,
  normalDensity,
  normalQuantile,
} from '../../../boundary/statistics/normal.ts';

describe('the normal distribution', () => {
  it.each([
    [0, 0.5],
    [1.959964, 0.975],
    [-1.959964, 0.025],
    [1, 0.8413447],
    [-3, 0.0013499],
  ])('lies below %d with the tabled probability', (z, expected) => {
    expect(normalCdf(z)).toBeCloseTo(expected, 6);
  });

  it.each([1e-6, 0.001, 0.0668, 0.3, 0.5, 0.6915, 0.975, 0.99999])(
    'lies below its quantile with p = %d',
    (p) => {
      // An error of 4.5e-4 in z is one of at most 4.5e-4 times the density in p.
      const z = normalQuantile(p);
      expect(Math.abs(normalCdf(z) - p)).toBeLessThan(4.6e-4 * normalDensity(z) + 8e-8);
    },
  );

  it('has the density of the textbook', () => {
    expect(normalDensity(0)).toBeCloseTo(0.3989423, 7);
    expect(normalDensity(2)).toBeCloseTo(0.053991, 7);
  });
});

describe('the least of normal values', () => {
  it('of one is that one', () => {
    const least = leastOfNormals([{ mean: 3, variance: 4 }]);
    expect(least.mean).toBeCloseTo(3, 3);
    expect(least.variance).toBeCloseTo(4, 1);
  });

  it('of two alike lies under both by 1 / sqrt(pi) deviations', () => {
    const least = leastOfNormals([
      { mean: 0, variance: 1 },
      { mean: 0, variance: 1 },
    ]);
    expect(least.mean).toBeCloseTo(-1 / Math.sqrt(Math.PI), 3);
    expect(least.variance).toBeCloseTo(1 - 1 / Math.PI, 2);
  });

  it('of values far apart is the lower one', () => {
    const least = leastOfNormals([
      { mean: -5, variance: 0.01 },
      { mean: 5, variance: 4 },
    ]);
    expect(least.mean).toBeCloseTo(-5, 3);
    expect(least.variance).toBeCloseTo(0.01, 3);
  });
});
