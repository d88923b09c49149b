// Searches that start from what a former search of the same cluster found, and what becomes of the former limits.

import { DEFAULT_WORLD, drawClusterWorld, WORLD_SIZES } from '../../dist/boundary/simulator/cluster-world.js';
import { CONFIG, measurePoint, PRECISION, playAdaptive } from './search-cases.mjs';

/** `change`: the limits over the former ones; `answer`: what nearly all points must say of them. */
export const RERUNS = [
  { name: 'unchanged', change: 1, answer: 'confirmed' },
  { name: '-15 %', change: 0.85, answer: 'refuted' },
  { name: '-30 %', change: 0.7, answer: 'refuted' },
  { name: '+30 %', change: 1.3, answer: 'refuted' },
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
    eta: second.eta,
    points: second.points.map((point, size) => ({
      ...measurePoint(point, world.sizes[size].boundary * change),
      trials: point.trials,
      former: point.former?.outcome ?? 'untold',
    })),
  };
}

export function summariseRerun(results) {
  const points = results.flatMap((result) => result.points);
  const share = (isTrue) => points.filter(isTrue).length / points.length;
  const known = points.filter(({ error }) => error !== null);
  return {
    trials: results.reduce((sum, result) => sum + result.trials, 0) / points.length,
    few: share((point) => point.trials <= 3),
    confirmed: share(({ former }) => former === 'confirmed'),
    refuted: share(({ former }) => former === 'refuted'),
    untold: share(({ former }) => former === 'untold'),
    hit: share(({ error }) => error !== null && Math.abs(error) <= PRECISION),
    covered: known.filter(({ isCovered }) => isCovered).length / known.length,
    halfWidth: known.reduce((sum, { halfWidth }) => sum + halfWidth, 0) / known.length,
    converged: share(({ quality }) => quality === 'converged'),
  };
}

export function rerunRow(name, summary) {
  const percent = (ratio) => (100 * ratio).toFixed(1);
  return {
    name,
    'trials per size': summary.trials.toFixed(2),
    'at most 3 %': percent(summary.few),
    'confirmed %': percent(summary.confirmed),
    'refuted %': percent(summary.refuted),
    'untold %': percent(summary.untold),
    'within 5 %': percent(summary.hit),
    'covered %': percent(summary.covered),
    'half width %': percent(summary.halfWidth),
    'converged %': percent(summary.converged),
  };
}
