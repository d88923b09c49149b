import type { BoundaryPoint } from '../boundary-point.ts';

/** A size whose limit nothing is known of, and why. */
export function unknownPoint(
  counts: Pick<BoundaryPoint, 'messageBytes' | 'trials' | 'seconds'>,
  note: string,
): BoundaryPoint {
  return {
    ...counts,
    estimate: null,
    interval: null,
    lower: null,
    upper: null,
    quality: 'at least',
    limit: null,
    notes: [note],
  };
}
