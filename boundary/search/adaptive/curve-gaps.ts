import { roundSize } from '../../units.ts';
import { type Analysis, type AnalysisInput, analyse, type SizeAnalysis } from './analyse.ts';
import { halfWidth } from './limit-estimate.ts';

/** The stretch of the curve between two neighbouring sizes. */
export interface CurveGap {
  /** Sizes at its ends, bytes. */
  readonly from: number;
  readonly to: number;
  /** A size in its middle, bytes; null when there is no other. */
  readonly middle: number | null;
  /** Half of the 95 % interval around the straight line between the ends, in logarithms, at its middle. */
  readonly halfWidth: number;
}

/** Sizes closer than this have nothing between them. */
const CLOSEST_FACTOR = 1.3;

/**
 * How well the limits at the sizes of a run tell the curve between them. A candidate without trials is added to the model
 * in the middle of each gap: its interval is that of the cost law and of its smooth misfit. The line's own error is added:
 * the law bends, and where another rule takes over the curve has a corner somewhere in the gap.
 */
export function curveGaps(input: AnalysisInput, analysis: Analysis): readonly CurveGap[] {
  const order = [...input.sizes.keys()].sort((a, b) => (input.sizes[a] ?? 0) - (input.sizes[b] ?? 0));
  const pairs = order.slice(1).flatMap((upper, i) => {
    const lower = order[i];
    return lower === undefined ? [] : [{ lower, upper, ...middleOf(input.sizes, lower, upper) }];
  });
  if (pairs.length === 0) return [];
  const wider = analyse({ ...input, sizes: [...input.sizes, ...pairs.map(({ bytes }) => bytes)] });
  return pairs.map(({ lower, upper, bytes, isBetween }, i): CurveGap => {
    const at = input.sizes.length + i;
    const from = input.sizes[lower] ?? bytes;
    const to = input.sizes[upper] ?? bytes;
    const share = Math.log(bytes / from) / Math.log(to / from);
    const limit = (size: number) => wider.model.lnLimit[size] ?? 0;
    const bend = Math.abs(limit(at) - (1 - share) * limit(lower) - share * limit(upper));
    const candidate = wider.sizes[at];
    return {
      from,
      to,
      middle: isBetween ? bytes : null,
      halfWidth: (candidate ? halfWidth(candidate.estimate) : 1) + bend + cornerOf(analysis, lower, upper),
    };
  });
}

function middleOf(sizes: readonly number[], lower: number, upper: number) {
  const from = sizes[lower] ?? 1;
  const to = sizes[upper] ?? 1;
  const exact = Math.sqrt(from * to);
  const round = roundSize(exact);
  const isBetween = round > from * CLOSEST_FACTOR && round < to / CLOSEST_FACTOR;
  return { bytes: isBetween ? round : exact, isBetween };
}

/** How far off a line may be in its middle where the rules at its ends differ: a corner of the least of two limits. */
function cornerOf({ sizes, model }: Analysis, lower: number, upper: number): number {
  const ends = [lower, upper].flatMap((size): [SizeAnalysis, number][] => {
    const at = sizes[size];
    return at ? [[at, at.estimate.median - (model.lnLimit[size] ?? 0)]] : [];
  });
  const [[one, cutOne] = [], [two, cutTwo] = []] = ends;
  if (!one || !two || one.estimate.rule === two.estimate.rule) return 0;
  return Math.abs((cutOne ?? 0) - (cutTwo ?? 0)) / 4;
}
