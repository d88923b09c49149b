import type { BoundaryPoint, FormerComparison, HoldResult } from '../boundary/boundary-point.ts';
import { formatCount, formatDuration } from './number-text.ts';

/** Everything there is to say about a point beside its figures: what a hold showed, a former run, its notes. */
export function pointRemarks(point: BoundaryPoint): string[] {
  const { hold, former, notes } = point;
  return [
    ...farText(point),
    ...(hold ? [holdText(hold)] : []),
    ...(former ? [`${hold?.fresh ? 'when fresh: ' : ''}${formerText(former)}`] : []),
    ...notes.filter((note) => note !== ''),
  ];
}

/** A sustained load further under the limit than this, ratio, would be taken for the limit where one plans with it. */
const FAR_UNDER = 0.15;

/** That what was sustained is far from the limit. After a hold its own remarks tell. */
function farText({ estimate, interval, lower, hold }: BoundaryPoint): string[] {
  if (hold || estimate === null || interval === null || !lower) return [];
  const under = 1 - lower.messagesPerSecond / estimate;
  if (!(under > FAR_UNDER)) return [];
  return [`sustained is ${Math.round(under * 100)} % under the limit: no load nearer to it is confirmed`];
}

/** What a long hold showed: `held 2,100/s for 10 min`, or when each load dropped and what lasted then. */
export function holdText({ plannedSeconds, lasted, drops }: HoldResult): string {
  const planned = formatDuration(plannedSeconds);
  if (drops.length === 0) {
    return lasted
      ? `held ${formatCount(lasted.messagesPerSecond)}/s for ${planned}`
      : `no hold of ${planned} could be judged`;
  }
  const fallen = drops.map(
    ({ afterSeconds, messagesPerSecond, rule }) =>
      `dropped ${afterSeconds < 1 ? 'at once' : `after ${formatDuration(afterSeconds)}`} at ${formatCount(messagesPerSecond)}/s (${rule})`,
  );
  const end = lasted
    ? `${formatCount(lasted.messagesPerSecond)}/s lasted ${planned}`
    : `no load lasted ${planned}`;
  return [...fallen, end].join('; ');
}

/** How the limit stands to that of the former run: `confirms the former run (+2 %)`. */
export function formerText({ outcome, ratio }: FormerComparison): string {
  const percent = Math.round((ratio - 1) * 100);
  const change = `${percent < 0 ? '' : '+'}${percent} %`;
  return `${outcome === 'confirmed' ? 'confirms' : 'refutes'} the former run (${change})`;
}
