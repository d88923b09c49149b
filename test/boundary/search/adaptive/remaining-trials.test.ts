import { describe, expect, it } from 'vitest';
import { adaptive } from '../../../../boundary/search/adaptive/adaptive.ts';
import type { RunProbe, RunTrial, SearchConfig } from '../../../../boundary/search/search.ts';
import { DEFAULT_WORLD, drawClusterWorld } from '../../../../boundary/simulator/cluster-world.ts';
import { CURVE_FAMILIES, type CurveFamily } from '../../../../boundary/simulator/idle-curve.ts';
import { SimulatedCluster } from '../../../../boundary/simulator/simulated-cluster.ts';
import { ADAPTIVE_CONFIG } from './simulated-search.ts';

const SIZES = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000];
const SLOW = 60_000;

/** What a search said was left before each of its commands. */
function promisesOf(seed: number, family: CurveFamily, config: Partial<SearchConfig> = {}) {
  const sizes = config.sizes ?? SIZES;
  const cluster = new SimulatedCluster(drawClusterWorld(seed, { ...DEFAULT_WORLD, family, sizes }), seed);
  let state = adaptive.start({ ...ADAPTIVE_CONFIG, sizes, ...config });
  const promises: { command: RunProbe | RunTrial; left: ReturnType<typeof adaptive.remaining> }[] = [];
  for (let command = adaptive.ask(state); command.type !== 'done'; command = adaptive.ask(state)) {
    promises.push({ command, left: adaptive.remaining(state) });
    state = adaptive.tell(state, cluster.answer(command));
  }
  return { promises, end: adaptive.remaining(state), points: adaptive.finished(state) };
}

const windowsOf = (promises: ReturnType<typeof promisesOf>['promises']) =>
  promises.reduce(
    (sum, { command }) => sum + (command.type === 'runTrial' ? command.windowMs / 1_000 : 0),
    0,
  );

describe('what is left of a search', () => {
  it(
    'is right within 30 % at half of the trials, for trials and for windows, in most searches',
    () => {
      const ratios = CURVE_FAMILIES.flatMap((family) => {
        const { promises } = promisesOf(31, family);
        const half = promises.slice(promises.length >> 1);
        const left = half[0]?.left;
        return [(left?.trials ?? 0) / half.length, (left?.windowSeconds ?? 0) / windowsOf(half)];
      });
      const right = ratios.filter((ratio) => Math.abs(ratio - 1) <= 0.3).length;
      expect(right / ratios.length).toBeGreaterThanOrEqual(0.75);
    },
    SLOW,
  );

  it('is about right before anything is known, and nothing at the end', () => {
    const { promises, end } = promisesOf(32, 'B');
    expect(promises[0]?.left.probes).toBe(2);
    expect(promises[1]?.left.probes).toBe(1);
    const trials = promises.length - 2;
    expect(promises[0]?.left.trials).toBeGreaterThan(0.6 * trials);
    expect(promises[0]?.left.trials).toBeLessThan(1.6 * trials);
    expect(end).toEqual({ probes: 0, trials: 0, windowSeconds: 0 });
  });

  it('is never less than the trial that is due', () => {
    for (const { command, left } of promisesOf(33, 'F').promises) {
      if (command.type === 'runTrial') expect(left.trials).toBeGreaterThanOrEqual(1);
      else expect(left.probes).toBeGreaterThanOrEqual(1);
      expect(left.windowSeconds).toBeGreaterThanOrEqual(0);
    }
  });

  it('is two or three trials per size, and no probe, where a former limit is checked', () => {
    const former = promisesOf(34, 'B').points.flatMap(({ messageBytes, estimate, interval }) =>
      estimate !== null && interval ? [{ messageBytes, estimate, ...interval }] : [],
    );
    const first = promisesOf(34, 'B', { former }).promises[0]?.left;
    expect(first?.probes).toBe(0);
    expect(first?.trials).toBeGreaterThanOrEqual(2 * SIZES.length);
    expect(first?.trials).toBeLessThanOrEqual(3 * SIZES.length);
  });

  it('counts the sizes that a range will add', () => {
    const sizes = [100, 10_000];
    const list = adaptive.remaining(adaptive.start({ ...ADAPTIVE_CONFIG, sizes }));
    const sizeRange = { from: 100, to: 10_000 };
    const range = adaptive.remaining(adaptive.start({ ...ADAPTIVE_CONFIG, sizes, sizeRange }));
    expect(range.trials).toBeGreaterThan(1.5 * list.trials);
  });
});
