import { DEFAULT_THRESHOLDS } from '../../boundary/verdict.ts';
import { MASK } from '../config/masked-text.ts';
import type { Config } from '../config/schema.ts';
import { PlimsollError } from '../errors.ts';
import { strategyOf } from '../store/strategy-of.ts';

/**
 * The configuration of a resumed run: its stored one, since trials under other settings would not be comparable. Only
 * where it runs comes from now: addresses given anew, Redis, home, and the secrets that were never stored.
 */
export function resumeConfig(stored: Readonly<Record<string, unknown>>, now: Config): Config {
  const then = stored as unknown as Config;
  const config: Config = {
    // Settings that the run's version did not have yet.
    ...now,
    ...then,
    strategy: strategyOf(stored),
    home: now.home,
    redis: now.redis,
    workers: now.workers,
    bootstrap: now.bootstrap.length > 0 ? now.bootstrap : then.bootstrap,
    metrics: Object.keys(now.metrics).length > 0 ? now.metrics : then.metrics,
    client: withSecrets(then.client, now.client),
    producer: withSecrets(then.producer, now.producer),
    thresholds: { ...DEFAULT_THRESHOLDS, ...then.thresholds },
    topic: { ...then.topic, diskBudgetBytes: now.topic.diskBudgetBytes },
    // Runs of a version without groups had none.
    consumers: then.consumers ?? { ...now.consumers, groups: 0 },
    consumer: withSecrets(then.consumer ?? {}, now.consumer),
    messages: then.messages === undefined ? now.messages : withHeaderSecrets(then.messages, now.messages),
    signals: then.signals === undefined ? now.signals : withSignalSecrets(then.signals, now.signals),
  };
  const secrets = Object.entries(config).flatMap(([name, value]) =>
    JSON.stringify(value).includes(MASK) ? [name] : [],
  );
  if (secrets.length === 0) return config;
  throw new PlimsollError(
    'CONFIG_INVALID',
    `secrets are not stored with a run: give ${secrets.join(', ')} again, as when it was started`,
  );
}

function withSecrets(then: Config['client'], now: Config['client']): Config['client'] {
  return Object.fromEntries(
    Object.entries(then).map(([name, value]) => [name, isMasked(value) ? (now[name] ?? value) : value]),
  );
}

function withHeaderSecrets(then: Config['messages'], now: Config['messages']): Config['messages'] {
  return { ...then, headers: withSecrets(then.headers, now.headers) };
}

function withSignalSecrets(then: Config['signals'], now: Config['signals']): Config['signals'] {
  return {
    ...then,
    headers: withSecrets(then.headers, now.headers),
    password: isMasked(then.password) ? (now.password ?? then.password) : then.password,
    bearerToken: isMasked(then.bearerToken) ? (now.bearerToken ?? then.bearerToken) : then.bearerToken,
    proxy: isMasked(then.proxy) ? (now.proxy ?? then.proxy) : then.proxy,
  };
}

/** A whole secret, or one inside a URL. */
function isMasked(value: unknown): boolean {
  return typeof value === 'string' && value.includes(MASK);
}
