import { basename } from 'node:path';
import type { z } from 'zod';
import { nearestName } from '../config/nearest-name.ts';
import { readSettingsFile, type SettingsFile } from '../config/settings-file.ts';
import { PlimsollError } from '../errors.ts';
import { burstSchema, type SimulationSettings, simulationSchema } from './simulation-schema.ts';

/** A simulated cluster as a file describes it. */
export interface Simulation {
  /** Name of the file, without its folder: what the cluster is called in the store and in reports. */
  readonly name: string;
  readonly settings: SimulationSettings;
}

/**
 * Reads the description of a simulated cluster, YAML or JSON; what it does not say is as usual.
 * @throws PlimsollError CONFIG_INVALID with one line for every mistake, each with its place.
 */
export function readSimulation(path: string): Simulation {
  const file = readSettingsFile(path, '.');
  const parsed = simulationSchema.safeParse(withoutNulls(file?.values ?? {}));
  if (parsed.success) return { name: basename(path), settings: parsed.data };
  const problems = parsed.error.issues.flatMap((issue) => describe(issue, file));
  throw new PlimsollError('CONFIG_INVALID', problems.join('\n'));
}

function describe(issue: z.core.$ZodIssue, file: SettingsFile | null): string[] {
  const name = issue.path.join('.');
  const placed = (path: readonly PropertyKey[], text: string) => {
    const place = file?.placeOf(path) ?? null;
    return place === null ? text : `${place}: ${text}`;
  };
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => placed([...issue.path, key], unknownKey(issue.path, key)));
  }
  const isGroup = issue.code === 'invalid_type';
  return [
    placed(
      issue.path,
      `${name} ${isGroup ? 'needs afterSeconds and share below it, indented' : issue.message}`,
    ),
  ];
}

function unknownKey(group: readonly PropertyKey[], key: string): string {
  const known = Object.keys((group.length > 0 ? burstSchema : simulationSchema).shape);
  const near = nearestName(key, known);
  const name = [...group, key].join('.');
  return `${name} says nothing about a simulated cluster${near === null ? `; known are ${known.join(', ')}` : `; did you mean ${near}?`}`;
}

/** A key with nothing behind it, as a commented-out value leaves it, keeps its default. */
function withoutNulls(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isMap = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== null)
      .map(([key, value]) => [key, isMap(value) ? withoutNulls(value) : value]),
  );
}
