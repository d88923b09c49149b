import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, PlimsollError } from '../errors.ts';
import type { ChildHandle, ProcessCommand } from '../process/child-handle.ts';
import { spawnDetached } from '../process/detached-child.ts';
import { spawnGuarded } from '../process/guarded-child.ts';
import type { NodePlace } from './cluster-layout.ts';
import type { KafkaJars } from './jars.ts';
import type { ExporterOptions } from './local-cluster.ts';
import { packageRoot } from './package-root.ts';
import type { PlannedNode } from './planned-nodes.ts';

/**
 * For small machines: with the default tiers the first minutes of a JVM burn two cores compiling, and the parallel
 * collectors take threads that the brokers need.
 */
const SMALL_JVM = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:+ExitOnOutOfMemoryError'];
/** The JDK's HTTP server holds a metrics page's last packet back for 40 ms without it. */
const PROMPT_PAGES = '-Dsun.net.httpserver.nodelay=true';
const BROKER_HEAP = ['-Xms256m', '-Xmx512m'];
const CONTROLLER_HEAP = ['-Xms64m', '-Xmx192m'];

/** Writes a node's settings and formats its data folder, as Kafka demands before the first start. */
export async function formatNode(
  { place, properties, formatArguments }: PlannedNode,
  clusterId: string,
  jars: KafkaJars,
): Promise<void> {
  mkdirSync(place.folder, { recursive: true });
  mkdirSync(dirname(place.logFile), { recursive: true });
  writeFileSync(place.propertiesFile, properties);
  const args = [...SMALL_JVM, '-Xmx128m', '-cp', jars.classPath, 'kafka.tools.StorageTool'];
  try {
    const format = ['format', '-t', clusterId, '-c', place.propertiesFile, ...formatArguments];
    await promisify(execFile)('java', [...args, ...format]);
  } catch (error) {
    const text = (error as { stderr?: string }).stderr?.trim() || messageOf(error);
    throw new PlimsollError(
      'CLUSTER_FAILED',
      `Kafka could not format ${place.dataFolder}: ${messageOf(text)}`,
    );
  }
}

/** Where a broker shows its metrics, and by what. */
export interface NodeMetrics {
  readonly port: number;
  readonly exporter: ExporterOptions;
  /** Whole `-javaagent:` texts beside the exporter's. */
  readonly javaAgents: readonly string[];
}

/**
 * Starts a node's JVM.
 * @param metrics null for none (the controller is not watched).
 * @param isBound whether the JVM dies with this program.
 */
export function startNode(
  place: NodePlace,
  jars: KafkaJars,
  metrics: NodeMetrics | null,
  isBound: boolean,
): Promise<ChildHandle> {
  const command: ProcessCommand = {
    command: 'java',
    args: [
      ...SMALL_JVM,
      ...(place.role === 'broker' ? BROKER_HEAP : CONTROLLER_HEAP),
      `-Dlog4j2.configurationFile=${join(packageRoot(), 'deploy', 'local', 'log4j2.properties')}`,
      PROMPT_PAGES,
      ...agentArguments(place, jars, metrics),
      '-cp',
      jars.classPath,
      'kafka.Kafka',
      place.propertiesFile,
    ],
    logFile: place.logFile,
  };
  return isBound ? spawnGuarded(command) : spawnDetached(command);
}

function agentArguments(place: NodePlace, jars: KafkaJars, metrics: NodeMetrics | null): readonly string[] {
  if (metrics === null) return [];
  const { port, exporter, javaAgents } = metrics;
  // The agent reads its file again when it changes: a broker keeps the copy it was started with.
  copyFileSync(exporter.rulesFile ?? userRulesFile(), place.rulesFile);
  const jar = exporter.agentJar ?? jars.agentJar;
  return [`${jar}=127.0.0.1:${port}:${place.rulesFile}`, ...javaAgents].map((text) => `-javaagent:${text}`);
}

/** The rules that users are given: what they get is what the local cluster shows. */
function userRulesFile(): string {
  return join(packageRoot(), 'deploy', 'jmx-exporter', 'plimsoll.yaml');
}
