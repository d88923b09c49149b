import { isSecretName, MASK, maskText } from './masked-text.ts';
import type { Config } from './schema.ts';

/** Copies the configuration with every secret replaced by `***`: what is stored, printed and put into reports. */
export function maskedConfig(config: Config): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [name, masked(name, value)]));
}

function masked(name: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => masked(name, entry));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, masked(key, entry)]));
  }
  if (value !== null && isSecretName(name)) return MASK;
  return typeof value === 'string' ? maskText(value) : value;
}
