import { good, type Reader, type ReadResult, shown, wrong } from './read-value.ts';

export type Properties = Readonly<Record<string, string | number | boolean>>;

/** Names that librdkafka takes for the same setting (its CONFIGURATION.md, "Alias for"). */
const ALIASES: Readonly<Record<string, string>> = {
  'queue.buffering.max.ms': 'linger.ms',
  'request.required.acks': 'acks',
  'compression.type': 'compression.codec',
};

/** The producer settings that a run starts from; the user's are laid over them. */
export const DEFAULT_PRODUCER: Properties = {
  acks: 1,
  'linger.ms': 10,
  'batch.size': 131_072,
  'compression.codec': 'none',
};

/** Set by Plimsoll itself; the value says where the user sets it instead. */
const RESERVED: Readonly<Record<string, string>> = {
  'bootstrap.servers': 'bootstrap',
  'metadata.broker.list': 'bootstrap',
};

/** Reads properties by their own names; a value is a text, a number or true/false. */
export const readProperties: Reader<Properties> = (raw) => {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    return wrong(`must be a map of property names to values, not ${shown(raw)}`);
  }
  const properties: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (RESERVED[name]) return wrong(`may not hold ${name}; set ${RESERVED[name]} instead`);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      return wrong(`needs a text, a number or true/false for ${name}`);
    }
    properties[name] = value;
  }
  return good(properties);
};

/** Reads producer properties and lays them over the defaults; an alias replaces the default it stands for. */
export const readProducer: Reader<Properties> = (raw) => {
  const read = readProperties(raw);
  if (!read.ok) return read;
  const named = new Set(Object.keys(read.value).map((name) => ALIASES[name] ?? name));
  const defaults = Object.entries(DEFAULT_PRODUCER).filter(([name]) => !named.has(name));
  return good({ ...Object.fromEntries(defaults), ...read.value });
};

/**
 * Reads the text forms: `k=v` per flag, `k=v,k=v` or a JSON object in a variable (for values with commas in them).
 * Numbers and true/false written as such become them; everything else stays a text.
 */
export function parsePropertyTexts(
  texts: readonly string[],
  example: string | null = null,
): ReadResult<Properties> {
  const properties: Record<string, string | number | boolean> = {};
  for (const text of texts) {
    const at = text.indexOf('=');
    const name = text.slice(0, Math.max(at, 0)).trim();
    if (name === '') {
      return wrong(`must be NAME=VALUE${example === null ? '' : `, for example ${example}`}`);
    }
    properties[name] = typedValue(text.slice(at + 1).trim());
  }
  return good(properties);
}

/** Reads the properties of an environment variable: a JSON object, or `k=v,k=v`. */
export function parsePropertyVariable(text: string, example: string | null = null): ReadResult<Properties> {
  if (!text.trimStart().startsWith('{')) {
    return parsePropertyTexts(
      text.split(',').filter((entry) => entry.trim() !== ''),
      example,
    );
  }
  try {
    return readProperties(JSON.parse(text));
  } catch {
    // The parser's own message quotes the text, which may hold a password.
    return wrong('starts with { but is not a JSON object');
  }
}

function typedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^(0|-?[1-9]\d{0,14})(\.\d*[1-9])?$/.test(text) ? Number(text) : text;
}
