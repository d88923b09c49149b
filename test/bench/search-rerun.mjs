// Searches that start from what a former search of the same cluster found, and what becomes of the former limits.
import { CONFIG, measurePoint, PRECISION, playAdaptive } from './search-cases.mjs';
import { DEFAULT_WORLD, drawClusterWorld, WORLD_SIZES } from '../../dist/boundary/simulator/cluster-world.js';

/** `change`: the limits over the former ones. */
export const RERUNS = [
  { name: 'unchanged', change: 1 },
  { name: '-15 %', change: 0.85 },
  { name: '-30 %', change: 0.7 },
  { name: '+30 %', change: 1.3 },
  { name: 'unchanged, 3 sizes, 10 %', change: 1, precision: 0.1, sizes: threeSizes() },
  { name: '-15 %, 3 sizes, 10 %', change: 0.85, precision: 0.1, sizes: threeSizes() },
  { name: '-30 %, 3 sizes, 10 %', change: 0.7, precision: 0.1, sizes: threeSizes() },
  { name: 'unchanged, noise x2', change: 1, noiseFactor: 2 },
  { name: '-15 %, noise x2', change: 0.85, noiseFactor: 2 },
];

/** The second run draws its own noise and drift. */
const SECOND_RUN = 500_000;

function threeSizes() {
  return [0, 4, 9].map((index) => WORLD_SIZES[index]);
}

/** One search, and one more of the same cluster whose limits are `change` times as high. */
export function runRerun({ seed, world: options, rerun }) {
  const { change, precision = PRECISION, sizes = WORLD_SIZES } = rerun;
  const world = drawClusterWorld(seed, { ...DEFAULT_WORLD, ...options, sizes });
  const config = { ...CONFIG, precision };
  const first = playAdaptive(world, seed, { config });
  const former = first.points.flatMap(({ messageBytes, estimate, interval }) =>
    estimate !== null && interval ? [{ messageBytes, estimate, ...interval }] : [],
  );
  const second = playAdaptive(world, seed + SECOND_RUN, {
    config: { ...config, former },
    mishaps: { burst: { afterSeconds: -1, share: change } },
  });
  return {
    trials: second.trials,
    seconds: second.seconds,
    dose: second.dose,
    points: second.points.map((point, size) => ({
      ...measurePoint(point, world.sizes[size].boundary * change),
      trials: point.trials,
      former: point.former?.outcome ?? 'untold',
    })),
  };
}

export function rerunRow(name, results) {
  const points = results.flatMap((result) => result.points);
  const percent = (isTrue) => ((100 * points.filter(isTrue).length) / points.length).toFixed(1);
  const trials = results.reduce((sum, result) => sum + result.trials, 0) / points.length;
  const known = points.filter(({ error }) => error !== null);
  return {
    name,
    'trials per size': trials.toFixed(2),
    'at most 3 %': percent((point) => point.trials <= 3),
    'confirmed %': percent(({ former }) => former === 'confirmed'),
    'refuted %': percent(({ former }) => former === 'refuted'),
    'untold %': percent(({ former }) => former === 'untold'),
    'within 5 %': percent(({ error }) => error !== null && Math.abs(error) <= PRECISION),
    'covered %': ((100 * known.filter(({ isCovered }) => isCovered).length) / known.length).toFixed(1),
    'half width %': (
      (100 * known.reduce((sum, { halfWidth }) => sum + halfWidth, 0)) /
      known.length
    ).toFixed(1),
    'converged %': percent(({ quality }) => quality === 'converged'),
  };
}
