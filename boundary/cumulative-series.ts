/** A count seen at one instant. */
export interface CountAt {
  readonly atMs: number;
  readonly count: number;
}

/** When a load began and ended, on the readings' clock; `stopMs` is null while it lasts. */
export interface LoadSpan {
  readonly startMs: number;
  readonly stopMs: number | null;
}

/**
 * Value of a cumulative count of a load at an instant, on the line between the readings around it. Two kinks are
 * respected, since a line across them is off by up to half a second of load: before the start the count is 0, and
 * between the last reading before the stop and the first one after it the count goes on at its pace of before, up
 * to what the reading after the stop says.
 * @param readings in order of time.
 * @returns a real number, or null when no reading is as late as `atMs`.
 */
export function cumulativeAt(readings: readonly CountAt[], atMs: number, span: LoadSpan): number | null {
  const { startMs, stopMs } = span;
  if (!readings.some((reading) => reading.atMs >= atMs)) return null;
  if (atMs <= startMs) return 0;
  let earlier: CountAt | null = null;
  let before: CountAt = { atMs: startMs, count: 0 };
  for (const reading of readings) {
    if (reading.atMs <= startMs) continue;
    if (reading.atMs >= atMs) {
      const isAcrossStop = stopMs !== null && before.atMs <= stopMs && reading.atMs > stopMs;
      if (isAcrossStop && earlier) return Math.min(reading.count, onLine(earlier, before, atMs));
      return onLine(before, reading, atMs);
    }
    earlier = before;
    before = reading;
  }
  return null;
}

/**
 * Value of a level (a queue's length) at an instant: on the line between the readings around it, but never
 * looking beyond the stop, where the level falls to 0 at once.
 * @returns null when no reading is as late as `atMs`.
 */
export function levelAt(readings: readonly CountAt[], atMs: number, span: LoadSpan): number | null {
  let before: CountAt | null = null;
  for (const reading of readings) {
    if (reading.atMs >= atMs) {
      const isBeyondStop = span.stopMs !== null && reading.atMs > span.stopMs;
      if (!before) return reading.count;
      return isBeyondStop ? before.count : onLine(before, reading, atMs);
    }
    before = reading;
  }
  return null;
}

function onLine(from: CountAt, to: CountAt, atMs: number): number {
  if (to.atMs === from.atMs) return to.count;
  return from.count + ((atMs - from.atMs) / (to.atMs - from.atMs)) * (to.count - from.count);
}
