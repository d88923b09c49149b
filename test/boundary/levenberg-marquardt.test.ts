import { describe, expect, it } from 'vitest';
import { leastSquares, type Residual } from '../../boundary/levenberg-marquardt.ts';
import { inverseDiagonal } from '../../boundary/linear-algebra.ts';

const LIMITS = { maxSteps: 100, maxMove: 2, tolerance: 1e-9 };

describe('least squares', () => {
  it('takes a straight line through points in few steps, with the variances of the textbook', () => {
    const points = [0, 1, 2, 3].map((x) => ({ x, y: 2 + 3 * x }));
    const fit = leastSquares(
      [0, 0],
      (p) =>
        points.map(
          ({ x, y }): Residual => ({
            value: (p[0] ?? 0) + (p[1] ?? 0) * x - y,
            unknowns: [0, 1],
            slopes: [1, x],
          }),
        ),
      LIMITS,
    );
    expect(fit.unknowns[0]).toBeCloseTo(2, 6);
    expect(fit.unknowns[1]).toBeCloseTo(3, 6);
    // Unit noise: var(slope) = 1 / sum (x - mean)^2 = 1 / 5; var(intercept) = sum x^2 / (n x 5) = 14 / 20.
    expect(inverseDiagonal(fit.factor, 1)).toBeCloseTo(0.2, 6);
    expect(inverseDiagonal(fit.factor, 0)).toBeCloseTo(0.7, 6);
  });

  it("finds the bottom of Rosenbrock's valley", () => {
    const fit = leastSquares(
      [-1.2, 1],
      (p) => {
        const [x = 0, y = 0] = p;
        return [
          { value: 10 * (y - x * x), unknowns: [0, 1], slopes: [-20 * x, 10] },
          { value: 1 - x, unknowns: [0], slopes: [-1] },
        ];
      },
      LIMITS,
    );
    expect(fit.unknowns[0]).toBeCloseTo(1, 6);
    expect(fit.unknowns[1]).toBeCloseTo(1, 6);
    expect(fit.cost).toBeLessThan(1e-12);
  });

  it('never ends higher than it began, and holds the step', () => {
    const steps: number[] = [];
    let last = 5;
    const fit = leastSquares(
      [5],
      (p) => {
        steps.push(Math.abs((p[0] ?? 0) - last));
        last = p[0] ?? 0;
        return [{ value: Math.atan(last), unknowns: [0], slopes: [1 / (1 + last * last)] }];
      },
      { ...LIMITS, maxMove: 0.5 },
    );
    expect(fit.cost).toBeLessThanOrEqual(Math.atan(5) ** 2);
    expect(fit.unknowns[0]).toBeCloseTo(0, 6);
  });
});
