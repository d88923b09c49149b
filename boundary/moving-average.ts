/** A meter's moving averages are renewed this often, ms (Yammer Metrics 2.2.0, Meter and EWMA). */
export const TICK_MS = 5_000;

export type RateMinutes = 1 | 5 | 15;

/** Weight of the newest tick in a moving average: 1 - exp(-5 s / minutes); 0.0800 for one minute. */
export function newestWeight(minutes: RateMinutes): number {
  return -Math.expm1(-TICK_MS / (minutes * 60_000));
}

/** What the ticks between two looks at a moving average amount to. */
export interface Ticks {
  /** Bounds of the sum of the ticks' values, whatever their order. */
  readonly lowSum: number;
  readonly highSum: number;
  /** The one value that all of them had, were they alike. */
  readonly steady: number;
}

/**
 * Inverts a moving average: what were the `ticks` values that took it from `earlier` to `later`?
 *
 * Each tick does r += a (x - r), so (later - earlier q^n) / a = sum of x_i q^(n-i) with q = 1 - a: a weighted sum with
 * weights between q^(n-1) for the oldest and 1 for the newest. One tick is thus known exactly. Of more, the plain sum
 * is least when all came last and greatest when all came first, no tick above `most`.
 *
 * @param ticks at least 1.
 * @param most largest value that a tick can have; Infinity for events.
 * @returns null when no values in range explain the change, allowing for `slack` in each.
 */
export function ticksBetween(
  earlier: number,
  later: number,
  ticks: number,
  average: { readonly newest: number; readonly most: number; readonly slack: number },
): Ticks | null {
  const { newest, most, slack } = average;
  const kept = 1 - newest;
  const weightOfAll = (1 - kept ** ticks) / newest;
  const weighted = (later - earlier * kept ** ticks) / newest;
  if (weighted < -slack * weightOfAll || weighted > (most + slack) * weightOfAll) return null;
  const steady = weighted / weightOfAll;
  const sum = (ageOf: (i: number) => number) => {
    let left = Math.max(0, weighted);
    let total = 0;
    for (let i = 0; i < ticks && left > 0; i++) {
      const weight = kept ** ageOf(i);
      const value = Math.min(most, left / weight);
      total += value;
      left -= value * weight;
    }
    return total;
  };
  return { lowSum: sum((i) => i), highSum: sum((i) => ticks - 1 - i), steady: Math.max(0, steady) };
}
