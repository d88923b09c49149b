// What the benchmark runs: worlds, methods, and the measures of one search.
import { adaptive } from '../../dist/boundary/search/adaptive/adaptive.js';
import { DEFAULT_WORLD, drawClusterWorld } from '../../dist/boundary/simulator/cluster-world.js';
import { NO_MISHAPS, SimulatedCluster } from '../../dist/boundary/simulator/simulated-cluster.js';
import { SimulatedTrials } from '../../dist/boundary/simulator/simulated-trials.js';
import { EtaWatch } from './search-eta.mjs';
import { bisection } from './search-peers/bisection.mjs';
import { mlrsearch } from './search-peers/mlrsearch.mjs';
import { VerdictTrials } from './search-peers/verdict-trials.mjs';
import { yesNoBayes } from './search-peers/yes-no-bayes.mjs';

export const PRECISION = 0.05;

export const CONFIG = {
  confirm: 1,
  precision: PRECISION,
  targetNp: 50,
  maxNp: 200,
  maxMegabytesPerSecond: null,
  maxTrials: 40,
  idleLimit: 0.2,
  warmUpMs: 10_000,
  windowMs: 15_000,
  isrHoldMs: 45_000,
  probeStepMs: 3_000,
};

const peer = (search) => (world, seed) => {
  const trials = new SimulatedTrials(world, seed);
  const field = new VerdictTrials(trials);
  const points = search(field);
  return { points, trials: field.count, seconds: trials.seconds, dose: field.dose };
};

export const METHODS = {
  adaptive: (world, seed, options) => playAdaptive(world, seed, options),
  'plain bisection': peer((field) => bisection(field, { precision: PRECISION, votes: 1 })),
  'majority of 3': peer((field) => bisection(field, { precision: PRECISION, votes: 3 })),
  'MLRsearch rules': peer((field) => mlrsearch(field, { precision: PRECISION })),
  'yes/no Bayes': peer((field) => yesNoBayes(field, { precision: PRECISION })),
};

/** Runs the product's own strategy against the simulated cluster. A probe counts as a trial. */
export function playAdaptive(world, seed, { mishaps = {}, config = {} } = {}) {
  const cluster = new SimulatedCluster(world, seed, { ...NO_MISHAPS, ...mishaps });
  const sizes = world.sizes.map(({ messageBytes }) => messageBytes);
  const watch = new EtaWatch();
  let state = adaptive.start({ ...CONFIG, sizes, ...config });
  for (let command = adaptive.ask(state); command.type !== 'done'; command = adaptive.ask(state)) {
    watch.promise(adaptive.remaining(state));
    const event = cluster.answer(command);
    watch.took(command, event);
    state = adaptive.tell(state, event);
  }
  const { trials, seconds, overloadDose } = cluster.cost;
  return { points: adaptive.ask(state).points, trials, seconds, dose: overloadDose, eta: watch.result };
}

/** One search in one world, measured against the truth. */
export function runCase({ method, seed, world: options, mishaps, config }) {
  const world = drawClusterWorld(seed, { ...DEFAULT_WORLD, ...options });
  const truths = world.sizes.map(({ boundary }) => boundary);
  const placed = mishaps?.generatorShare
    ? { ...mishaps, generatorCeilings: truths.map((truth) => truth * mishaps.generatorShare) }
    : mishaps;
  const limits = config?.maxLoadShare
    ? { ...config, maxMegabytesPerSecond: config.maxLoadShare * least(world) }
    : config;
  const found = METHODS[method](world, seed, { mishaps: placed, config: limits });
  return {
    trials: found.trials,
    seconds: found.seconds,
    dose: found.dose,
    eta: found.eta,
    points: found.points.map((point, size) => measurePoint(point, truths[size])),
  };
}

/** The smallest boundary of the world in MB/s. */
function least(world) {
  return Math.min(...world.sizes.map(({ boundary, messageBytes }) => (boundary * messageBytes) / 1e6));
}

export function measurePoint(point, truth) {
  const low = point.low ?? point.interval?.low ?? null;
  const high = point.high ?? point.interval?.high ?? null;
  const known = point.estimate !== null && low !== null;
  return {
    error: point.estimate === null ? null : Math.log(point.estimate / truth),
    isCovered: known && low <= truth && truth <= high,
    halfWidth: known ? Math.log(high / Math.max(low, 1e-9)) / 2 : null,
    quality: point.quality ?? null,
    hasLower: point.lower != null,
    isLowerTrue: point.lower != null && rateOf(point.lower) <= truth,
    hasUpper: point.upper != null,
    isUpperTrue: point.upper != null && rateOf(point.upper) >= truth,
  };
}

/** A bound of a peer is a rate, one of the product an object. */
function rateOf(bound) {
  return bound?.messagesPerSecond ?? bound;
}
