/**
 * The run's clock: Redis time carried by the process's monotonic clock, so that neither a jump of the wall clock
 * nor machines with different clocks move a window.
 */
export interface RunClock {
  /** Milliseconds since the epoch on Redis's clock. */
  nowMs(): number;
  /** Half the round trip of the best time exchange: how unsure `nowMs` is, ms. */
  readonly errorMs: number;
}

/** This machine's clock, ms since the epoch, for what happens before a run has its own; a step of the wall clock does not move it. */
export function machineNowMs(): number {
  return performance.timeOrigin + performance.now();
}
