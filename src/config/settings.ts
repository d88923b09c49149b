import { z } from 'zod';
import { formatBytes } from '../../boundary/units.ts';
import { formatDuration } from './duration.ts';
import { formatSizes, type MessageSizes } from './message-sizes.ts';
import { configSchema } from './schema.ts';
import { type SettingMeta, settingMeta } from './setting.ts';

/** One leaf of the schema with all its names. */
export interface Setting extends SettingMeta {
  readonly path: readonly string[];
  /** `trial.windowMs` */
  readonly name: string;
  /** `PLIMSOLL_TRIAL_WINDOW_MS` */
  readonly env: string;
  readonly initial: unknown;
}

/** Every setting, in the schema's order. */
export const SETTINGS: readonly Setting[] = settingsOf(configSchema, []);

/** The groups of settings by name: `trial`, `load` ... */
export const GROUPS: ReadonlySet<string> = new Set(
  SETTINGS.flatMap(({ path }) => (path.length > 1 && path[0] ? [path[0]] : [])),
);

/** Writes a default the way a person would write the setting. */
export function formatInitial(setting: Setting): string {
  const { initial, unit } = setting;
  if (initial === null) return 'none';
  if (unit === 'bytes') {
    return typeof initial === 'number' ? formatBytes(initial) : formatSizes(initial as MessageSizes);
  }
  if (Array.isArray(initial)) return initial.length === 0 ? 'none' : initial.join(', ');
  if (typeof initial === 'object') {
    const pairs = Object.entries(initial).map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? 'none' : pairs.join(', ');
  }
  return unit === 'ms' && typeof initial === 'number' ? formatDuration(initial) : String(initial);
}

function settingsOf(group: z.ZodObject, path: readonly string[]): Setting[] {
  return Object.entries(group.shape).flatMap(([key, schema]) => {
    const here = [...path, key];
    const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
    if (inner instanceof z.ZodObject) return settingsOf(inner, here);
    const meta = settingMeta.get(schema as z.ZodType);
    if (!meta) throw new TypeError(`the schema says nothing about ${here.join('.')}`);
    const initial: unknown = z.safeParse(schema, undefined).data;
    return [{ ...meta, path: here, name: here.join('.'), env: envName(here), initial }];
  });
}

function envName(path: readonly string[]): string {
  const words = path.map((key) => key.replace(/([a-z\d])([A-Z])/g, '$1_$2').toUpperCase());
  return `PLIMSOLL_${words.join('_')}`;
}
