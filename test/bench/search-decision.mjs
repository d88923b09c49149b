// How long a decision takes when the run has seen many trials.
import { adaptive } from '../../dist/boundary/search/adaptive/adaptive.js';
import { DEFAULT_WORLD, drawClusterWorld } from '../../dist/boundary/simulator/cluster-world.js';
import { SimulatedCluster } from '../../dist/boundary/simulator/simulated-cluster.js';
import { CONFIG } from './search-cases.mjs';

const TRIALS = 200;
const LAST = 20;
/** So fine that the search goes on for as long as it takes. */
const PRECISION = 0.01;

/** Median time of a decision after 200 trials at ten sizes, ms. */
export function measureDecisionMs() {
  const world = drawClusterWorld(1, { ...DEFAULT_WORLD, family: 'A' });
  const cluster = new SimulatedCluster(world, 1);
  const sizes = world.sizes.map(({ messageBytes }) => messageBytes);
  let state = adaptive.start({
    ...CONFIG,
    precision: PRECISION,
    targetNp: 150,
    maxNp: 400,
    maxTrials: 60,
    sizes,
  });
  const times = [];
  for (let trials = 0; trials < TRIALS + LAST; trials++) {
    const command = adaptive.ask(state);
    if (command.type === 'done') break;
    const event = cluster.answer(command);
    const before = performance.now();
    state = adaptive.tell(state, event);
    times.push(performance.now() - before);
  }
  if (times.length <= TRIALS) throw new Error(`the search ended after ${times.length} steps`);
  return times.slice(TRIALS).sort((a, b) => a - b)[LAST / 2];
}
