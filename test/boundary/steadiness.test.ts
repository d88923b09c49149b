import { describe, expect, it } from 'vitest';
import { newestWeight } from '../../boundary/moving-average.ts';
import { isSteady, latestIdle } from '../../boundary/steadiness.ts';
import { evidenceOf } from './evidence.ts';

const pollsWith = (idle: (brokerId: number, second: number) => number) =>
  evidenceOf({ seconds: 4, idle }).polls;

describe('isSteady', () => {
  it.each([
    [() => 0.3, true, 'level'],
    [(_: number, second: number) => (second <= 2 ? 0.33 : 0.27), true, 'scatter of one-second readings'],
    [(_: number, second: number) => (second <= 2 ? 0.8 : 0.3), false, 'the load has just arrived'],
    [(id: number, second: number) => (id === 3 && second <= 2 ? 0.8 : 0.3), false, 'one broker is behind'],
  ])('%#: %s -> %s (%s)', (idle, expected, _why) => {
    expect(isSteady(pollsWith(idle), 2)).toBe(expected);
  });

  it.each([
    [[0.9, 0.3, 0.32], true, 'the last two ticks are alike'],
    [[0.8, 0.82, 0.3], false, 'the load has just arrived'],
    [[0.3], false, 'a single tick compares with nothing'],
  ])('of a moving average: ticks of %j -> %s (%s)', (ticks, expected, _why) => {
    const rates = [0.9];
    for (const tick of ticks)
      rates.push((rates.at(-1) ?? 0) + newestWeight(1) * (tick - (rates.at(-1) ?? 0)));
    const meter = (_: number, second: number) => ({
      countNs: null,
      meanRate: null,
      oneMinuteRate: rates[Math.ceil(second / 5)] ?? null,
    });
    const polls = evidenceOf({ seconds: 5 * ticks.length, meter }).polls;
    expect(isSteady(polls, 2)).toBe(expected);
  });

  it('is false while there is too little to tell', () => {
    expect(isSteady(pollsWith(() => 0.3).slice(0, 1), 2)).toBe(false);
  });
});

describe('latestIdle', () => {
  it('is the last second of each broker', () => {
    const idle = latestIdle(pollsWith((id, second) => (second === 4 ? id / 10 : 0.9)));
    expect(Object.keys(idle)).toEqual(['1', '2', '3']);
    expect(idle['2']).toBeCloseTo(0.2, 6);
  });
});
