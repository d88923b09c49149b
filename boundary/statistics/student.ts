/**
 * The quantile of Student's distribution under which 97.5 % lie: what stands for 1.96 in a 95 % interval whose deviation is
 * itself an estimate. Cornish-Fisher expansion around the normal quantile (Abramowitz and Stegun 26.7.5, to the third
 * order); within 1 % from 3 degrees of freedom on.
 *
 * @param degrees degrees of freedom of the deviation, at least 1; need not be whole.
 */
export function student975(degrees: number): number {
  const z = NORMAL_975;
  const nu = Math.max(1, degrees);
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / nu + second / nu ** 2 + third / nu ** 3;
}

/** The same of the standard normal distribution. */
export const NORMAL_975 = 1.959964;
