import type { PointQuality } from '../boundary/boundary-point.ts';
import { LIGHT_PALETTE as colour } from './palette.ts';

/** What an entry of the key explains: the marker of a quality, or another mark of the picture. */
export type KeyShape = PointQuality | 'bracket' | 'region' | 'interval' | 'lower cap' | 'upper cap';

/** A marker's outline as corners within 14 x 14; null is a circle. Only a converged point is filled. */
const MARKER_CORNERS: Readonly<Record<PointQuality, readonly [x: number, y: number][] | null>> = {
  converged: null,
  wide: null,
  'at least': [
    [7, 1],
    [13, 12.5],
    [1, 12.5],
  ],
  'at most': [
    [7, 13],
    [13, 1.5],
    [1, 1.5],
  ],
  unstable: [
    [7, 0],
    [14, 7],
    [7, 14],
    [0, 7],
  ],
};

/** The marker of a quality as an ECharts symbol. */
export function markerSymbol(quality: PointQuality): string {
  const corners = MARKER_CORNERS[quality];
  return corners ? `path://M${corners.map((corner) => corner.join(',')).join(' L')} Z` : 'circle';
}

/** Draws what an entry explains, within 14 x 14. */
export function keyShapes(shows: KeyShape) {
  switch (shows) {
    case 'bracket':
      return bracketShapes();
    case 'region':
      return [boxShape(colour.sustainedTint)];
    case 'interval':
      return [boxShape(colour.interval), lineShape(1, 7, 13, 7, colour.sustained)];
    case 'lower cap':
      return [lineShape(0, 7, 14, 7, colour.sustained)];
    case 'upper cap':
      return [lineShape(0, 7, 14, 7, colour.overloaded)];
    default:
      return [markerShape(shows)];
  }
}

function boxShape(fill: string) {
  const style = { fill, stroke: colour.isoline, lineWidth: 1 };
  return { type: 'rect' as const, shape: { x: 0, y: 1, width: 14, height: 12 }, style };
}

function lineShape(x1: number, y1: number, x2: number, y2: number, stroke: string) {
  return { type: 'line' as const, shape: { x1, y1, x2, y2 }, style: { stroke, lineWidth: 2 } };
}

function markerShape(quality: PointQuality) {
  const corners = MARKER_CORNERS[quality];
  const isFilled = quality === 'converged';
  const style = {
    fill: isFilled ? colour.sustained : colour.background,
    stroke: colour.sustained,
    lineWidth: isFilled ? 0 : 2,
  };
  return corners
    ? { type: 'polygon' as const, shape: { points: corners }, style }
    : { type: 'circle' as const, shape: { cx: 7, cy: 7, r: 6 }, style };
}

function bracketShapes() {
  return [lineShape(1, 1, 13, 1, colour.overloaded), lineShape(7, 1, 7, 13, colour.overloaded)];
}
