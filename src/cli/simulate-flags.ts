import { flagKey } from '../config/config-flags.ts';
import type { Config } from '../config/schema.ts';
import { SETTINGS } from '../config/settings.ts';
import { PlimsollError } from '../errors.ts';
import { readSimulation, type Simulation } from '../simulate/read-simulation.ts';
import { REAL_SETTINGS } from '../simulate/real-settings.ts';

type Flags = Readonly<Record<string, unknown>>;

/**
 * Refuses the flags that only a real cluster can heed.
 * @throws PlimsollError CONFIG_INVALID
 */
export function refuseRealFlags(flags: Flags): void {
  if (flags.resume !== undefined) {
    throw new PlimsollError(
      'CONFIG_INVALID',
      '--resume does not go with --simulate: a simulated run takes seconds, start it again',
    );
  }
  const refused = SETTINGS.filter(
    ({ path, flag }) => REAL_SETTINGS.some((name) => name === path[0]) && flags[flagKey(flag)] !== undefined,
  );
  if (refused.length === 0) return;
  const names = refused.map(({ flag }) => `--${flag}`).join(', ');
  const [are, them] = refused.length === 1 ? ['is', 'it'] : ['are', 'them'];
  throw new PlimsollError(
    'CONFIG_INVALID',
    `${names} ${are} for a real cluster: leave ${them} out, or leave out --simulate`,
  );
}

/**
 * The simulated cluster that `--simulate FILE` asks for; `--seed` goes before the file's.
 * @throws PlimsollError CONFIG_INVALID
 */
export function simulationOf(file: string, flags: Flags, config: Config): Simulation {
  const { name, settings } = readSimulation(file);
  const hasSeed = flags[flagKey('seed')] !== undefined;
  return { name, settings: hasSeed ? { ...settings, seed: config.load.seed } : settings };
}

/** Refuses to go on with a simulated run, which cannot be taken up where its cluster was. */
export function refuseSimulated(runId: string, environment: Readonly<Record<string, string>>): void {
  if (environment.simulated === undefined) return;
  throw new PlimsollError(
    'CONFIG_INVALID',
    `run ${runId} is simulated and not resumed: start it again with --simulate (${environment.simulated}), it takes seconds`,
  );
}
