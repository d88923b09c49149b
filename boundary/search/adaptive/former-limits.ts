import type { FormerComparison } from '../../boundary-point.ts';
import type { FormerLimit } from '../search.ts';
import type { Analysis, SizeAnalysis } from './analyse.ts';
import type { LimitHint } from './idle-model-types.ts';
import { halfWidth, INTERVAL } from './limit-estimate.ts';

/** How the former limit of one size stands beside what this run alone has found. */
export interface FormerStanding {
  readonly limit: FormerLimit;
  /** This run against the former one; null before the size has a trial. */
  readonly difference: Difference | null;
  /** Whether the former limit has lost its say. */
  readonly isDropped: boolean;
  /** ln of the change that all sizes have in common; null when none is seen. */
  readonly commonChange: number | null;
  /** A change smaller than this is none, ln(load). */
  readonly margin: number;
}

export interface Difference {
  /** ln of this run's limit over the former one. */
  readonly apart: number;
  /** Its variance if nothing has changed: what each size has for itself, and what all have in common. */
  readonly ownVariance: number;
  readonly commonVariance: number;
}

/** An unchanged cluster is off its former limit by this from one day to the next, ln(load). */
const DAY_TO_DAY = 0.03;
/** Beyond this many deviations a former limit loses its say: more trials decide, and may give it back. */
const SUSPECT_BEYOND = 1.64;
/** One trial alone may be an outlier. */
const LEAST_TRIALS = 2;
/** A test that would miss a change of this, ln(load), confirms nothing. */
const TELLING = 0.3;
/** Once the cluster is seen to have changed, a size without trials starts from the common change, as vaguely as this. */
const VAGUE = 0.3;

/**
 * Sets former limits against what the trials of this run say without them: the tests are of evidence that has nothing in
 * common. A size whose own trials contradict its former limit drops it; when all sizes together have moved, all do.
 *
 * @param fresh the analysis without former limits; null before the first trial.
 * @param precision what was asked for, 0..1: a change smaller than that refutes nothing, since a limit need not be known better.
 * @returns by size; null where the former run has nothing.
 */
export function formerStandings(
  sizes: readonly number[],
  former: readonly FormerLimit[],
  fresh: Analysis | null,
  precision: number,
): readonly (FormerStanding | null)[] {
  const margin = Math.log1p(precision);
  const differences = sizes.map((messageBytes, size) => {
    const limit = former.find((one) => one.messageBytes === messageBytes);
    const here = fresh?.sizes[size];
    return limit ? { limit, here, difference: differenceOf(limit, here) } : null;
  });
  const commonChange = commonChangeOf(
    differences.flatMap((one) => one?.difference ?? []),
    margin,
  );
  return differences.map((one): FormerStanding | null => {
    if (!one) return null;
    const { limit, here, difference } = one;
    const isSuspect =
      difference !== null &&
      (here?.readings ?? 0) >= LEAST_TRIALS &&
      Math.abs(difference.apart) > Math.max(margin, SUSPECT_BEYOND * deviationOf(difference));
    return { limit, difference, isDropped: isSuspect || commonChange !== null, commonChange, margin };
  });
}

function differenceOf(limit: FormerLimit, here: SizeAnalysis | undefined): Difference | null {
  if (!here || here.readings === 0) return null;
  const during = halfWidth(here.estimate) ** 2;
  return {
    apart: here.estimate.median - Math.log(limit.estimate),
    ownVariance: (during + halfOf(limit) ** 2) / INTERVAL ** 2,
    commonVariance: DAY_TO_DAY ** 2 + here.unseenDrift,
  };
}

/** Former limits as hints to the model: those that have kept their say. */
export function formerHints(standings: readonly (FormerStanding | null)[]): LimitHint[] {
  return standings.flatMap((standing, size): LimitHint[] => {
    if (!standing) return [];
    const { limit, difference, isDropped, commonChange } = standing;
    const lnLimit = Math.log(limit.estimate);
    if (!isDropped) return [{ size, lnLimit, deviation: Math.hypot(halfOf(limit) / INTERVAL, DAY_TO_DAY) }];
    const isUntried = difference === null && commonChange !== null;
    return isUntried ? [{ size, lnLimit: lnLimit + commonChange, deviation: VAGUE }] : [];
  });
}

/**
 * What the trials of this run make of a former limit: a test of the difference at 95 %, and of more than the margin. Where all sizes have moved, a size
 * has moved with them unless its own difference is nearer to none.
 *
 * @param estimate this run's limit, messages per second.
 * @returns null when the trials are too few to tell.
 */
export function compareWithFormer(standing: FormerStanding, estimate: number): FormerComparison | null {
  const { limit, difference, commonChange, margin } = standing;
  if (!difference) return null;
  const ratio = estimate / limit.estimate;
  const hasMovedAlong = commonChange !== null && difference.apart / commonChange > 0.5;
  if (hasMovedAlong || Math.abs(difference.apart) > Math.max(margin, INTERVAL * deviationOf(difference))) {
    return { outcome: 'refuted', ratio };
  }
  return isTelling(standing) ? { outcome: 'confirmed', ratio } : null;
}

/** Whether the trials would have shown a change of a third. */
export function isTelling({ difference }: FormerStanding): boolean {
  return difference !== null && INTERVAL * deviationOf(difference) <= TELLING;
}

/** ln of the change that all tested sizes have in common, when there is one at 95 % and over the margin. */
function commonChangeOf(tested: readonly Difference[], margin: number): number | null {
  if (tested.length < LEAST_TRIALS) return null;
  const weight = tested.reduce((sum, { ownVariance }) => sum + 1 / ownVariance, 0);
  const change = tested.reduce((sum, { apart, ownVariance }) => sum + apart / ownVariance, 0) / weight;
  const common = Math.max(...tested.map(({ commonVariance }) => commonVariance));
  return Math.abs(change) > Math.max(margin, INTERVAL * Math.sqrt(common + 1 / weight)) ? change : null;
}

function deviationOf({ ownVariance, commonVariance }: Difference): number {
  return Math.sqrt(ownVariance + commonVariance);
}

/** Half of the former interval, ln(load). */
function halfOf({ low, high }: FormerLimit): number {
  return Math.log(high / low) / 2;
}
