import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlimsollError } from '../errors.ts';
import { packageRoot } from './package-root.ts';
import { fetchError, runFetch } from './run-fetch.ts';

/** Agents by which brokers show their metrics. */
export interface AgentJars {
  /** JMX exporter by version: of 1.x, and the last one of 0.x, which names and types some series otherwise. */
  readonly jmxExporter: { readonly '1.0.1': string; readonly '0.20.0': string };
  readonly jolokia: string;
}

/**
 * Makes sure that the agents are in the cache, fetching them through Maven when they are not (4 MB). For tests against all
 * of them: a cluster itself needs only the agent that comes with Kafka's jars.
 * @throws PlimsollError TOOL_MISSING without Maven, CLUSTER_FAILED when Maven fails.
 */
export async function ensureAgentJars(
  cacheDirectory: string = join(packageRoot(), '.cache', 'jars', 'agents'),
): Promise<AgentJars> {
  const jars: AgentJars = {
    jmxExporter: {
      '1.0.1': join(cacheDirectory, 'jmx_prometheus_javaagent-1.0.1.jar'),
      '0.20.0': join(cacheDirectory, 'jmx_prometheus_javaagent-0.20.0.jar'),
    },
    jolokia: join(cacheDirectory, 'jolokia-agent.jar'),
  };
  if (existsSync(join(cacheDirectory, 'complete'))) return jars;
  const expected = 'jmx_prometheus_javaagent-1.0.1.jar jmx_prometheus_javaagent-0.20.0.jar jolokia-agent.jar';
  const pom = join(packageRoot(), 'deploy', 'local', 'agents', 'pom.xml');
  const output = await runFetch('fetch.sh', [pom, cacheDirectory, expected]);
  if (output !== null) {
    throw new PlimsollError(
      'CLUSTER_FAILED',
      `Maven could not fetch the metrics agents (is the network up?): ${fetchError(output)}`,
    );
  }
  return jars;
}
