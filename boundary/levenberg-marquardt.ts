import { choleskyFactor, type SquareMatrix, solveWithFactor, squareMatrix } from './linear-algebra.ts';

/** One residual of a least-squares problem, in units of its own standard deviation, with its slopes. */
export interface Residual {
  readonly value: number;
  /** Unknowns it depends on ... */
  readonly unknowns: readonly number[];
  /** ... and its derivative by each. */
  readonly slopes: readonly number[];
}

/** The residuals at a point; always the same number of them, in the same order. */
export type Residuals = (unknowns: Float64Array) => readonly Residual[];

export interface Fit {
  readonly unknowns: Float64Array;
  /** Sum of squared residuals. */
  readonly cost: number;
  /** Cholesky factor of the normal equations J'J at the solution: its inverse is the covariance of the unknowns. */
  readonly factor: SquareMatrix;
}

export interface FitLimits {
  readonly maxSteps: number;
  /** No unknown moves farther than this in one step. */
  readonly maxMove: number;
  /** Converged when no unknown moves farther than this. */
  readonly tolerance: number;
}

const START_DAMPING = 1e-3;
const LEAST_DAMPING = 1e-7;
const MOST_DAMPING = 1e9;
const EASE = 5;
const STIFFEN = 6;
/** Keeps the normal equations regular when an unknown has no residual yet. */
const RIDGE = 1e-9;

/**
 * Minimises a sum of squares by Levenberg-Marquardt with Marquardt's scaling of the diagonal. Deterministic: the same
 * start gives the same end.
 */
export function leastSquares(start: ArrayLike<number>, residuals: Residuals, limits: FitLimits): Fit {
  let unknowns = Float64Array.from(start);
  let rows = residuals(unknowns);
  let cost = costOf(rows);
  let damping = START_DAMPING;
  for (let step = 0; step < limits.maxSteps; step++) {
    const { matrix, gradient } = normalEquations(rows, unknowns.length);
    let moved: number | null = null;
    while (moved === null && damping < MOST_DAMPING) {
      const move = dampedMove(matrix, gradient, damping);
      const tried = move && unknowns.map((value, i) => value - clampMove(move[i] ?? 0, limits.maxMove));
      const triedRows = tried && residuals(tried);
      const triedCost = triedRows ? costOf(triedRows) : Number.POSITIVE_INFINITY;
      if (tried && triedRows && triedCost <= cost + 1e-12) {
        moved = tried.reduce((most, value, i) => Math.max(most, Math.abs(value - (unknowns[i] ?? 0))), 0);
        unknowns = tried;
        rows = triedRows;
        cost = triedCost;
        damping = Math.max(LEAST_DAMPING, damping / EASE);
      } else damping *= STIFFEN;
    }
    if (moved === null || moved <= limits.tolerance) break;
  }
  const { matrix } = normalEquations(rows, unknowns.length);
  const factor = choleskyFactor(withDiagonal(matrix, (value) => value + RIDGE));
  if (!factor) throw new RangeError('the normal equations are singular: an unknown has no prior');
  return { unknowns, cost, factor };
}

function costOf(rows: readonly Residual[]): number {
  let cost = 0;
  for (const { value } of rows) cost += value * value;
  return cost;
}

function normalEquations(
  rows: readonly Residual[],
  size: number,
): { readonly matrix: SquareMatrix; readonly gradient: Float64Array } {
  const matrix = squareMatrix(size);
  const gradient = new Float64Array(size);
  for (const { value, unknowns, slopes } of rows) {
    for (let a = 0; a < unknowns.length; a++) {
      const row = unknowns[a] ?? 0;
      const slope = slopes[a] ?? 0;
      gradient[row] = (gradient[row] ?? 0) + slope * value;
      for (let b = 0; b < unknowns.length; b++) {
        const cell = row * size + (unknowns[b] ?? 0);
        matrix.values[cell] = (matrix.values[cell] ?? 0) + slope * (slopes[b] ?? 0);
      }
    }
  }
  return { matrix, gradient };
}

function dampedMove(matrix: SquareMatrix, gradient: Float64Array, damping: number): Float64Array | null {
  const factor = choleskyFactor(withDiagonal(matrix, (value) => value * (1 + damping) + RIDGE));
  return factor && solveWithFactor(factor, gradient);
}

function withDiagonal({ size, values }: SquareMatrix, change: (value: number) => number): SquareMatrix {
  const copy = Float64Array.from(values);
  for (let i = 0; i < size; i++) copy[i * size + i] = change(copy[i * size + i] ?? 0);
  return { size, values: copy };
}

function clampMove(move: number, most: number): number {
  return Math.min(most, Math.max(-most, move));
}
