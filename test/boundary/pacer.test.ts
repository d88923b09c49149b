import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scheduledMessages, scheduleMs } from '../../boundary/load-schedule.ts';
import { messagesDue, nextDueMs, pacerLateMs } from '../../boundary/pacer.ts';

const steady = [{ durationMs: 10_000, unitRate: 100 }];

describe('messagesDue', () => {
  it.each([
    [0, 0, 0, 'nothing is due at the start'],
    [1_000, 0, 100, 'a second late: the whole second is owed at once'],
    [1_000, 100, 0, 'on time'],
    [1_000, 120, 0, 'ahead: never takes messages back'],
    [60_000, 0, 1_000, 'after the end only the schedule is owed'],
    [-500, 0, 0, 'before the common start'],
  ])('at %i ms with %i sent owes %i: %s', (elapsedMs, sent, due) => {
    expect(messagesDue(steady, elapsedMs, sent, 0)).toBe(due);
  });

  it('keeps any rate to within a message, however irregular the ticks', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 50_000, noNaN: true }),
        fc.array(fc.double({ min: 0.1, max: 400, noNaN: true }), { minLength: 1, maxLength: 60 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (unitRate, gapsMs, phase) => {
          let nowMs = 0;
          let sent = 0;
          for (const gapMs of gapsMs) {
            nowMs += gapMs;
            sent += messagesDue([{ durationMs: 60_000, unitRate }], nowMs, sent, phase);
            expect(
              Math.abs(sent - scheduledMessages([{ durationMs: 60_000, unitRate }], nowMs)),
            ).toBeLessThanOrEqual(1);
          }
        },
      ),
    );
  });
});

describe('schedules of several steps', () => {
  const steps = [
    { durationMs: 1_000, unitRate: 10 },
    { durationMs: 2_000, unitRate: 20 },
  ];
  it('adds up the steps', () => {
    expect(scheduleMs(steps)).toBe(3_000);
    expect(scheduledMessages(steps, 1_500)).toBe(20);
    expect(scheduledMessages(steps, 9_000)).toBe(50);
  });

  it('tells lateness in the rate of the step in force', () => {
    expect(pacerLateMs(steps, 2_000, 28, 0)).toBe(100);
    expect(pacerLateMs(steps, 2_000, 30, 0)).toBe(0);
  });
});

describe('nextDueMs', () => {
  const steps = [
    { durationMs: 1_000, unitRate: 10 },
    { durationMs: 500, unitRate: 0 },
    { durationMs: 2_000, unitRate: 20 },
  ];
  it.each([
    [0, 0, 100, 'the first one after an interval'],
    [0, 0.5, 50, 'half an interval earlier for a producer in the middle'],
    [9, 0, 1_000, 'the last one of a step'],
    [10, 0, 1_550, 'after a pause of the schedule'],
    [49, 0, 3_500, 'the very last one'],
    [80, 0, 3_500, 'beyond the schedule: its end'],
  ])('after %i messages with phase %d: %i ms (%s)', (sent, phase, dueMs) => {
    expect(nextDueMs(steps, sent, phase)).toBeCloseTo(dueMs, 9);
  });

  it('is the instant at which messagesDue counts one more', () => {
    const rates = fc.array(fc.double({ min: 0.5, max: 20_000, noNaN: true }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        rates,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.double({ min: 0, max: 0.99, noNaN: true }),
        (unitRates, phase, share) => {
          const schedule = unitRates.map((unitRate) => ({ durationMs: 3_000, unitRate }));
          const total = Math.floor(scheduledMessages(schedule, scheduleMs(schedule)) + phase);
          const sent = Math.floor(share * total);
          if (sent >= total) return;
          const dueMs = nextDueMs(schedule, sent, phase);
          const slackMs = 1e-6;
          expect(messagesDue(schedule, dueMs + slackMs, sent, phase)).toBeGreaterThanOrEqual(1);
          expect(messagesDue(schedule, dueMs - slackMs, sent, phase)).toBe(0);
        },
      ),
    );
  });
});
