import { DEFAULT_THRESHOLDS } from '../../boundary/verdict.ts';

/**
 * Settings that change what is measured or how, so that two runs which differ in them may find different limits on one
 * cluster. Not the settings of the topic: a change of those is what a rerun is mostly for.
 */
const METHOD_SETTINGS = [
  'thresholds',
  'trial.warmUpMs',
  'trial.windowMs',
  'trial.maxWindowMs',
  'trial.pollIntervalMs',
  'load.seed',
  'messages',
  'consumers',
  'consumer',
  'signals.source',
  'signals.idle',
  'topic.partitionsPerBroker',
  'topic.replicationFactor',
  'producer',
  'client',
];

/** What runs were measured with before it could be set. */
const BEFORE_SETTINGS = {
  messages: { payload: 'random', sizes: 'fixed', keys: 'none', headers: {} },
  consumers: { groups: 0, members: null, from: 'end' },
  consumer: {},
};

/**
 * Names the settings of the method in which two configurations differ; both with their secrets masked. What one of them does
 * not have, being of an older version, is not compared, unless it is known what that version did.
 */
export function methodDifferences(
  then: Readonly<Record<string, unknown>>,
  now: Readonly<Record<string, unknown>>,
): string[] {
  return METHOD_SETTINGS.flatMap((path) => {
    const [before, after] = [then, now].map((config) => valueAt(withBefore(config), path.split('.')));
    if (before === undefined || after === undefined) return [];
    return differences(path, before, after);
  });
}

function withBefore(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { thresholds } = config;
  return {
    ...BEFORE_SETTINGS,
    ...config,
    ...(isGroup(thresholds) ? { thresholds: { ...DEFAULT_THRESHOLDS, ...thresholds } } : {}),
  };
}

function differences(name: string, before: unknown, after: unknown): string[] {
  if (!isGroup(before) || !isGroup(after)) return isSame(before, after) ? [] : [name];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((key) => !isSame(before[key], after[key])).map((key) => `${name}.${key}`);
}

function isSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

function valueAt(config: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isGroup(value) ? value[key] : undefined), config);
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
