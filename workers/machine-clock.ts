/** This machine's monotonic clock, ms. The same for all its processes, unlike performance.now(). */
export function machineNowMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

/** A clock reading farther off than this belongs to another clock. */
const SAME_CLOCK_MS = 10_000;

/**
 * Places a reading of librdkafka's clock on the machine's. On Linux both are CLOCK_MONOTONIC; elsewhere (librdkafka
 * uses the wall clock on macOS) the arrival is the best there is, about one poll interval late.
 */
export function fromLibrdkafkaClock(clockUs: number, arrivedAtMs: number): number {
  const atMs = clockUs / 1_000;
  return Math.abs(arrivedAtMs - atMs) < SAME_CLOCK_MS ? Math.min(atMs, arrivedAtMs) : arrivedAtMs;
}
