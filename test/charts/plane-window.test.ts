import { describe, expect, it } from 'vitest';
import { planeWindow } from '../../charts/plane-window.ts';
import { bound, estimatedPoint, point } from './sample-document.ts';

describe('planeWindow', () => {
  it.each([
    [
      [estimatedPoint(1_000, 1_000, 2, { lower: bound(900), upper: bound(1_100) })],
      136,
      7_389,
      'a wide interval',
    ],
    [
      [estimatedPoint(1_000, 1_000, 0.01, { lower: bound(10), upper: bound(90_000) })],
      10,
      90_000,
      'bounds far apart',
    ],
    [[point(1_000, 900, 1_100)], 900, 1_100, 'bounds alone'],
  ])('shows all of %#', (points, least, most, _reason) => {
    const { minRate, maxRate } = planeWindow(points);
    expect(minRate).toBeLessThan(least);
    expect(maxRate).toBeGreaterThan(most);
    expect(maxRate / minRate, 'at least a decade').toBeGreaterThanOrEqual(10);
  });

  it('takes a bound of zero, which a log axis cannot show, for none', () => {
    expect(planeWindow([point(1_000, 0, 10, 'wide')]).minRate).toBeGreaterThan(0);
    expect(planeWindow([]).maxRate).toBeGreaterThan(planeWindow([]).minRate);
  });
});
