import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import { overloadDose } from '../boundary/overload-dose.ts';
import type { RunDocument } from '../boundary/run-document.ts';
import { formatBytes } from '../boundary/units.ts';
import { formatDuration, formatPrecision } from './number-text.ts';
import { bySize } from './point-figures.ts';

/** How well the curve is known between its sizes, where it is known least; null when the search did not look there. */
export function betweenSizesText(points: readonly BoundaryPoint[]): string | null {
  const sorted = bySize(points);
  const gaps = sorted.flatMap((point, index) => {
    const next = sorted[index + 1];
    return point.interpolation !== undefined && next
      ? [{ from: point.messageBytes, to: next.messageBytes, halfWidthRatio: point.interpolation }]
      : [];
  });
  const [first, ...others] = gaps;
  if (!first) return null;
  const worst = others.reduce((a, b) => (b.halfWidthRatio > a.halfWidthRatio ? b : a), first);
  return `between the sizes the curve is known to ± ${formatPrecision(worst.halfWidthRatio)} or better (least between ${formatBytes(worst.from)} and ${formatBytes(worst.to)})`;
}

/**
 * How much the search asked of the cluster beyond its limit: `12 s (seconds above the limit x how far above)`. Null when
 * the limit of a size is not known: a part of the dose is not the dose.
 */
export function doseText({ trials, points }: Pick<RunDocument, 'trials' | 'points'>): string | null {
  const { seconds } = overloadDose({ trials, points });
  return seconds === null
    ? null
    : `${formatDuration(Math.ceil(seconds))} (seconds above the limit x how far above)`;
}
