import { MASK } from '../config/masked-text.ts';
import type { Config } from '../config/schema.ts';

/**
 * The configuration of a resumed run: its stored one, since trials under other settings would not be comparable. Only
 * where it runs comes from now: addresses given anew, Redis, home, and the secrets that were never stored.
 */
export function resumeConfig(stored: Readonly<Record<string, unknown>>, now: Config): Config {
  const then = stored as unknown as Config;
  return {
    ...then,
    home: now.home,
    redis: now.redis,
    workers: now.workers,
    bootstrap: now.bootstrap.length > 0 ? now.bootstrap : then.bootstrap,
    metrics: Object.keys(now.metrics).length > 0 ? now.metrics : then.metrics,
    client: withSecrets(then.client, now.client),
    producer: withSecrets(then.producer, now.producer),
  };
}

function withSecrets(then: Config['client'], now: Config['client']): Config['client'] {
  return Object.fromEntries(
    Object.entries(then).map(([name, value]) => [name, value === MASK ? (now[name] ?? value) : value]),
  );
}
