/** A cumulative count seen at one instant. */
export interface CountAt {
  readonly atMs: number;
  readonly count: number;
}

/**
 * Value of a cumulative series at an instant, on the straight line between the readings around it.
 * @param readings in order of time.
 * @returns the count (a real number), the first reading's before it, or null when no reading is as late as `atMs`.
 */
export function countAt(readings: readonly CountAt[], atMs: number): number | null {
  let before: CountAt | undefined;
  for (const reading of readings) {
    if (reading.atMs >= atMs) {
      if (!before || reading.atMs === before.atMs) return reading.count;
      const share = (atMs - before.atMs) / (reading.atMs - before.atMs);
      return before.count + share * (reading.count - before.count);
    }
    before = reading;
  }
  return null;
}
