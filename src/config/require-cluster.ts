import { PlimsollError } from '../errors.ts';
import type { Config } from './schema.ts';

/**
 * Checks that a configuration names a cluster and its metrics pages, which a search and the doctor need and other
 * commands do not.
 * @throws PlimsollError CONFIG_INVALID with one line for each that is missing.
 */
export function requireCluster(config: Pick<Config, 'bootstrap' | 'metrics'>): void {
  const problems: string[] = [];
  if (config.bootstrap.length === 0) {
    problems.push(
      'no cluster: give --bootstrap HOST:PORT,.. or PLIMSOLL_BOOTSTRAP, or set bootstrap in plimsoll.yaml; ' +
        '`plimsoll cluster up` starts one to try',
    );
  }
  if (Object.keys(config.metrics).length === 0) {
    problems.push(
      'no metrics pages: give --metrics 1=http://HOST:PORT/metrics,.. with one page for each broker, or ' +
        'PLIMSOLL_METRICS, or set metrics in plimsoll.yaml',
    );
  }
  if (problems.length > 0) throw new PlimsollError('CONFIG_INVALID', problems.join('\n'));
}
