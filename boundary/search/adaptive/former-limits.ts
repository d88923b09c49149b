import type { FormerComparison } from '../../boundary-point.ts';
import type { FormerLimit } from '../search.ts';
import type { Analysis } from './analyse.ts';
import type { LimitHint } from './idle-model-types.ts';
import { halfWidth } from './limit-estimate.ts';

/** How the former limit of one size stands beside what this run alone has found. */
export interface FormerStanding {
  readonly limit: FormerLimit;
  /** ln of this run's limit over the former one, and its deviation if nothing has changed; null before any trial. */
  readonly apart: number | null;
  readonly deviation: number;
  /** Whether the former limit has lost its say. */
  readonly isDropped: boolean;
}

/** An unchanged cluster is off its former limit by this from one day to the next, ln(load). */
const DAY_TO_DAY = 0.03;
const INTERVAL = 1.96;
/** Beyond this many deviations a former limit loses its say: more trials decide, and may give it back. */
const SUSPECT_BEYOND = 1.64;
/** One trial alone may be an outlier. */
const LEAST_TRIALS = 2;
/** A test that would miss a change of this, ln(load), confirms nothing. */
const TELLING = 0.2;
/** Once the cluster is seen to have changed, a size without trials starts from the common change, as vaguely as this. */
const VAGUE = 0.3;

/**
 * Sets former limits against what the trials of this run say without them: the tests are of evidence that has nothing in
 * common. A size whose own trials contradict its former limit drops it; when all sizes together have moved, all do.
 *
 * @param fresh the analysis without former limits; null before the first trial.
 * @returns by size; null where the former run has nothing.
 */
export function formerStandings(
  sizes: readonly number[],
  former: readonly FormerLimit[],
  fresh: Analysis | null,
): readonly (FormerStanding | null)[] {
  const standings = sizes.map((messageBytes, size): FormerStanding | null => {
    const limit = former.find((one) => one.messageBytes === messageBytes);
    if (!limit) return null;
    const here = fresh?.sizes[size];
    if (!here || here.readings === 0)
      return { limit, apart: null, deviation: deviationOf(limit), isDropped: false };
    const apart = here.estimate.median - Math.log(limit.estimate);
    const deviation = Math.hypot(halfWidth(here.lasting) / INTERVAL, deviationOf(limit));
    const isDropped = here.readings >= LEAST_TRIALS && Math.abs(apart) > SUSPECT_BEYOND * deviation;
    return { limit, apart, deviation, isDropped };
  });
  const hasMoved = commonChange(standings) !== null;
  return standings.map((standing) => standing && { ...standing, isDropped: standing.isDropped || hasMoved });
}

/** Former limits as hints to the model: those that have kept their say. */
export function formerHints(standings: readonly (FormerStanding | null)[]): LimitHint[] {
  const change = commonChange(standings);
  return standings.flatMap((standing, size): LimitHint[] => {
    if (!standing) return [];
    const { limit, apart, isDropped } = standing;
    const lnLimit = Math.log(limit.estimate);
    if (!isDropped) return [{ size, lnLimit, deviation: deviationOf(limit) }];
    return apart === null && change !== null ? [{ size, lnLimit: lnLimit + change, deviation: VAGUE }] : [];
  });
}

/**
 * What the trials of this run make of a former limit: a test of the difference at 95 %.
 *
 * @returns null when they are too few to tell a change of a fifth.
 */
export function compareWithFormer(
  { limit, apart, deviation }: FormerStanding,
  estimate: number,
): FormerComparison | null {
  if (apart === null) return null;
  const ratio = estimate / limit.estimate;
  if (Math.abs(apart) > INTERVAL * deviation) return { outcome: 'refuted', ratio };
  return INTERVAL * deviation <= TELLING ? { outcome: 'confirmed', ratio } : null;
}

/**
 * ln of the change that all tested sizes have in common, when there is one. Errors of a day are common too: they do not
 * average out over the sizes.
 */
function commonChange(standings: readonly (FormerStanding | null)[]): number | null {
  const tested = standings.flatMap((standing) =>
    standing && standing.apart !== null ? [{ apart: standing.apart, deviation: standing.deviation }] : [],
  );
  if (tested.length < LEAST_TRIALS) return null;
  const weight = tested.reduce((sum, { deviation }) => sum + 1 / deviation ** 2, 0);
  const change = tested.reduce((sum, { apart, deviation }) => sum + apart / deviation ** 2, 0) / weight;
  const deviation = Math.min(...tested.map((one) => one.deviation));
  return Math.abs(change) > INTERVAL * deviation ? change : null;
}

function deviationOf({ low, high }: FormerLimit): number {
  return Math.hypot(Math.log(high / low) / 2 / INTERVAL, DAY_TO_DAY);
}
