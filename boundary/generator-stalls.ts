import { ticksInWindow } from './delivery.ts';
import type { ShardReport, Window } from './trial.ts';

/**
 * What a shard's own stalls add to the latency of its messages: the delay that a given share of them exceed because the
 * event loop stood still when they fell due. A stall of l ms delays the messages of l - x ms by more than x; of each
 * second the longest stall is known, so this is the delay from the longest stalls alone.
 *
 * @param share of the messages, 0..1.
 * @returns ms; 0 when stalls that long take up less than the share of the window.
 */
export function stallDelayMs(shard: ShardReport, window: Window, share: number): number {
  const ticks = ticksInWindow(shard.ticks, window);
  const stalls = ticks.map((tick) => tick.loopLagMs).sort((a, b) => b - a);
  const allowedMs = share * (window.endAtMs - window.startAtMs);
  let delayMs = 0;
  let sumMs = 0;
  // With the k longest stalls above x, they exceed it by sum - k x in all.
  for (const [index, stallMs] of stalls.entries()) {
    sumMs += stallMs;
    delayMs = Math.max(delayMs, (sumMs - allowedMs) / (index + 1));
  }
  return delayMs;
}
