import type { IdleMeter } from '../../boundary/broker-reading.ts';
import { neededWindowMs } from '../../boundary/idle/windowed-idle.ts';
import { TICK_MS } from '../../boundary/moving-average.ts';
import { formatSeconds } from '../../charts/number-text.ts';

/** What the brokers' signals ask of a trial: how often something is seen, and how long it takes to tell. */
export interface SignalTiming {
  /** Time between two looks at a broker, ms. */
  readonly pollMs: number;
  /** Shortest window that tells anything useful, ms. */
  readonly leastWindowMs: number;
  /** The reading that holds the end of a window may be taken this much after it, ms. */
  readonly endReadingMs: number;
}

/** A window must hold so many looks, whoever takes them. */
export const LOOKS_IN_WINDOW = 4;

/** A run without the brokers' signals: only the load is watched, once a second. */
export const NO_SIGNALS: SignalTiming = { pollMs: 1_000, leastWindowMs: 0, endReadingMs: 0 };

/**
 * @param pollMs time between two looks at the slowest broker.
 * @param meters the idle meter of each broker, as first read.
 */
export function signalTiming(pollMs: number, meters: readonly IdleMeter[]): SignalTiming {
  const needed = Math.max(0, ...meters.map((meter) => neededWindowMs(meter) ?? 0));
  return {
    pollMs,
    leastWindowMs: Math.max(needed, LOOKS_IN_WINDOW * pollMs),
    // A moving average tells the end of a window with the tick after it.
    endReadingMs: needed > 0 ? TICK_MS : 0,
  };
}

/** The start of a step of a probe is left out: queues and batches still have the shape of the step before, ms. */
export const STEP_RUN_IN_MS = 1_000;

/** Looks once a second fill a step of their own; only what is slower needs longer steps, ms. */
const SHORT_WINDOW_MS = 4_000;

/** Says how long windows are when that is longer than asked for, and what makes them so; null when they are as asked. */
export function longWindowText(windowMs: number, timing: SignalTiming): string | null {
  const fittedMs = fittedWindowMs(windowMs, timing);
  if (fittedMs <= windowMs) return null;
  const seconds = (ms: number) => formatSeconds(ms / 1_000);
  const why =
    timing.leastWindowMs > LOOKS_IN_WINDOW * timing.pollMs
      ? 'a moving average tells nothing shorter; the Count of the idle meter does'
      : `${LOOKS_IN_WINDOW} looks must fit in, and there is a new one every ${seconds(timing.pollMs)}`;
  return `each window lasts at least ${seconds(fittedMs)} in place of ${seconds(windowMs)}: ${why}`;
}

/** Steps of a probe long enough for these signals to tell an idle in each, ms. */
export function fittedStepMs(stepMs: number, { leastWindowMs }: SignalTiming): number {
  const needsMore = leastWindowMs > stepMs - STEP_RUN_IN_MS && leastWindowMs > SHORT_WINDOW_MS;
  return needsMore ? leastWindowMs + STEP_RUN_IN_MS : stepMs;
}

/** The window that is measured when one of `windowMs` is asked for: long enough to tell, both ends on looks. */
export function fittedWindowMs(windowMs: number, { pollMs, leastWindowMs }: SignalTiming): number {
  return Math.ceil(Math.max(windowMs, leastWindowMs) / pollMs - 1e-9) * pollMs;
}
