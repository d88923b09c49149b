import { formatBytes } from '../../units.ts';
import type { SearchConfig } from '../search.ts';
import type { SizeState } from './adaptive-state.ts';
import { type CurveGap, curveGaps } from './curve-gaps.ts';
import type { Outlook } from './look.ts';
import { precisionOf } from './size-view.ts';
import { untried } from './take-in.ts';

/** The curve between sizes is to be known within so many times the precision that its points have. */
const GOAL_PRECISIONS = 2;
/** A search adds no size once it has this many. */
const MOST_SIZES = 12;

/** The size that a search of a range of sizes adds next, where the curve is known least; null when it is known well. */
export function chooseSize(
  config: SearchConfig,
  sizes: readonly SizeState[],
  { input, analysis }: Outlook,
): SizeState | null {
  if (!config.sizeRange || sizes.length >= MOST_SIZES) return null;
  const worst = curveGaps(input, analysis).reduce<CurveGap | null>(
    (most, gap) => (gap.middle !== null && gap.halfWidth > (most?.halfWidth ?? 0) ? gap : most),
    null,
  );
  if (!worst || worst.middle === null || worst.halfWidth <= GOAL_PRECISIONS * precisionOf(config))
    return null;
  const between = `${formatBytes(worst.from)} and ${formatBytes(worst.to)}`;
  const added = `the curve between ${between} is known to +-${(100 * worst.halfWidth).toFixed(0)} % only`;
  return { ...untried(worst.middle), added };
}

/** Sizes of a finished curve are about this far apart, ln(bytes). */
const USUAL_SPACING = 1;

/** How many sizes a search of a range will likely add. */
export function sizesToCome(
  config: SearchConfig,
  sizes: readonly SizeState[],
  outlook: Outlook | null,
): number {
  if (!config.sizeRange) return 0;
  const between = (from: number, to: number) =>
    Math.max(1, Math.round(Math.log(to / from) / USUAL_SPACING) - 1);
  const { from, to } = config.sizeRange;
  const wanted = outlook
    ? curveGaps(outlook.input, outlook.analysis)
        .filter((gap) => gap.middle !== null && gap.halfWidth > GOAL_PRECISIONS * precisionOf(config))
        .reduce((sum, gap) => sum + between(gap.from, gap.to), 0)
    : between(from, to) + 2 - sizes.length;
  return Math.max(0, Math.min(wanted, MOST_SIZES - sizes.length));
}
