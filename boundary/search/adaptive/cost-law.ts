import { choleskyFactor, type SquareMatrix, solveLower, squareMatrix } from '../../linear-algebra.ts';

/** ln of the two costs of a message: seconds each, and seconds per byte. Their sum is one over the limit. */
export interface CostLaw {
  readonly lnMessageCost: number;
  readonly lnByteCost: number;
}

/** ln of the limit in messages per second that the law gives for a size. */
export function lnLimitOf(law: CostLaw, bytes: number): number {
  return -Math.log(Math.exp(law.lnMessageCost) + Math.exp(law.lnByteCost) * bytes);
}

export interface WeightedLimit {
  readonly bytes: number;
  readonly lnLimit: number;
  readonly weight: number;
}

const RATIO_SPAN = 12;
const RATIO_STEP = 0.5;
/** How much a mixed law is preferred where the limits leave it open: per squared unit of ln(ratio). */
const MIXED_PREFERENCE = 1e-4;

/** A cost law near some limits, by trying ratios of the two costs: a start for the fit, and only that. */
export function roughCostLaw(limits: readonly WeightedLimit[]): CostLaw {
  const lnMiddle = limits.reduce((sum, { bytes }) => sum + Math.log(bytes), 0) / Math.max(1, limits.length);
  let best = { lnMessageCost: 0, lnByteCost: -lnMiddle };
  let least = Number.POSITIVE_INFINITY;
  for (let lnRatio = -RATIO_SPAN; lnRatio <= RATIO_SPAN; lnRatio += RATIO_STEP) {
    let sum = 0;
    let weights = 0;
    const shapes = limits.map(({ bytes }) => Math.log(1 + Math.exp(lnRatio + Math.log(bytes) - lnMiddle)));
    limits.forEach(({ lnLimit, weight }, i) => {
      sum += weight * (lnLimit + (shapes[i] ?? 0));
      weights += weight;
    });
    const lnMessageCost = weights > 0 ? -sum / weights : 0;
    const misfit = limits.reduce(
      (total, { lnLimit, weight }, i) => total + weight * (lnLimit + (shapes[i] ?? 0) + lnMessageCost) ** 2,
      MIXED_PREFERENCE * lnRatio ** 2,
    );
    if (misfit < least) {
      least = misfit;
      best = { lnMessageCost, lnByteCost: lnMessageCost + lnRatio - lnMiddle };
    }
  }
  return best;
}

/**
 * Rows that turn the misfits of all sizes into independent values of deviation 1: the inverse of the Cholesky factor of
 * their correlation. Sizes close to each other are off the law alike; `roughShare` of the variance is each size's own.
 */
export function misfitWhitening(
  sizes: readonly number[],
  { length, roughShare }: { readonly length: number; readonly roughShare: number },
): readonly Float64Array[] {
  const n = sizes.length;
  const correlation = squareMatrix(n);
  sizes.forEach((a, i) => {
    sizes.forEach((b, j) => {
      const apart = Math.log(a / b) / length;
      correlation.values[i * n + j] =
        (1 - roughShare) * Math.exp(-0.5 * apart * apart) + (i === j ? roughShare : 0);
    });
  });
  const factor = choleskyFactor(correlation);
  if (!factor) throw new RangeError('the misfits of sizes need some variance of their own');
  return inverseRows(factor);
}

function inverseRows(lower: SquareMatrix): Float64Array[] {
  const n = lower.size;
  const rows = Array.from({ length: n }, () => new Float64Array(n));
  for (let column = 0; column < n; column++) {
    const unit = new Float64Array(n);
    unit[column] = 1;
    solveLower(lower, unit).forEach((value, row) => {
      const target = rows[row];
      if (target) target[column] = value;
    });
  }
  return rows;
}
