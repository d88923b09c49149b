/** What a sequential test is after. Ratios 0..1. */
export interface SequentialTest {
  readonly limit: number;
  /** Means this close to the limit may be taken for either side (indifference zone). */
  readonly zone: number;
  /** Share of means at the edge of the zone that may be taken for the wrong side (Wald's alpha and beta). */
  readonly wrongShare: number;
  /** Tests of which each one alone may say `below`: alpha is shared between them. */
  readonly tests: number;
}

/** Fewer looks settle nothing. */
const LEAST_LOOKS = 4;

/** Looks are taken to scatter at least this much, as measured on brokers near the limit (one-second looks). */
const LEAST_DEVIATION = 0.05;

/**
 * Correlation of neighbouring looks. Too few to estimate it from, so it is set to what a slow broker shows; looks that
 * are less alike are only believed later than they could be.
 */
const CORRELATION = 0.7;

/**
 * Wald's sequential probability ratio test on the mean of a broker's idle: is it above the limit or below? Between
 * limit + zone and limit - zone as hypotheses the log likelihood ratio of a normal mean is 2 x zone x distance /
 * variance of the mean; the variance counts the looks as an autoregressive series. A mean at the edge of the zone is
 * taken for the wrong side in `wrongShare` of the cases, a farther one less often.
 *
 * @param looks idle look by look, 0..1.
 * @returns null while it is too early to tell.
 */
export function leaningOf(looks: readonly number[], test: SequentialTest): 'above' | 'below' | null {
  if (looks.length < LEAST_LOOKS) return null;
  const mean = looks.reduce((sum, look) => sum + look, 0) / looks.length;
  const ratio = (2 * test.zone * (test.limit - mean)) / varianceOfMean(looks, mean);
  const odds = (1 - test.wrongShare) / test.wrongShare;
  if (ratio >= Math.log(odds * test.tests)) return 'below';
  return ratio <= -Math.log(odds) ? 'above' : null;
}

/** Variance of the mean of correlated looks; their own scatter understates it in short series, which is made good. */
function varianceOfMean(looks: readonly number[], mean: number): number {
  const count = looks.length;
  let inflation = 1;
  for (let lag = 1; lag < count; lag++) inflation += 2 * (1 - lag / count) * CORRELATION ** lag;
  const squares = looks.reduce((sum, look) => sum + (look - mean) ** 2, 0);
  const variance = Math.max(LEAST_DEVIATION ** 2, squares / (count - inflation));
  return (variance * inflation) / count;
}
