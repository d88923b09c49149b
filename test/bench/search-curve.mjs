// Searches that pick the sizes of a range themselves, measured against the true curve between them.
import { DEFAULT_WORLD, drawClusterWorld } from '../../dist/boundary/simulator/cluster-world.js';
import { PRECISION, playAdaptive } from './search-cases.mjs';

export const CURVES = [
  { name: 'range 100 B to 1 MB' },
  { name: 'range, roofline cost', world: { law: 'roofline' } },
  { name: 'range, cost misfit 15 %', world: { misfit: 0.15 } },
];

const FROM = 100;
const TO = 1_000_000;
const BETWEEN = 50;

/** Every size of two digits in the range: what a search may pick. */
const GRID = [2, 3, 4, 5].flatMap((power) =>
  Array.from({ length: 90 }, (_, i) => (10 + i) * 10 ** (power - 1)),
);
GRID.push(TO);

export function runCurve({ seed, world: options }) {
  const world = drawClusterWorld(seed, { ...DEFAULT_WORLD, ...options, sizes: GRID });
  const config = { sizes: [FROM, Math.sqrt(FROM * TO), TO], sizeRange: { from: FROM, to: TO } };
  const { points, trials, seconds, eta } = playAdaptive(world, seed, { config });
  const stride = (GRID.length - 1) / (BETWEEN + 1);
  const seen = Array.from({ length: BETWEEN }, (_, i) => {
    const { messageBytes, boundary } = world.sizes[Math.round((i + 1) * stride)];
    const { estimate, halfWidth } = curveAt(points, messageBytes);
    const error = Math.abs(Math.log(estimate / boundary));
    return { error, isCovered: error <= halfWidth };
  });
  return {
    trials,
    seconds,
    eta,
    sizes: points.length,
    seen,
    worst: Math.max(...points.map((p) => p.interpolation ?? 0)),
  };
}

/** The reported curve: a straight line in logarithms between its points. */
function curveAt(points, bytes) {
  const upper = points.findIndex(({ messageBytes }) => messageBytes >= bytes);
  const [a, b] = [points[upper - 1], points[upper]];
  const share = Math.log(bytes / a.messageBytes) / Math.log(b.messageBytes / a.messageBytes);
  const estimate = Math.exp((1 - share) * Math.log(a.estimate) + share * Math.log(b.estimate));
  return { estimate, halfWidth: a.interpolation };
}

export function summariseCurve(results) {
  const seen = results.flatMap((result) => result.seen);
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const share = (isTrue) => seen.filter(isTrue).length / seen.length;
  return {
    sizes: mean(results.map(({ sizes }) => sizes)),
    trials: mean(results.map(({ trials }) => trials)),
    hours: mean(results.map(({ seconds }) => seconds)) / 3_600,
    near: share(({ error }) => error <= PRECISION),
    hit: share(({ error }) => error <= 2 * PRECISION),
    covered: share(({ isCovered }) => isCovered),
    worst: mean(results.map(({ worst }) => worst)),
  };
}

export function curveRow(name, summary) {
  const percent = (ratio) => (100 * ratio).toFixed(1);
  return {
    name,
    sizes: summary.sizes.toFixed(1),
    trials: summary.trials.toFixed(1),
    hours: summary.hours.toFixed(2),
    'curve within 5 %': percent(summary.near),
    'within 10 %': percent(summary.hit),
    'covered %': percent(summary.covered),
    'widest gap %': percent(summary.worst),
  };
}
