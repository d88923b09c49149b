import type { EChartsOption } from 'echarts';
import type { BoundaryPoint, PointQuality } from '../boundary/boundary-point.ts';
import { keyRowTopPx } from './curve-frame.ts';
import { type KeyShape, keyShapes } from './key-shapes.ts';
import { hasEstimates } from './limit-figure.ts';
import { LIGHT_PALETTE as colour } from './palette.ts';
import type { PictureSize } from './picture-size.ts';

const QUALITY_WORDS: Readonly<Record<PointQuality, string>> = {
  converged: 'lower bound: largest load confirmed sustained',
  wide: 'wide: bounds far apart or not confirmed',
  'at least': 'at least: limit not reached',
  'at most': 'at most: nothing was sustained',
  unstable: 'unstable: repeats contradict each other',
};

/** The same markers about an estimate. */
const ESTIMATE_WORDS: Readonly<Record<PointQuality, string>> = {
  converged: 'estimate of the limit',
  wide: 'wide: known less well than asked for',
  'at least': 'at least: no overload was confirmed',
  'at most': 'at most: no load was confirmed sustained',
  unstable: 'unstable: repeats contradict each other',
};

interface KeyEntry {
  readonly text: string;
  readonly shows: KeyShape;
}

/** The entries that the picture needs: the shapes that occur, and the bracket or the interval. */
export function keyEntries(points: readonly BoundaryPoint[]): readonly KeyEntry[] {
  const isEstimated = hasEstimates(points);
  const words = isEstimated ? ESTIMATE_WORDS : QUALITY_WORDS;
  const present = new Set<PointQuality>(['converged', ...points.map((point) => point.quality)]);
  const markers = [...present].map((quality) => ({ text: words[quality], shows: quality }));
  return [
    ...markers.slice(0, 1),
    ...(isEstimated ? ESTIMATE_ENTRIES : [BRACKET_ENTRY]),
    ...(hasRegion(points) ? [{ text: 'the cluster sustains these loads', shows: 'region' as const }] : []),
    ...markers.slice(1),
  ];
}

const BRACKET_ENTRY: KeyEntry = { text: 'upper bound: smallest load confirmed overloaded', shows: 'bracket' };

const ESTIMATE_ENTRIES: readonly KeyEntry[] = [
  { text: '95 % interval of the limit', shows: 'interval' },
  { text: 'largest load confirmed sustained', shows: 'lower cap' },
  { text: 'smallest load confirmed overloaded', shows: 'upper cap' },
];

/** Only between two neighbours with a lower bound is there something to tint. */
function hasRegion(points: readonly BoundaryPoint[]): boolean {
  return points.some((point, index) => index > 0 && hasLower(point) && hasLower(points[index - 1]));
}

function hasLower(point: BoundaryPoint | undefined): boolean {
  return (point?.lower?.messagesPerSecond ?? 0) > 0;
}

/** Rows that the key takes: one entry a row on a narrow picture, two on a wide one. */
export function keyRows(entries: readonly KeyEntry[], isNarrow: boolean): number {
  return isNarrow ? entries.length : Math.ceil(entries.length / 2);
}

/** Draws the key by hand: ECharts' legend guesses text widths without a font and lets entries overlap. */
export function keyGraphic(
  entries: readonly KeyEntry[],
  size: PictureSize,
  left: number,
): NonNullable<EChartsOption['graphic']> {
  const isNarrow = size.widthPx < 600;
  const columns = isNarrow ? 1 : 2;
  const rows = keyRows(entries, isNarrow);
  const columnPx = (size.widthPx - left) / columns;
  return entries.map((entry, index) => ({
    type: 'group' as const,
    silent: true,
    x: (isNarrow ? 14 : left) + (index % columns) * columnPx,
    y: keyRowTopPx(size, Math.floor(index / columns), rows),
    children: [
      ...keyShapes(entry.shows),
      {
        type: 'text' as const,
        x: 22,
        y: 1,
        style: { text: entry.text, fill: colour.ink, fontSize: 12, fontFamily: CURVE_FONT },
      },
    ],
  }));
}

/** DejaVu is what the PNG is drawn with; the others have about its widths. */
export const CURVE_FONT = 'DejaVu Sans, Verdana, sans-serif';
