import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import type { PlaneWindow } from './isoline.ts';
import { hasEstimates } from './limit-figure.ts';
import type { PictureSize } from './picture-size.ts';
import { planeWindow } from './plane-window.ts';

/** Where things go in a picture of the curve; everything that depends on the picture's size is decided here. */
export interface CurveFrame {
  readonly size: PictureSize;
  readonly isNarrow: boolean;
  readonly window: PlaneWindow;
  /** Margins around the plot, CSS pixels. */
  readonly grid: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
  readonly plot: PictureSize;
  /** Pixels per decade. */
  readonly bytesDecadePx: number;
  readonly rateDecadePx: number;
  /** Sizes that get a tick and a label on the axis, bytes. */
  readonly sizeTicks: readonly number[];
  /** Points so close together that their labels must be slanted. */
  readonly isDense: boolean;
  /** The points are told by their estimates, not by their lower bounds. */
  readonly isEstimated: boolean;
}

const KEY_ROW_PX = 22;
/** A line of the subtitle. */
export const HEAD_LINE_PX = 16;
const SIZE_LABEL_PX = 48;
const POINT_LABEL_PX = 74;
/** With its margin beside the rate; a narrow picture has it below. */
const ESTIMATE_LABEL_PX = 116;

/** Lays out a picture: `keyRows` rows of the key go below the axis, `headLines` more lines than usual above. */
export function curveFrame(
  points: readonly BoundaryPoint[],
  size: PictureSize,
  keyRows: number,
  headLines = 0,
): CurveFrame {
  const isNarrow = size.widthPx < 600;
  const window = planeWindow(points);
  const left = isNarrow ? 58 : 84;
  const right = isNarrow ? 12 : 28;
  const bytesDecadePx = (size.widthPx - left - right) / Math.log10(window.maxBytes / window.minBytes);
  const sizes = points.map((point) => point.messageBytes);
  const isEstimated = hasEstimates(points);
  const labelPx = isEstimated && !isNarrow ? ESTIMATE_LABEL_PX : POINT_LABEL_PX;
  const isDense = apart(sizes, labelPx / bytesDecadePx).length < sizes.length;
  const grid = {
    left,
    right,
    // slanted labels of the first points reach above the plot
    top: (isNarrow ? 100 : 84) + (isDense ? 62 : 0) + headLines * HEAD_LINE_PX,
    bottom: 64 + keyRows * KEY_ROW_PX,
  };
  const plot = {
    widthPx: size.widthPx - grid.left - grid.right,
    heightPx: size.heightPx - grid.top - grid.bottom,
  };
  return {
    size,
    isNarrow,
    window,
    grid,
    plot,
    bytesDecadePx,
    rateDecadePx: plot.heightPx / Math.log10(window.maxRate / window.minRate),
    sizeTicks: apart(sizes.length > 0 ? sizes : [100, 1_000, 10_000], SIZE_LABEL_PX / bytesDecadePx),
    isDense,
    isEstimated,
  };
}

/** The sizes that stand at least `decades` apart, from the smallest on. */
function apart(sizes: readonly number[], decades: number): number[] {
  const kept: number[] = [];
  for (const size of sizes) {
    const before = kept.at(-1);
    if (before === undefined || Math.log10(size / before) >= decades) kept.push(size);
  }
  return kept;
}

/** Top of the key's row, counted from the top of the picture, CSS pixels. */
export function keyRowTopPx(size: PictureSize, row: number, rows: number): number {
  return size.heightPx - (rows - row) * KEY_ROW_PX - 6;
}
