import { type Config, configSchema } from '../config/schema.ts';

/**
 * Groups of settings that are about a real cluster: where it is, what it is watched and loaded with. The rules belong to
 * them, since the simulated cluster is built around the published ones.
 */
export const REAL_SETTINGS = [
  'bootstrap',
  'metrics',
  'signals',
  'thresholds',
  'topic',
  'messages',
  'consumers',
  'consumer',
  'producer',
  'client',
  'redis',
  'workers',
] as const;

/** The configuration without what a settings file or a variable says of a real cluster: a simulation heeds none of it. */
export function withoutRealCluster(config: Config): Config {
  const initial = configSchema.parse({});
  const neutral = Object.fromEntries(REAL_SETTINGS.map((name) => [name, initial[name]]));
  return { ...config, ...neutral };
}

/** What is recorded of a configuration: not the settings that no part of the simulation has looked at. */
export function heededSettings(configuration: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isHeeded = (name: string) =>
    name === 'thresholds' || !REAL_SETTINGS.some((unheeded) => unheeded === name);
  return Object.fromEntries(Object.entries(configuration).filter(([name]) => isHeeded(name)));
}
