import { z } from 'zod';
import type { Reader } from './read-value.ts';

/** What a setting is besides its type: help text, table and names come from here. */
export interface SettingMeta {
  readonly description: string;
  /** Shown in help and table: ms, ratio, bytes ... */
  readonly unit?: string;
  /** Name of the flag, without dashes. */
  readonly flag: string;
  /** Placeholder of the flag's value in the help. */
  readonly value: string;
  /** Properties: the flag may be repeated, and every source adds to the ones below it. */
  readonly isProperties?: boolean;
  /** Environment variable read besides PLIMSOLL_...; the latter wins. */
  readonly alsoEnv?: string;
}

export const settingMeta = z.registry<SettingMeta>();

/** Makes a setting: how it is read, its default, and what is told about it. */
export function setting<T>(read: Reader<T>, initial: NoInfer<T>, meta: SettingMeta) {
  const schema = z
    .unknown()
    .transform((raw, context): T => {
      const result = read(raw);
      if (result.ok) return result.value;
      context.addIssue({ code: 'custom', message: result.problem });
      return z.NEVER;
    })
    // The cast undoes what TypeScript cannot follow: T is not undefined, so the default's type is T.
    .default(initial as z.core.util.NoUndefined<Awaited<T>>);
  settingMeta.add(schema, meta);
  return schema;
}
