import { describe, expect, it } from 'vitest';
import {
  fittedStepMs,
  fittedWindowMs,
  longWindowText,
  NO_SIGNALS,
  type SignalTiming,
} from '../../src/controller/signal-timing.ts';

const EVERY_SECOND: SignalTiming = { pollMs: 1_000, leastWindowMs: 4_000, endReadingMs: 0 };
const EVERY_15_S: SignalTiming = { pollMs: 15_000, leastWindowMs: 60_000, endReadingMs: 0 };
const MOVING_AVERAGE: SignalTiming = { pollMs: 1_000, leastWindowMs: 15_000, endReadingMs: 5_000 };

describe('what the signals ask of a trial', () => {
  for (const { why, timing, windowMs, stepMs, text } of [
    { why: 'no signals ask for nothing', timing: NO_SIGNALS, windowMs: 7_000, stepMs: 3_000, text: null },
    { why: 'looks once a second fit', timing: EVERY_SECOND, windowMs: 7_000, stepMs: 3_000, text: null },
    {
      why: 'samples of a Prometheus are far apart',
      timing: EVERY_15_S,
      windowMs: 60_000,
      stepMs: 61_000,
      text: 'each window lasts at least 1 min 00 s in place of 7 s: 4 looks must fit in, and there is a new one every 15 s',
    },
    {
      why: 'a moving average needs three ticks',
      timing: MOVING_AVERAGE,
      windowMs: 15_000,
      stepMs: 16_000,
      text: 'each window lasts at least 15 s in place of 7 s: a moving average tells nothing shorter; the Count of the idle meter does',
    },
  ]) {
    it(`fits windows and steps, and says so: ${why}`, () => {
      expect(fittedWindowMs(7_000, timing)).toBe(windowMs);
      expect(fittedStepMs(3_000, timing)).toBe(stepMs);
      expect(longWindowText(7_000, timing)).toBe(text);
    });
  }
});
