import type { z } from 'zod';
import { PlimsollError } from '../errors.ts';
import { flagKey } from './config-flags.ts';
import { parsePropertyTexts, parsePropertyVariable } from './properties.ts';
import { type Config, configSchema } from './schema.ts';
import { GROUPS, SETTINGS, type Setting } from './settings.ts';
import { readSettingsFile, type SettingsFile } from './settings-file.ts';
import { unknownSetting, unknownVariables } from './unknown-names.ts';

export interface ConfigSources {
  /** Settings file; it must exist. Default: `plimsoll.yaml` of the folder, when there is one. */
  readonly file?: string | undefined;
  /** Environment variables (`processEnvironment()`). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Flags as commander gives them (`command.opts()`); keys that are no settings are left alone. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Where `plimsoll.yaml` is looked for; default: the working folder. */
  readonly folder?: string;
}

/**
 * Makes the effective configuration: defaults < file < environment < flags, checked, frozen.
 * @throws PlimsollError CONFIG_INVALID with one line for every problem, each with its place.
 */
export function loadConfig(sources: ConfigSources): Config {
  const layers = layersOf(sources);
  const parsed = configSchema.safeParse(layers.values);
  const issues = parsed.success ? [] : parsed.error.issues.flatMap((issue) => describe(issue, layers));
  const problems = [...unknownVariables(sources.env), ...layers.problems, ...issues];
  if (!parsed.success || problems.length > 0) throw new PlimsollError('CONFIG_INVALID', problems.join('\n'));
  return deepFreeze(parsed.data);
}

/** Tells whether the user gave a setting anywhere, so that it is no default: `bpm`, `trial.windowMs`. */
export function isGiven(sources: ConfigSources, name: string): boolean {
  return layersOf(sources).originOf(name.split('.')) !== null;
}

function layersOf(sources: ConfigSources): Layers {
  const { env, flags } = sources;
  const chosen = sources.file ?? textOf(flags.config) ?? (env.PLIMSOLL_CONFIG || undefined);
  const layers = new Layers(readSettingsFile(chosen, sources.folder ?? process.cwd()));
  for (const setting of SETTINGS) {
    layers.addVariable(setting, env);
    layers.addFlag(setting, flags[flagKey(setting.flag)]);
  }
  return layers;
}

/** The sources laid over each other, with the origin of each value for messages. */
class Layers {
  readonly values: Record<string, unknown>;
  readonly problems: string[] = [];
  readonly #origins = new Map<string, string>();
  readonly #file: SettingsFile | null;

  constructor(file: SettingsFile | null) {
    this.#file = file;
    this.values = withoutNulls(spelledOut(file?.values ?? {}), '');
  }

  addVariable(setting: Setting, env: ConfigSources['env']): void {
    for (const name of [setting.alsoEnv, setting.env]) {
      const text = name === undefined ? undefined : env[name];
      // An empty variable is how containers and shells say `not set`.
      if (name === undefined || text === undefined || text.trim() === '') continue;
      this.#lay(
        setting,
        name,
        setting.isProperties ? parsePropertyVariable(text, exampleOf(setting)) : { ok: true, value: text },
      );
    }
  }

  addFlag(setting: Setting, value: unknown): void {
    if (value === undefined) return;
    const texts = setting.isProperties && Array.isArray(value) ? value.map(String) : null;
    this.#lay(
      setting,
      `--${setting.flag}`,
      texts ? parsePropertyTexts(texts, exampleOf(setting)) : { ok: true, value },
    );
  }

  /** Where a value came from: `plimsoll.yaml:7`, a variable, a flag; null for a default. */
  originOf(path: readonly PropertyKey[]): string | null {
    for (let length = path.length; length > 0; length -= 1) {
      const origin = this.#origins.get(path.slice(0, length).join('\0'));
      if (origin !== undefined) return origin;
    }
    return this.#file?.placeOf(path) ?? null;
  }

  #lay(
    setting: Setting,
    origin: string,
    read: ReturnType<typeof parsePropertyTexts> | { ok: true; value: unknown },
  ): void {
    if (!read.ok) {
      this.problems.push(`${origin}: ${setting.name} ${read.problem}`);
      return;
    }
    const group = setting.path.length > 1 ? this.#group(setting.path[0] ?? '') : this.values;
    const key = setting.path.at(-1) ?? '';
    // A file that has a plain value where a group belongs gets its own message.
    if (!group) return;
    const below = group[key];
    const isMerged = setting.isProperties && typeof below === 'object' && below !== null;
    group[key] = isMerged ? { ...below, ...(read.value as object) } : read.value;
    this.#origins.set(setting.path.join('\0'), origin);
  }

  #group(name: string): Record<string, unknown> | null {
    this.values[name] ??= {};
    const group = this.values[name];
    return typeof group === 'object' && !Array.isArray(group) ? (group as Record<string, unknown>) : null;
  }
}

function describe(issue: z.core.$ZodIssue, layers: Layers): string[] {
  const name = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      placed(layers.originOf([...issue.path, key]), unknownSetting(issue.path, key)),
    );
  }
  const isGroup = issue.code === 'invalid_type';
  const message = isGroup ? 'is a group of settings and needs them below it, indented' : issue.message;
  return [placed(layers.originOf(issue.path), `${name} ${message}`)];
}

/** The example that the description of a setting ends with; null without one. */
function exampleOf({ description }: Setting): string | null {
  return /for example (\S+)$/.exec(description)?.[1] ?? null;
}

/** `signals: none` is short for the group with that source. */
function spelledOut(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { signals } = values;
  return typeof signals === 'string' ? { ...values, signals: { source: signals } } : values;
}

/** Copies the file's values; a known key with nothing behind it (`trial:`, null in YAML) keeps its default. */
function withoutNulls(values: Readonly<Record<string, unknown>>, group: string): Record<string, unknown> {
  const entries = Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
    const isGroup = group === '' && GROUPS.has(key);
    const isKnown = isGroup || SETTINGS.some(({ name }) => name === `${group}${key}`);
    if (value === null && isKnown) return [];
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    return [[key, isGroup && isMap ? withoutNulls(value as Record<string, unknown>, `${key}.`) : value]];
  });
  return Object.fromEntries(entries);
}

function placed(origin: string | null, message: string): string {
  return origin === null ? message : `${origin}: ${message}`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const entry of Object.values(value)) deepFreeze(entry);
    Object.freeze(value);
  }
  return value;
}
