import { countInWindow } from './delivery.ts';
import type { ShardTick, Window } from './trial.ts';
import type { Thresholds } from './verdict.ts';

/** Fewer seconds do not tell a queue that grows from one that swings, ms. */
const LEAST_SEEN_MS = 3_000;

/** A shortfall of this part of what the rule allows is a queue that grows. */
const GROWING_PART = 0.5;

/**
 * Acknowledged over offered while the load still runs, from the newest ticks.
 * @param ticks of each shard, by time.
 * @returns null when a shard has told nothing, or too little of the window is over to tell.
 */
export function deliveredShare(ticks: readonly (readonly ShardTick[])[], window: Window): number | null {
  if (ticks.length === 0) return null;
  const seenMs = Math.min(window.endAtMs, ...ticks.map((shard) => shard.at(-1)?.atMs ?? 0));
  if (seenMs - window.startAtMs < LEAST_SEEN_MS) return null;
  const seen = { startAtMs: window.startAtMs, endAtMs: seenMs };
  const sum = (count: 'offered' | 'acked') =>
    ticks.reduce((total, shard) => total + countInWindow(shard, count, seen), 0);
  const offered = sum('offered');
  return offered > 0 ? sum('acked') / offered : null;
}

/** Whether deliveries keep up so well that no queue grows; false when it is not known. */
export function keepsUp(
  ticks: readonly (readonly ShardTick[])[],
  window: Window,
  thresholds: Thresholds,
): boolean {
  const share = deliveredShare(ticks, window);
  return share !== null && share >= 1 - GROWING_PART * (1 - thresholds.deliveryRatio);
}
