import type { IdleMeter } from '../../boundary/broker-reading.ts';
import { neededWindowMs } from '../../boundary/idle/windowed-idle.ts';
import { TICK_MS } from '../../boundary/moving-average.ts';

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
const LOOKS_IN_WINDOW = 4;

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

/** The window that is measured when one of `windowMs` is asked for: long enough to tell, both ends on looks. */
export function fittedWindowMs(windowMs: number, { pollMs, leastWindowMs }: SignalTiming): number {
  return Math.ceil(Math.max(windowMs, leastWindowMs) / pollMs - 1e-9) * pollMs;
}
