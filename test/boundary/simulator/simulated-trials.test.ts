import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type ClusterWorld,
  DEFAULT_WORLD,
  drawClusterWorld,
  type WorldOptions,
} from '../../../boundary/simulator/cluster-world.ts';
import { CURVE_FAMILIES, idleLogitAt } from '../../../boundary/simulator/idle-curve.ts';
import { SimulatedTrials } from '../../../boundary/simulator/simulated-trials.ts';
import { expit } from '../../../boundary/statistics/logit.ts';

interface RecordedWorld {
  readonly seed: number;
  readonly shape: string;
  readonly c: readonly number[];
  readonly max: readonly number[];
  readonly readings: readonly number[];
  readonly seconds: number;
}

const RECORDED = JSON.parse(
  readFileSync(new URL('../../fixtures/simulator/worlds.json', import.meta.url), 'utf8'),
) as readonly RecordedWorld[];

/** The options and trials of record-worlds.mjs, by seed. */
const OPTIONS: readonly ((seed: number) => Partial<WorldOptions>)[] = [
  () => ({}),
  (seed) => ({ family: familyAt(seed) }),
  () => ({ noiseFactor: 2, outlierShare: 0.1, driftPerHour: 0.1, misfit: 0.05, law: 'roofline' }),
  (seed) => ({ noiseFactor: 0.5, rippleLogit: 0.12, family: familyAt(seed + 3), runToRun: 0.03 }),
];
const SHARES = [0.3, 0.9, 1, 1.05, 1.5, 0.97];
const WINDOWS = [15, 30, 60, 20, 45, 30];

const familyAt = (index: number) => CURVE_FAMILIES[index % CURVE_FAMILIES.length] ?? 'lin';
const boundaryOf = (world: ClusterWorld, size: number) => world.sizes[size]?.boundary ?? Number.NaN;

function play(seed: number): Omit<RecordedWorld, 'seed'> {
  const options = { ...DEFAULT_WORLD, ...OPTIONS[seed % OPTIONS.length]?.(seed) };
  const world = drawClusterWorld(seed, options);
  const trials = new SimulatedTrials(world, seed);
  const readings: number[] = [];
  SHARES.forEach((share, k) => {
    const size = (seed + 3 * k) % 10;
    const reading = trials.measure(size, share * boundaryOf(world, size), WINDOWS[k] ?? 30);
    readings.push(...reading.idle, reading.delivered, trials.seconds);
  });
  const size = seed % 10;
  trials.beginRamp(size);
  for (const share of [0.5, 0.8, 1.2]) {
    const reading = trials.rampStep(share * boundaryOf(world, size), 8, 2);
    readings.push(...reading.idle, reading.delivered, trials.seconds);
  }
  trials.endRamp();
  return {
    shape: world.family,
    c: world.sizes.map(({ boundary }) => boundary),
    max: world.sizes.map(({ largestLoad }) => largestLoad),
    readings,
    seconds: trials.seconds,
  };
}

function largestDifference(actual: readonly number[], expected: readonly number[]): number {
  expect(actual.length).toBe(expected.length);
  return Math.max(...actual.map((value, i) => Math.abs(value / (expected[i] ?? Number.NaN) - 1)), 0);
}

describe('the simulated world', () => {
  it('draws 100 recorded worlds and their trials to 1e-9', () => {
    expect(RECORDED.length).toBe(100);
    for (const recorded of RECORDED) {
      const played = play(recorded.seed);
      expect(played.shape).toBe(recorded.shape);
      expect(largestDifference(played.c, recorded.c), `c, seed ${recorded.seed}`).toBeLessThan(1e-9);
      expect(largestDifference(played.max, recorded.max), `max, seed ${recorded.seed}`).toBeLessThan(1e-9);
      expect(largestDifference(played.readings, recorded.readings), `seed ${recorded.seed}`).toBeLessThan(
        1e-9,
      );
      expect(played.seconds).toBeCloseTo(recorded.seconds, 6);
    }
  });

  it.each(CURVE_FAMILIES)('curve %s meets the limit at the capacity and falls below it', (family) => {
    const world = drawClusterWorld(7, { ...DEFAULT_WORLD, family, rippleLogit: 0 });
    for (const { curve } of world.sizes) {
      expect(expit(idleLogitAt(curve, 0))).toBeCloseTo(0.2, 9);
      expect(idleLogitAt(curve, -0.1)).toBeGreaterThan(idleLogitAt(curve, 0.1));
    }
  });

  it('has one worst broker at every size, whatever their number', () => {
    for (const brokers of [1, 2, 12]) {
      const world = drawClusterWorld(11, { ...DEFAULT_WORLD, brokers });
      for (const { brokerOffsets } of world.sizes) {
        expect(brokerOffsets.length).toBe(brokers);
        expect(Math.min(...brokerOffsets)).toBe(0);
      }
    }
  });
});
