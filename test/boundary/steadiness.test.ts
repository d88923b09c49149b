import { describe, expect, it } from 'vitest';
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
