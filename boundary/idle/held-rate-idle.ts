import type { HandlerIdle } from '../broker-reading.ts';
import { newestWeight, type RateMinutes, TICK_MS } from '../moving-average.ts';
import type { Window } from '../trial.ts';
import type { Bounded } from './idle-stretch.ts';
import { fullIdle, LONGEST_WAIT_MS } from './idle-wait.ts';
import type { RateSample } from './rate-idle.ts';

/** Hold after which the past weighs no more than 6 % in an average over one minute; longer ones need as much longer. */
const HOLD_MS = 180_000;

/** A tick may show more than full idle: a wait that began in the tick before counts in whole. */
const MOST_IDLE = (TICK_MS + LONGEST_WAIT_MS) / TICK_MS;

/** Shortest hold of a steady load that a raw moving average is believed after, ms. */
export function neededHoldMs(minutes: RateMinutes): number {
  return HOLD_MS * minutes;
}

/**
 * A raw moving average after a load was held: the value is r = x + (r0 - x) q^n, where n ticks lie within the hold and r0
 * is the value before, which may have been anything. ASSUMES that the load was steady since the window's start; the
 * bounds are honest for no other.
 *
 * @returns null when the last sample comes too early, or not within a tick of the window's end.
 */
export function heldRateIdle(
  samples: readonly RateSample[],
  window: Window,
  minutes: RateMinutes,
  pool: HandlerIdle['pool'],
): Bounded | null {
  const last = samples.findLast(({ atMs }) => atMs <= window.endAtMs + TICK_MS / 2);
  if (!last || last.atMs < window.endAtMs - TICK_MS) return null;
  const heldMs = Math.min(last.atMs, window.endAtMs) - last.unsureMs - window.startAtMs;
  if (heldMs < neededHoldMs(minutes) || standsStill(samples, last)) return null;
  const full = fullIdle(pool);
  const wholeTicks = Math.floor(heldMs / TICK_MS) - 1;
  const past = (1 - newestWeight(minutes)) ** wholeTicks;
  const low = Math.max(0, (last.rate - full * MOST_IDLE * past) / (1 - past));
  const high = last.rate / (1 - past);
  return last.rate > full * MOST_IDLE ? null : { low, high, estimate: last.rate };
}

/** A value that did not move for over a tick is a page served from memory, not an average. */
function standsStill(samples: readonly RateSample[], last: RateSample): boolean {
  const earlier = samples.findLast(({ atMs }) => atMs < last.atMs - 1.5 * TICK_MS);
  return earlier !== undefined && earlier.rate === last.rate;
}
