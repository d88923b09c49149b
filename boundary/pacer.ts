import { type LoadSchedule, scheduledMessages } from './load-schedule.ts';

/**
 * Catch-up pacer: how many messages one producer owes now. A timer per message tops out near 900 messages per
 * second; sending what is due at every tick keeps any rate to within a message (method of vegeta's pacer).
 *
 * @param phase 0..1, the producer's place inside one message interval, so that np producers do not send in step.
 * @returns whole messages to send now; 0 when on time.
 */
export function messagesDue(schedule: LoadSchedule, elapsedMs: number, sent: number, phase: number): number {
  if (elapsedMs < 0) return 0;
  return Math.max(0, Math.floor(scheduledMessages(schedule, elapsedMs) + phase) - sent);
}

/**
 * When the next message of a producer falls due: the instant from which on messagesDue counts one more than `sent`. Latency
 * counts from this instant and not from the actual send, which forgives a generator its pauses (coordinated omission).
 * @returns ms since the common start; the end of the schedule for messages that it does not hold.
 */
export function nextDueMs(schedule: LoadSchedule, sent: number, phase: number): number {
  let owed = sent + 1 - phase;
  let startMs = 0;
  for (const { durationMs, unitRate } of schedule) {
    const inStep = (durationMs / 1_000) * unitRate;
    if (owed <= inStep) return startMs + (owed / unitRate) * 1_000;
    owed -= inStep;
    startMs += durationMs;
  }
  return startMs;
}

/** How far behind its schedule a producer is, in ms of the rate in force at `elapsedMs`; 0 when on time. */
export function pacerLateMs(schedule: LoadSchedule, elapsedMs: number, sent: number, phase: number): number {
  const owed = Math.floor(scheduledMessages(schedule, elapsedMs) + phase) - sent;
  if (owed <= 0) return 0;
  let startMs = 0;
  for (const step of schedule) {
    if (elapsedMs < startMs + step.durationMs) return (owed / step.unitRate) * 1_000;
    startMs += step.durationMs;
  }
  const last = schedule.at(-1);
  return last ? (owed / last.unitRate) * 1_000 : 0;
}
