import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import { hasEstimates, limitFigure, limitFigureText, limitSentence } from '../../charts/limit-figure.ts';
import { estimatedPoint, point } from './sample-document.ts';

const interval = (estimate: number, low: number, high: number): BoundaryPoint => ({
  ...estimatedPoint(1_000, estimate),
  interval: { low, high },
});

const ROWS: [written: string, point: BoundaryPoint, reason: string][] = [
  ['1,578/s ± 6.5 %', interval(1_578, 1_479, 1_683), 'an estimate with its interval'],
  [
    '1,000/s ± 26.3 %',
    interval(1_000, 950, 1_300),
    'a cliff: the longer side, which the other must not flatter',
  ],
  ['600..1,900/s', interval(1_000, 600, 1_900), 'over half its size: the ends say more'],
  ['930..1,060/s', interval(1_000, 0, 1_200), 'an interval down to nothing is none: the bounds stand in'],
  ['2,000..2,110/s', point(1_000, 2_000, 2_110), 'no model: the two bounds'],
  ['2,000..2,110/s', point(1_000, 2_110, 2_000, 'unstable'), 'bounds that contradict each other, in order'],
  ['>= 2,000/s', point(1_000, 2_000, null, 'at least'), 'one side only'],
  ['<= 2,110/s', point(1_000, null, 2_110, 'at most'), 'the other side only'],
  ['not known', point(1_000, null, null, 'at least'), 'no bound at all'],
  [
    '2,000..2,110/s',
    { ...estimatedPoint(1, 9), ...point(1, 2_000, 2_110), estimate: 2_050 },
    'an estimate alone',
  ],
];

describe('a limit in words', () => {
  it.each(ROWS)('%s: %o (%s)', (written, given) => {
    expect(limitSentence(limitFigure(given))).toBe(written);
  });

  it('contains the whole interval within its margin', () => {
    const rate = fc.double({ min: 1, max: 1e7, noNaN: true });
    const side = fc.double({ min: 0.001, max: 0.4, noNaN: true });
    fc.assert(
      fc.property(rate, side, side, (estimate, below, above) => {
        const [low, high] = [estimate * Math.exp(-below), estimate * Math.exp(above)];
        const percent = Number(
          /[\d.]+/.exec(limitFigureText(limitFigure(interval(estimate, low, high))).margin)?.[0],
        );
        expect(percent / 100).toBeGreaterThanOrEqual(Math.max(below, above) - 1e-6);
        expect(percent / 100).toBeLessThan(Math.max(below, above) + 0.0011);
      }),
    );
  });

  it('never writes a rate alone, whatever is known', () => {
    const some = fc.option(fc.double({ min: 0, max: 1e7, noNaN: true }));
    fc.assert(
      fc.property(some, some, some, some, some, (lower, upper, estimate, low, high) => {
        const given: BoundaryPoint = {
          ...point(1_000, lower, upper, 'wide'),
          estimate,
          interval:
            low === null || high === null ? null : { low: Math.min(low, high), high: Math.max(low, high) },
        };
        const { rate, margin } = limitFigureText(limitFigure(given));
        expect(margin !== '' || /\.\.|^[<>]= |^-$/.test(rate), `${rate} ${margin}`).toBe(true);
        expect(`${rate}${margin}`).not.toMatch(/NaN|Infinity/);
      }),
    );
  });
});

it.each([
  [[point(100, 1, 2), estimatedPoint(1_000, 5)], true, 'one size that a model told of is enough'],
  [[point(100, 1, 2)], false, 'bisection'],
  [[], false, 'nothing yet'],
])('leads with estimates: %#', (points, expected, _reason) => {
  expect(hasEstimates(points)).toBe(expected);
});
