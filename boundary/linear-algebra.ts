/** A symmetric matrix by rows, `size` x `size`. */
export interface SquareMatrix {
  readonly size: number;
  readonly values: Float64Array;
}

export function squareMatrix(size: number): SquareMatrix {
  return { size, values: new Float64Array(size * size) };
}

/** A pivot under this share of the largest diagonal element counts as none. */
const SMALLEST_PIVOT = 1e-13;

/**
 * Cholesky factor: the lower triangular L with L L' = matrix (only the lower triangle of the matrix is read).
 * @returns null when the matrix is not positive definite.
 */
export function choleskyFactor({ size, values }: SquareMatrix): SquareMatrix | null {
  const factor = squareMatrix(size);
  const l = factor.values;
  let largest = 0;
  for (let i = 0; i < size; i++) largest = Math.max(largest, at(values, i * size + i));
  for (let column = 0; column < size; column++) {
    let pivot = at(values, column * size + column);
    for (let k = 0; k < column; k++) pivot -= at(l, column * size + k) ** 2;
    if (!(pivot > SMALLEST_PIVOT * largest)) return null;
    const root = Math.sqrt(pivot);
    l[column * size + column] = root;
    for (let row = column + 1; row < size; row++) {
      let value = at(values, row * size + column);
      for (let k = 0; k < column; k++) value -= at(l, row * size + k) * at(l, column * size + k);
      l[row * size + column] = value / root;
    }
  }
  return factor;
}

/** Solves L y = b for a lower triangular L. */
export function solveLower({ size, values }: SquareMatrix, right: ArrayLike<number>): Float64Array {
  const y = Float64Array.from(right);
  for (let row = 0; row < size; row++) {
    let value = at(y, row);
    for (let k = 0; k < row; k++) value -= at(values, row * size + k) * at(y, k);
    y[row] = value / at(values, row * size + row);
  }
  return y;
}

/** Solves L L' x = b, that is matrix x = b, from the Cholesky factor of the matrix. */
export function solveWithFactor(factor: SquareMatrix, right: ArrayLike<number>): Float64Array {
  const { size, values } = factor;
  const x = solveLower(factor, right);
  for (let row = size - 1; row >= 0; row--) {
    let value = at(x, row);
    for (let k = row + 1; k < size; k++) value -= at(values, k * size + row) * at(x, k);
    x[row] = value / at(values, row * size + row);
  }
  return x;
}

/** Entry (row, row) of the inverse: with normal equations the variance of that unknown. */
export function inverseDiagonal(factor: SquareMatrix, index: number): number {
  const unit = new Float64Array(factor.size);
  unit[index] = 1;
  return solveLower(factor, unit).reduce((sum, value) => sum + value * value, 0);
}

// Indices here are in range by construction; a miss would show as NaN at once.
function at(values: Float64Array, index: number): number {
  return values[index] ?? Number.NaN;
}
