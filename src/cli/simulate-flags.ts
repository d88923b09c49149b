import { flagKey } from '../config/config-flags.ts';
import { type Config, configSchema } from '../config/schema.ts';
import { SETTINGS } from '../config/settings.ts';
import { PlimsollError } from '../errors.ts';
import { readSimulation, type Simulation } from '../simulate/read-simulation.ts';

/** Groups of settings that are about a real cluster, what it is watched and loaded with, or rules that the simulator has fixed. */
const REAL_SETTINGS = [
  'bootstrap',
  'metrics',
  'signals',
  'thresholds',
  'topic',
  'producer',
  'client',
  'redis',
  'workers',
] as const;

/**
 * What `--simulate FILE` asks for; `--seed` goes before the file's.
 * @throws PlimsollError CONFIG_INVALID for flags that only a real cluster can heed, or a file that cannot be read.
 */
export function simulationOf(
  file: string,
  flags: Readonly<Record<string, unknown>>,
  config: Config,
): Simulation {
  const settings = SETTINGS.filter(({ path }) => REAL_SETTINGS.some((name) => name === path[0]));
  const refused = ['resume', ...settings.map(({ flag }) => flag)].filter(
    (flag) => flags[flagKey(flag)] !== undefined,
  );
  if (refused.includes('resume')) {
    throw new PlimsollError(
      'CONFIG_INVALID',
      '--resume does not go with --simulate: a simulated run takes seconds, start it again',
    );
  }
  if (refused.length > 0) {
    const names = refused.map((flag) => `--${flag}`).join(', ');
    throw new PlimsollError(
      'CONFIG_INVALID',
      `${names} ${refused.length === 1 ? 'is' : 'are'} for a real cluster: leave ${refused.length === 1 ? 'it' : 'them'} out, or leave out --simulate`,
    );
  }
  const simulation = readSimulation(file);
  const hasSeed = flags[flagKey('seed')] !== undefined;
  return hasSeed
    ? { ...simulation, settings: { ...simulation.settings, seed: config.load.seed } }
    : simulation;
}

/** The configuration without what a settings file or a variable says of a real cluster: the simulation has none of it. */
export function withoutRealCluster(config: Config): Config {
  const initial = configSchema.parse({});
  const neutral = Object.fromEntries(REAL_SETTINGS.map((name) => [name, initial[name]]));
  return { ...config, ...neutral };
}

/** Refuses to go on with a simulated run, which cannot be taken up where its cluster was. */
export function refuseSimulated(runId: string, environment: Readonly<Record<string, string>>): void {
  if (environment.simulated === undefined) return;
  throw new PlimsollError(
    'CONFIG_INVALID',
    `run ${runId} is simulated and not resumed: start it again with --simulate (${environment.simulated}), it takes seconds`,
  );
}
