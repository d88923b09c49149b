/**
 * The load of a shard over time: steps of constant rate. A trial has one step, a probe has many.
 * Rates are messages per second of one producer.
 */
export interface RateStep {
  readonly durationMs: number;
  readonly unitRate: number;
}

export type LoadSchedule = readonly RateStep[];

/** Length of a schedule in ms. */
export function scheduleMs(schedule: LoadSchedule): number {
  return schedule.reduce((sum, step) => sum + step.durationMs, 0);
}

/**
 * Messages that one producer should have sent `elapsedMs` after the start (a real number; before the start 0,
 * after the end the total). This, times the producers, is what `offered` means.
 */
export function scheduledMessages(schedule: LoadSchedule, elapsedMs: number): number {
  let left = Math.max(0, elapsedMs);
  let messages = 0;
  for (const step of schedule) {
    const inStepMs = Math.min(left, step.durationMs);
    messages += (inStepMs / 1_000) * step.unitRate;
    left -= inStepMs;
    if (left <= 0) break;
  }
  return messages;
}
