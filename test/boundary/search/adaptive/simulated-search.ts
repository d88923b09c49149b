import { adaptive } from '../../../../boundary/search/adaptive/adaptive.ts';
import type { AdaptiveState } from '../../../../boundary/search/adaptive/adaptive-state.ts';
import type { RunProbe, RunTrial, SearchConfig, SearchEvent } from '../../../../boundary/search/search.ts';
import {
  type ClusterWorld,
  DEFAULT_WORLD,
  drawClusterWorld,
  type WorldOptions,
} from '../../../../boundary/simulator/cluster-world.ts';
import {
  type Mishaps,
  NO_MISHAPS,
  SimulatedCluster,
} from '../../../../boundary/simulator/simulated-cluster.ts';
import { CONFIG } from '../oracle.ts';

export const ADAPTIVE_CONFIG: SearchConfig = { ...CONFIG, sizes: [100, 1_000, 10_000], windowMs: 15_000 };

export interface Played {
  readonly events: readonly SearchEvent[];
  readonly commands: readonly (RunProbe | RunTrial)[];
  readonly trials: readonly RunTrial[];
  readonly state: AdaptiveState;
}

/** Runs a search to its end; throws when it does not end. */
export function play(config: SearchConfig, answer: (command: RunProbe | RunTrial) => SearchEvent): Played {
  let state = adaptive.start(config);
  const events: SearchEvent[] = [];
  const commands: (RunProbe | RunTrial)[] = [];
  for (let command = adaptive.ask(state); command.type !== 'done'; command = adaptive.ask(state)) {
    if (events.length > 2_000) throw new Error('the search does not end');
    const event = answer(command);
    commands.push(command);
    events.push(event);
    state = adaptive.tell(state, event);
  }
  const trials = commands.flatMap((command) => (command.type === 'runTrial' ? [command] : []));
  return { events, commands, trials, state };
}

/** A search in a drawn world; another run of the same world draws noise and drift of its own. */
export function playWorld(
  seed: number,
  options: Partial<WorldOptions> = {},
  config: Partial<SearchConfig> = {},
  mishaps: Partial<Mishaps> = {},
  worldSeed = seed,
): Played & { readonly world: ClusterWorld } {
  const sizes = config.sizes ?? ADAPTIVE_CONFIG.sizes;
  const world = drawClusterWorld(worldSeed, { ...DEFAULT_WORLD, ...options, sizes });
  const cluster = new SimulatedCluster(world, seed, { ...NO_MISHAPS, ...mishaps });
  const played = play({ ...ADAPTIVE_CONFIG, ...config, sizes }, (command) => cluster.answer(command));
  return { ...played, world };
}
