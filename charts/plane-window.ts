import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import type { PlaneWindow } from './isoline.ts';
import { type LimitFigure, limitFigure } from './limit-figure.ts';

/** Shown when no point has a bound: an empty plane still says what it would show. */
const EMPTY: PlaneWindow = { minBytes: 50, maxBytes: 20_000, minRate: 100, maxRate: 100_000 };

/**
 * Chooses the part of the plane around the points, with room for labels above and to the right; at least a decade
 * of rates, so that a flat curve does not look like a cliff. Bounds at zero do not count (a log axis has no zero).
 */
export function planeWindow(points: readonly BoundaryPoint[]): PlaneWindow {
  const rates = points
    .flatMap((point) => [
      point.lower?.messagesPerSecond ?? 0,
      point.upper?.messagesPerSecond ?? 0,
      ...endsOf(limitFigure(point)),
    ])
    .filter((rate) => rate > 0);
  const bytes = decades(points.map((point) => point.messageBytes));
  const rate = decades(rates);
  // one size: a decade around it; sizes close together: let them fill the width
  const besideBytes = bytes ? (bytes.length > 0 ? bytes.length * 0.2 : 0.5) : 0;
  const aroundRate = rate ? Math.max(rate.length * 0.25, 0.3, (1 - rate.length) / 2) : 0;
  return {
    minBytes: bytes ? 10 ** (bytes.low - besideBytes) : EMPTY.minBytes,
    maxBytes: bytes ? 10 ** (bytes.high + besideBytes) : EMPTY.maxBytes,
    minRate: rate ? 10 ** (rate.low - aroundRate) : EMPTY.minRate,
    maxRate: rate ? 10 ** (rate.high + aroundRate * 1.25) : EMPTY.maxRate,
  };
}

function endsOf(figure: LimitFigure): number[] {
  return figure.kind === 'estimate' ? [figure.low, figure.high] : [];
}

function decades(values: readonly number[]): { low: number; high: number; length: number } | null {
  if (values.length === 0) return null;
  const low = Math.log10(Math.min(...values));
  const high = Math.log10(Math.max(...values));
  return { low, high, length: high - low };
}
