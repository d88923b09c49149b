import { describe, expect, it } from 'vitest';
import { leaningOf } from '../../boundary/sequential-test.ts';
import { meanOf, simulatedLooks } from './simulated-looks.ts';

const test = { limit: 0.2, zone: 0.03, wrongShare: 0.01, tests: 1 };
const WINDOW = 15;
const RUNS = 1_000;

describe('leaningOf', () => {
  it.each([
    [[], null, 'nothing seen'],
    [[0.9, 0.9, 0.9], null, 'three looks settle nothing, however clear'],
    [[0.9, 0.9, 0.9, 0.9], 'above', 'four far above'],
    [[0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2], null, 'at the limit'],
    [[0.9, 0.1, 0.9, 0.1, 0.9, 0.1], null, 'looks that scatter much'],
  ] as const)('%#: %j -> %s (%s)', (looks, expected, _why) => {
    expect(leaningOf(looks, test)).toBe(expected);
  });

  it('shares alpha between the brokers of which one alone may overload', () => {
    const looks = [0.06, 0.06, 0.06, 0.06];
    expect(leaningOf(looks, test)).toBe('below');
    expect(leaningOf(looks, { ...test, tests: 100 })).toBeNull();
  });
});

/** What becomes of windows at this distance from the limit, when they end as soon as the test knows. */
function operate(distance: number, noise: { deviation: number; correlation: number }) {
  let wrongStops = 0;
  let looks = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const idle = test.limit + distance;
    const seen = simulatedLooks({ idle, ...noise, lagSeconds: 0, looks: WINDOW, seed }).looks;
    let length = 4;
    while (length < WINDOW && leaningOf(seen.slice(0, length), test) === null) length++;
    looks += length;
    const leaning = length < WINDOW ? leaningOf(seen.slice(0, length), test) : null;
    if (leaning !== null && (leaning === 'above') !== distance > 0) wrongStops++;
  }
  return { wrongShare: wrongStops / RUNS, meanLooks: looks / RUNS };
}

describe('operating curve: windows of 15 looks, ended as soon as the test knows', () => {
  it.each([
    // distance, mean looks at most: measured with the correlation that is assumed
    [-0.15, 5.5],
    [-0.1, 9.5],
    [-0.06, 13.5],
    [-0.03, 15],
    [0.03, 15],
    [0.06, 14.5],
    [0.1, 10],
    [0.15, 6],
    [0.3, 4.5],
  ])('%f from the limit: at most 1 %% stop on the wrong side, %f looks', (distance, most) => {
    const { wrongShare, meanLooks } = operate(distance, { deviation: 0.05, correlation: 0.7 });
    expect(wrongShare).toBeLessThanOrEqual(0.01);
    expect(meanLooks).toBeLessThanOrEqual(most);
  });

  it.each([-0.06, -0.03, 0.03, 0.06])(
    '%f from the limit, looks that are not alike: fewer still',
    (distance) => {
      expect(operate(distance, { deviation: 0.05, correlation: 0 }).wrongShare).toBeLessThanOrEqual(0.002);
    },
  );

  it.each([-0.06, 0.06])('%f from the limit, twice the noise: the scatter is seen', (distance) => {
    expect(operate(distance, { deviation: 0.1, correlation: 0.7 }).wrongShare).toBeLessThanOrEqual(0.02);
  });

  it('the simulated looks have the scatter that they are asked for', () => {
    const means = Array.from({ length: 400 }, (_, seed) =>
      meanOf(
        simulatedLooks({ idle: 0.3, deviation: 0.05, correlation: 0, lagSeconds: 0, looks: 25, seed }).looks,
      ),
    );
    const mean = meanOf(means);
    expect(mean).toBeCloseTo(0.3, 2);
    expect(Math.sqrt(meanOf(means.map((one) => (one - mean) ** 2)))).toBeCloseTo(0.01, 2);
  });
});
