import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  choleskyFactor,
  inverseDiagonal,
  solveLower,
  solveWithFactor,
  squareMatrix,
} from '../../boundary/linear-algebra.ts';

const matrixOf = (rows: readonly (readonly number[])[]) => {
  const matrix = squareMatrix(rows.length);
  matrix.values.set(rows.flat());
  return matrix;
};

describe('Cholesky', () => {
  it('factors a matrix that can be checked by hand', () => {
    const factor = choleskyFactor(
      matrixOf([
        [4, 2],
        [2, 10],
      ]),
    );
    expect([...(factor?.values ?? [])]).toEqual([2, 0, 1, 3]);
    expect(factor && [...solveLower(factor, [2, 7])]).toEqual([1, 2]);
    expect(factor && [...solveWithFactor(factor, [8, 22])]).toEqual([1, 2]);
    // The inverse is [[10, -2], [-2, 4]] / 36.
    expect(factor && inverseDiagonal(factor, 0)).toBeCloseTo(10 / 36, 12);
    expect(factor && inverseDiagonal(factor, 1)).toBeCloseTo(4 / 36, 12);
  });

  it.each([
    {
      rows: [
        [1, 2],
        [2, 1],
      ],
      why: 'indefinite',
    },
    {
      rows: [
        [1, 1],
        [1, 1],
      ],
      why: 'singular',
    },
    { rows: [[Number.NaN]], why: 'not a number' },
  ])('has no factor for a matrix that is $why', ({ rows }) => {
    expect(choleskyFactor(matrixOf(rows))).toBeNull();
  });

  it('solves what it factored', () => {
    const entry = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }).chain((size) =>
          fc.record({
            size: fc.constant(size),
            root: fc.array(entry, { minLength: size * size, maxLength: size * size }),
            x: fc.array(entry, { minLength: size, maxLength: size }),
          }),
        ),
        ({ size, root, x }) => {
          const matrix = squareMatrix(size);
          for (let i = 0; i < size; i++)
            for (let j = 0; j < size; j++) {
              let sum = i === j ? 0.1 : 0;
              for (let k = 0; k < size; k++) sum += (root[i * size + k] ?? 0) * (root[j * size + k] ?? 0);
              matrix.values[i * size + j] = sum;
            }
          const right = x.map((_, i) =>
            x.reduce((sum, v, j) => sum + (matrix.values[i * size + j] ?? 0) * v, 0),
          );
          const factor = choleskyFactor(matrix);
          const solved = factor && solveWithFactor(factor, right);
          x.forEach((value, i) => {
            expect(solved?.[i]).toBeCloseTo(value, 8);
          });
        },
      ),
    );
  });
});
