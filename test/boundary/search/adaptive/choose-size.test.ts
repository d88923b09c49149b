import { describe, expect, it } from 'vitest';
import type { BoundaryPoint } from '../../../../boundary/boundary-point.ts';
import { adaptive } from '../../../../boundary/search/adaptive/adaptive.ts';
import { replay } from '../../../../boundary/search/search.ts';
import { DEFAULT_WORLD, drawClusterWorld } from '../../../../boundary/simulator/cluster-world.ts';
import { CURVE_FAMILIES, type CurveFamily } from '../../../../boundary/simulator/idle-curve.ts';
import { NO_MISHAPS, SimulatedCluster } from '../../../../boundary/simulator/simulated-cluster.ts';
import { ADAPTIVE_CONFIG, play } from './simulated-search.ts';

const SLOW = 120_000;
const RANGE = { from: 100, to: 100_000 };
/** Every size of two digits: what the search may pick. */
const GRID = [
  ...[10, 100, 1_000].flatMap((power) => Array.from({ length: 90 }, (_, i) => (10 + i) * power)),
  100_000,
];
const CONFIG = { ...ADAPTIVE_CONFIG, sizes: [100, 3_200, 100_000], sizeRange: RANGE };

function playRange(seed: number, family: CurveFamily) {
  const world = drawClusterWorld(seed, { ...DEFAULT_WORLD, family, sizes: GRID });
  const cluster = new SimulatedCluster(world, seed);
  return { world, ...play(CONFIG, (command) => cluster.answer(command)) };
}

/** ln of the reported curve: a straight line between its points. */
function lnCurve(points: readonly BoundaryPoint[], bytes: number): number {
  const above = points.findIndex(({ messageBytes }) => messageBytes >= bytes);
  const [a, b] = [points[above - 1], points[above]];
  if (!a || !b) throw new Error('out of the range');
  const share = Math.log(bytes / a.messageBytes) / Math.log(b.messageBytes / a.messageBytes);
  return (1 - share) * Math.log(a.estimate ?? 1) + share * Math.log(b.estimate ?? 1);
}

describe('a search of a range of sizes', () => {
  it(
    'finds a curve that is right between its points too, and says how right',
    () => {
      let near = 0;
      let covered = 0;
      let count = 0;
      for (const family of CURVE_FAMILIES) {
        const { state, world } = playRange(72, family);
        for (let k = 1; k <= 50; k++) {
          const at = world.sizes[k * 5];
          if (!at || at.messageBytes === 100) continue;
          const error = Math.abs(lnCurve(state.done, at.messageBytes) - Math.log(at.boundary));
          const gap = state.done.findLast(({ messageBytes }) => messageBytes < at.messageBytes);
          near += error <= 2 * ADAPTIVE_CONFIG.precision ? 1 : 0;
          covered += error <= (gap?.interpolation ?? 0) ? 1 : 0;
          count += 1;
        }
      }
      expect(near / count).toBeGreaterThanOrEqual(0.9);
      expect(covered / count).toBeGreaterThanOrEqual(0.9);
    },
    SLOW,
  );

  it(
    'adds sizes of two digits within the range, a dozen in all at most, without a probe, and says why',
    () => {
      const { state, commands, events } = playRange(73, 'A');
      const sizes = state.done.map(({ messageBytes }) => messageBytes);
      expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
      expect(sizes.length).toBeGreaterThan(3);
      expect(sizes.length).toBeLessThanOrEqual(12);
      const added = sizes.filter((size) => !CONFIG.sizes.includes(size));
      for (const size of added) {
        expect(GRID).toContain(size);
        const first = commands.find(({ messageBytes }) => messageBytes === size);
        expect(first?.type).toBe('runTrial');
        expect(first?.why).toMatch(/a new size: the curve between .* is known to \+-\d+ % only/);
      }
      expect(state.done.slice(0, -1).every(({ interpolation }) => interpolation !== undefined)).toBe(true);
      expect(state.done.at(-1)?.interpolation).toBeUndefined();
      expect(replay(adaptive, CONFIG, events)).toEqual(state);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    },
    SLOW,
  );

  it('adds none beside a size whose limit is out of reach', () => {
    const world = drawClusterWorld(73, { ...DEFAULT_WORLD, family: 'A', sizes: GRID });
    const generatorCeilings = world.sizes.map(({ boundary }) => 0.6 * boundary);
    const cluster = new SimulatedCluster(world, 73, { ...NO_MISHAPS, generatorCeilings });
    const { state } = play(CONFIG, (command) => cluster.answer(command));
    expect(state.done.map(({ quality }) => quality)).toEqual(['at least', 'at least', 'at least']);
  });

  it('adds none to a list of sizes', () => {
    const world = drawClusterWorld(73, { ...DEFAULT_WORLD, family: 'A', sizes: CONFIG.sizes });
    const cluster = new SimulatedCluster(world, 73);
    const { state } = play({ ...ADAPTIVE_CONFIG, sizes: CONFIG.sizes }, (command) => cluster.answer(command));
    expect(state.done.map(({ messageBytes }) => messageBytes)).toEqual(CONFIG.sizes);
    expect(state.done.every(({ interpolation }) => interpolation === undefined)).toBe(true);
  });

  it(
    'picks whole bytes among the smallest messages',
    () => {
      const sizes = [...Array.from({ length: 100 }, (_, i) => i + 1), ...GRID.filter((size) => size > 100)];
      const world = drawClusterWorld(5, { ...DEFAULT_WORLD, sizes, misfit: 0.3 });
      const cluster = new SimulatedCluster(world, 5);
      const config = { ...CONFIG, sizes: [1, 32, 1_000], sizeRange: { from: 1, to: 1_000 } };
      const { state } = play(config, (command) => cluster.answer(command));
      const found = state.done.map(({ messageBytes }) => messageBytes);
      expect(found.length).toBeGreaterThan(4);
      expect(found.every(Number.isInteger)).toBe(true);
    },
    SLOW,
  );
});
