/** Density of the standard normal distribution. */
export function normalDensity(z: number): number {
  return Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI);
}

/**
 * Probability that a standard normal value is at most z. Abramowitz and Stegun 26.2.17, absolute error under 7.5e-8.
 */
export function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = normalDensity(z) * series;
  return z > 0 ? 1 - tail : tail;
}

/**
 * The value that a standard normal one stays under with probability p, 0 < p < 1. Abramowitz and Stegun 26.2.23, absolute
 * error under 4.5e-4.
 */
export function normalQuantile(p: number): number {
  const t = Math.sqrt(-2 * Math.log(Math.min(p, 1 - p)));
  const above = 2.515517 + t * (0.802853 + t * 0.010328);
  const below = 1 + t * (1.432788 + t * (0.189269 + t * 0.001308));
  const distance = t - above / below;
  return p < 0.5 ? -distance : distance;
}

export interface MeanAndVariance {
  readonly mean: number;
  readonly variance: number;
}

const GRID_STEPS = 120;

/**
 * Mean and variance of the least of independent normal values, by a sum over a grid: taking the least of the estimates
 * instead would read too low, the more so the more alike and the less certain they are.
 */
export function leastOfNormals(values: readonly MeanAndVariance[]): MeanAndVariance {
  const deviations = values.map(({ variance }) => Math.sqrt(Math.max(variance, 1e-12)));
  const low = Math.min(...values.map(({ mean }, i) => mean - 6 * (deviations[i] ?? 0)));
  const high = Math.min(...values.map(({ mean }, i) => mean + 6 * (deviations[i] ?? 0)));
  const step = (high - low) / GRID_STEPS;
  let mean = low;
  let square = 0;
  // E[min] = low + the integral of P(min > v) above low, and likewise for the square of the distance from low.
  for (let k = 0; k < GRID_STEPS; k++) {
    const distance = (k + 0.5) * step;
    const above = values.reduce(
      (product, value, i) => product * normalCdf((value.mean - low - distance) / (deviations[i] ?? 1)),
      1,
    );
    mean += above * step;
    square += 2 * distance * above * step;
  }
  return { mean, variance: Math.max(0, square - (mean - low) ** 2) };
}
