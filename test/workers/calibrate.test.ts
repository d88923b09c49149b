import { describe, expect, it } from 'vitest';
import { scheduleMs } from '../../boundary/load-schedule.ts';
import { CALIBRATED_SIZES, rampOf } from '../../workers/calibrate.ts';
import { RIG_PRODUCERS } from '../../workers/generator-rig.ts';

describe('rampOf', () => {
  it.each([
    [100, 8_000, 'messages count'],
    [10_000, 4_000, 'bytes count: 40 MB/s'],
    [1_000_000, 40, 'few, but some in the first step'],
  ])('starts light at %d B: %d/s (%s)', (messageBytes, messagesPerSecond, _why) => {
    expect((rampOf(messageBytes)[0]?.unitRate ?? 0) * RIG_PRODUCERS).toBeCloseTo(messagesPerSecond, 6);
  });

  it('doubles at every step, to what no core offers, in little more than a second', () => {
    for (const messageBytes of CALIBRATED_SIZES) {
      const ramp = rampOf(messageBytes);
      for (const [step, { unitRate }] of ramp.entries()) {
        expect(unitRate).toBeCloseTo((ramp[0]?.unitRate ?? 0) * 2 ** step, 6);
      }
      expect(scheduleMs(ramp)).toBeLessThan(1_500);
      expect((ramp.at(-1)?.unitRate ?? 0) * RIG_PRODUCERS).toBeGreaterThan(
        Math.min(2e7, 1e11 / messageBytes),
      );
    }
  });
});
