import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { warmUpEndMs, warmUpLooks } from '../../boundary/warm-up.ts';
import { evidenceOf, type Scene } from './evidence.ts';
import { meanOf, simulatedLooks } from './simulated-looks.ts';

describe('warmUpLooks', () => {
  it.each([
    [[], 0, 'nothing seen'],
    [[0, 3, 3], 0, 'too few to compare halves'],
    [[3, 3, 3, 3, 3, 3], 0, 'level from the start'],
    [[0, 3, 3, 3, 3, 3], 1, 'one look of the way there'],
    [[0, 1, 2.6, 3, 3.02, 2.98, 3, 3.01], 3, 'three looks until it rests'],
    [[0, 1, 2, 3, 4, 5, 6, 7], 4, 'never at rest: half of what was seen'],
    [[3.1, 2.9, 3.05, 2.95, 3.02, 2.98], 0, 'noise alone'],
  ])('%#: %j -> %i (%s)', (values, expected, _why) => {
    expect(warmUpLooks(values)).toBe(expected);
  });

  it('never leaves out more than half, and does not care for unit or level', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { maxLength: 40 }), (values) => {
        const cut = warmUpLooks(values);
        expect(cut).toBeLessThanOrEqual(values.length / 2);
        expect(warmUpLooks(values.map((value) => 4 * value + 64))).toBe(cut);
      }),
    );
  });

  /** Start of a 15 s window that follows MSER up to 12 s, and what of the way to rest is left in its mean. */
  const follow = (lagSeconds: number, seed: number) => {
    const scene = { idle: 0.2, deviation: 0.05, correlation: 0.7, lagSeconds, looks: 40, seed };
    const { looks, bias } = simulatedLooks(scene);
    const logits = looks.map((idle) => Math.log(Math.max(0.005, idle) / (1 - Math.min(0.995, idle))));
    let start = 3;
    for (let seen = 4; seen <= start + 15; seen++) {
      start = Math.min(12, Math.max(start, warmUpLooks(logits.slice(0, Math.min(24, seen)))));
    }
    return { start, bias: meanOf(bias.slice(start, start + 15)) };
  };

  it.each([
    // lag of the brokers, start and bias at most; 3 s fixed leave 0, 0.002, 0.021 and 0.086
    [0, 5, 0.0005],
    [1, 6, 0.001],
    [2, 7.6, 0.006],
    [4, 10, 0.025],
  ])('brokers that follow with %f s: the window starts at %f s, idle is off by %f', (lag, start, bias) => {
    const runs = Array.from({ length: 500 }, (_, seed) => follow(lag, seed));
    expect(meanOf(runs.map((run) => run.start))).toBeLessThanOrEqual(start);
    expect(meanOf(runs.map((run) => run.bias))).toBeLessThanOrEqual(bias);
  });
});

describe('warmUpEndMs', () => {
  const endOf = (scene: Scene, longestMs = 12_000) => {
    const { polls, window } = evidenceOf({ seconds: 16, ...scene });
    const end = warmUpEndMs(polls, window.startAtMs, longestMs);
    return end === null ? null : end - window.startAtMs;
  };
  const falling = (seconds: number) => (id: number, second: number) =>
    id === 2 ? (second <= seconds ? 0.8 : 0.3) : 0.6;

  it.each([
    ['steady from the start', { idle: () => 0.3 }, 0],
    ['the busiest broker needs 4 s', { idle: falling(4) }, 4_000],
    [
      'a broker with more idle is not waited for',
      { idle: (id: number, s: number) => (id === 1 && s < 4 ? 0.9 : id === 1 ? 0.6 : 0.3) },
      0,
    ],
    [
      'a moving average tells no single looks',
      { meter: () => ({ countNs: null, oneMinuteRate: 0.4 }) },
      null,
    ],
    ['a broker that never answered', { missed: (id: number) => id === 2 }, 0],
  ] as const)('%s', (_why, scene, expected) => {
    expect(endOf(scene)).toBe(expected);
  });

  it('looks no farther than the longest warm-up', () => {
    expect(endOf({ idle: falling(6), seconds: 16 }, 5_000)).toBeLessThanOrEqual(5_000);
  });
});
