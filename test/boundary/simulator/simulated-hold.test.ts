import { describe, expect, it } from 'vitest';
import { holdLoad, type Look } from '../../../boundary/simulator/simulated-hold.ts';

const GOOD: Look = { idle: [0.3, 0.4], deliveredShare: 1, isrFlaps: false };
const LOOKS: Readonly<Record<string, Look>> = {
  g: GOOD,
  // Low idle on one broker, on the other, and a delivery behind whose idle is high.
  a: { ...GOOD, idle: [0.19, 0.4] },
  b: { ...GOOD, idle: [0.4, 0.19] },
  d: { ...GOOD, deliveredShare: 0.9 },
  i: { ...GOOD, isrFlaps: true },
};

/** A hold of 90 s whose slices are these; they repeat the last one. */
function hold(slices: string, plannedSeconds = 90) {
  let next = 0;
  const seconds: number[] = [];
  const held = holdLoad(plannedSeconds, (length) => {
    seconds.push(length);
    return LOOKS[slices[Math.min(next++, slices.length - 1)] ?? 'g'] ?? GOOD;
  });
  return { ...held, seconds };
}

describe('a load that is held', () => {
  it.each([
    { why: 'all slices are good', slices: 'g', held: 90, dropped: false },
    { why: 'single bad slices are noise', slices: 'gagagg', held: 90, dropped: false },
    { why: 'two in a row are none', slices: 'ggaa', held: 30, dropped: true },
    { why: 'none was ever good', slices: 'aa', held: 0, dropped: true },
    { why: 'different brokers, together good: noise', slices: 'gabg', held: 90, dropped: false },
    { why: 'deliveries fall behind', slices: 'gddg', held: 15, dropped: true },
    { why: 'followers leave and come back', slices: 'gggii', held: 45, dropped: true },
  ])('$why: $slices', ({ slices, held, dropped }) => {
    expect(hold(slices)).toMatchObject({ heldSeconds: held, hasDropped: dropped });
  });

  it('is judged by the two slices that ended it, or as a whole', () => {
    expect(hold('ggaa')).toMatchObject({
      windowSeconds: 30,
      idle: [expect.closeTo(0.19), expect.closeTo(0.4)],
    });
    expect(hold('g')).toMatchObject({ windowSeconds: 90, idle: [expect.closeTo(0.3), expect.closeTo(0.4)] });
  });

  it('ends in time, with a shorter last slice', () => {
    expect(hold('g', 40).seconds).toEqual([15, 15, 10]);
    expect(hold('g', 40).heldSeconds).toBe(40);
  });
});
