import { formatBytes } from '../../units.ts';
import { marginText } from '../figure-text.ts';
import type { SearchConfig } from '../search.ts';
import type { SizeState } from './adaptive-state.ts';
import type { CurveGap } from './curve-gaps.ts';
import type { Outlook } from './look.ts';
import { precisionOf, type SizeView } from './size-view.ts';
import { untried } from './take-in.ts';

/** The curve between sizes is to be known within so many times the precision that its points have. */
const GOAL_PRECISIONS = 2;
/** A search adds no size once it has this many. */
const MOST_SIZES = 12;

/** The size that a search of a range of sizes adds next, where the curve is known least; null when it is known well. */
export function chooseSize(
  config: SearchConfig,
  sizes: readonly SizeState[],
  outlook: Outlook,
): SizeState | null {
  if (!config.sizeRange || sizes.length >= MOST_SIZES) return null;
  const worst = wideGaps(config, outlook).reduce<CurveGap | null>(
    (most, gap) => (gap.halfWidth > (most?.halfWidth ?? 0) ? gap : most),
    null,
  );
  if (!worst || worst.middle === null) return null;
  const between = `${formatBytes(worst.from)} and ${formatBytes(worst.to)}`;
  const added = `the curve between ${between} is known to ${marginText(worst.halfWidth, 0)} only`;
  return { ...untried(worst.middle), added };
}

/** Gaps that are worth a size: too wide, with room in them, and between two sizes whose limit can be found. */
function wideGaps(config: SearchConfig, { views, gaps }: Outlook): readonly CurveGap[] {
  const lost = new Set(views.filter(isWithoutLimit).map(({ size }) => size.messageBytes));
  return gaps.filter(
    ({ from, to, middle, halfWidth }) =>
      middle !== null &&
      halfWidth > GOAL_PRECISIONS * precisionOf(config) &&
      !lost.has(from) &&
      !lost.has(to),
  );
}

/** A size that has ended with no more than a bound, or with verdicts alone. */
function isWithoutLimit({ ending, isModelled }: SizeView): boolean {
  return !isModelled || (ending !== null && ending.kind !== 'effort');
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
    ? wideGaps(config, outlook).reduce((sum, gap) => sum + between(gap.from, gap.to), 0)
    : between(from, to) + 2 - sizes.length;
  return Math.max(0, Math.min(wanted, MOST_SIZES - sizes.length));
}
