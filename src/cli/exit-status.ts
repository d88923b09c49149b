import type { BoundaryPoint } from '../../boundary/boundary-point.ts';

/** Exit statuses of a finished `find`; those of errors are in src/errors.ts, all of them in the README. */
export const EXIT_CONVERGED = 0;
export const EXIT_ONE_SIDED_OR_WIDE = 10;
export const EXIT_UNSTABLE = 11;

/** `explain`: a decision of the run comes out otherwise today. */
export const EXIT_NOT_REPRODUCED = 1;

/** The status that tells a script how good the curve is: the worst point decides. */
export function exitStatusOf(points: readonly BoundaryPoint[]): number {
  if (points.some((point) => point.quality === 'unstable')) return EXIT_UNSTABLE;
  return points.length > 0 && points.every((point) => point.quality === 'converged')
    ? EXIT_CONVERGED
    : EXIT_ONE_SIDED_OR_WIDE;
}
