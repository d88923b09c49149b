import type { BoundaryPoint } from '../boundary-point.ts';
import { durationText } from './figure-text.ts';
import type { SearchConfig } from './search.ts';
import { unknownPoint } from './unknown-point.ts';

/**
 * The points of a search whose time ran out, one per size: those that are finished as they are, the others with what is
 * known and a note, a size of which nothing is known without an estimate.
 */
export function cutShort(
  search: {
    readonly config: SearchConfig;
    readonly spent: readonly { readonly messageBytes: number; readonly seconds: number }[];
  },
  finished: readonly BoundaryPoint[],
  soFar: readonly BoundaryPoint[],
): BoundaryPoint[] {
  const { sizes, sizeRange, timeBudgetSeconds } = search.config;
  const ended = `the time budget of ${durationText(timeBudgetSeconds ?? 0)} ended the search`;
  const points = new Map<number, BoundaryPoint>();
  for (const messageBytes of sizes) {
    const spent = search.spent.filter((one) => one.messageBytes === messageBytes);
    const note = spent.length === 0 ? `${ended} before this size` : ended;
    const seconds = spent.reduce((sum, one) => sum + one.seconds, 0);
    points.set(messageBytes, unknownPoint({ messageBytes, trials: spent.length, seconds }, note));
  }
  for (const point of soFar) points.set(point.messageBytes, { ...point, notes: [...point.notes, ended] });
  for (const point of finished) points.set(point.messageBytes, point);
  const all = [...points.values()];
  return sizeRange ? all.sort((a, b) => a.messageBytes - b.messageBytes) : all;
}
