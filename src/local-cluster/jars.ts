import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PlimsollError } from '../errors.ts';
import { packageRoot } from './package-root.ts';
import { fetchError, runFetch } from './run-fetch.ts';

/** The jars of one Kafka version. */
export interface KafkaJars {
  /** Java class path of Kafka, with the wildcard. */
  readonly classPath: string;
  /** The JMX exporter's agent. */
  readonly agentJar: string;
}

/** Where the jars of a version are kept unless told otherwise: `.cache/jars/<version>` of the package. */
export function defaultJarsDirectory(kafkaVersion: string): string {
  return join(packageRoot(), '.cache', 'jars', kafkaVersion);
}

/**
 * Makes sure that the jars of a Kafka version are in the cache, fetching them through Maven when they are not (54 MB, about
 * half a minute). Safe when two run at once.
 * @throws PlimsollError CONFIG_INVALID for a version that does not exist or is too old, TOOL_MISSING without Maven,
 * CLUSTER_FAILED when Maven fails otherwise.
 */
export async function ensureJars(
  kafkaVersion: string,
  cacheDirectory: string,
  onProgress: (line: string) => void,
): Promise<KafkaJars> {
  const major = Number(/^(\d+)\.\d+\.\d+$/.exec(kafkaVersion)?.[1] ?? Number.NaN);
  if (!(major >= 4)) {
    throw new PlimsollError(
      'CONFIG_INVALID',
      `"${kafkaVersion}" is no Kafka version for the local cluster; give 4.0.0 or later, such as 4.4.0.`,
    );
  }
  if (!existsSync(join(cacheDirectory, 'complete'))) {
    onProgress(`Fetching Kafka ${kafkaVersion} through Maven (54 MB, once; usually half a minute) ...`);
    await fetchJars(kafkaVersion, cacheDirectory);
  }
  return {
    classPath: join(cacheDirectory, 'lib', '*'),
    agentJar: join(cacheDirectory, 'agent', 'jmx_prometheus_javaagent.jar'),
  };
}

async function fetchJars(kafkaVersion: string, cacheDirectory: string): Promise<void> {
  const output = await runFetch('fetch-jars.sh', [kafkaVersion, cacheDirectory]);
  if (output === null) return;
  // The second wording is Maven's memory of an earlier miss.
  if (/could not find artifact org\.apache\.kafka|kafka_2\.13:\S+ was not found/i.test(output)) {
    throw new PlimsollError(
      'CONFIG_INVALID',
      `There is no Kafka ${kafkaVersion} in the Maven repository; choose a released version such as 4.4.0.`,
    );
  }
  throw new PlimsollError(
    'CLUSTER_FAILED',
    `Maven could not fetch Kafka ${kafkaVersion} (is the network up?): ${fetchError(output)}`,
  );
}
