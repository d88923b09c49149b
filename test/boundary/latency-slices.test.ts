import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messagesTimed } from '../../boundary/latency-histogram.ts';
import { LatencySlices } from '../../boundary/latency-slices.ts';

const START_MS = 1_700_000_000_000.4;

const window = (fromMs: number, toMs: number) => ({ startAtMs: START_MS + fromMs, endAtMs: START_MS + toMs });

/** One message each 100 ms for so long. */
function steady(lastsMs: number): LatencySlices {
  const slices = new LatencySlices(START_MS);
  for (let atMs = 0; atMs < lastsMs; atMs += 100) slices.record(Math.floor(START_MS + atMs), 5_000);
  return slices;
}

describe('LatencySlices', () => {
  it.each([
    [3_000, 13_000, 100, 'whole seconds of the load, as a rule'],
    [3_500, 13_500, 90, 'of others those that lie wholly inside'],
    [3_200, 3_900, null, 'not even one second inside'],
    [18_000, 40_000, 20, 'beyond the last message there are none'],
  ])('from %i to %i ms are %s messages: %s', (fromMs, toMs, messages, _why) => {
    const counts = steady(20_000).countsIn(window(fromMs, toMs));
    expect(counts && messagesTimed(counts)).toBe(messages);
  });

  it('says which part of a window it covers', () => {
    const slices = steady(20_000);
    expect(slices.covered(window(3_500, 9_100))).toEqual({
      startAtMs: Math.round(START_MS) + 4_000,
      endAtMs: Math.round(START_MS) + 9_000,
    });
    expect(slices.covered(window(3_200, 3_900))).toBeNull();
  });

  it('counts a message by when it was to be sent, however late its answer comes', () => {
    const slices = steady(4_000);
    slices.record(Math.floor(START_MS + 1_500), 9_000_000);
    expect(slices.countsIn(window(1_000, 2_000))?.maxUs).toBe(9_000_000);
    expect(slices.countsIn(window(2_000, 4_000))?.maxUs).toBe(5_000);
  });

  it('takes the first message for one of the first second, though its time is cut to a whole ms', () => {
    const slices = new LatencySlices(START_MS + 0.2);
    slices.record(Math.floor(START_MS + 0.2), 1);
    expect(messagesTimed(slices.countsIn(window(0, 1_000)) ?? { buckets: {}, maxUs: 0, missing: 0 })).toBe(1);
  });

  it('holds a load of a day in a few hundred slices, each message in the right one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 86_400_000 }), { minLength: 1, maxLength: 60 }),
        (times) => {
          const slices = new LatencySlices(0);
          for (const atMs of [...times, 86_400_000]) slices.record(atMs, 1);
          const inside = slices.covered({ startAtMs: 10_000_000, endAtMs: 80_000_000 });
          if (!inside) throw new Error('a window of hours is covered');
          // A day needs slices of 256 s; at most one is lost at each end.
          expect(inside.startAtMs - 10_000_000).toBeLessThan(256_000);
          expect(80_000_000 - inside.endAtMs).toBeLessThan(256_000);
          const expected = times.filter((atMs) => atMs >= inside.startAtMs && atMs < inside.endAtMs).length;
          const counts = slices.countsIn({ startAtMs: 10_000_000, endAtMs: 80_000_000 });
          expect(counts && messagesTimed(counts)).toBe(expected);
        },
      ),
      { numRuns: 20 },
    );
  });
});
