import { join } from 'node:path';
import type { Command } from 'commander';
import { PlimsollError } from '../errors.ts';
import { type ClusterStatus, clusterStatus, type NodeStatus } from '../local-cluster/cluster-status.ts';
import {
  DEFAULT_BROKER_COUNT,
  DEFAULT_KAFKA_VERSION,
  type LocalCluster,
} from '../local-cluster/local-cluster.ts';
import { startLocalCluster } from '../local-cluster/start-local-cluster.ts';
import { stopLocalCluster } from '../local-cluster/stop-local-cluster.ts';
import { type HomeFlags, homeOf, withHome } from './home.ts';

/**
 * Adds `plimsoll cluster up|status|down`. The actions throw PlimsollError for the caller to show; `status` sets exit status 1
 * when a node has crashed.
 */
export function addClusterCommand(program: Command): void {
  const cluster = program
    .command('cluster')
    .description('a real Kafka on this machine, for trying and testing');
  withHome(cluster.command('up').description('start it, or find the one that runs'))
    .option('--kafka <VERSION>', 'Kafka version, 4.0.0 or later', DEFAULT_KAFKA_VERSION)
    .option(
      '--brokers <NUMBER>',
      'number of brokers; a controller comes on top',
      String(DEFAULT_BROKER_COUNT),
    )
    .action(up);
  withHome(cluster.command('status').description('show its nodes, and the end of the log of a crashed one'))
    .option('--json', 'one JSON document for machines')
    .action(status);
  withHome(cluster.command('down').description('end its processes and remove its data')).action(down);
}

/** Where the cluster of a Plimsoll home lives. */
export function clusterDirectory(home: string): string {
  return join(home, 'local-cluster');
}

async function up(options: HomeFlags & { readonly kafka: string; readonly brokers: string }): Promise<void> {
  const abort = new AbortController();
  const onSignal = (): void => abort.abort();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, onSignal);
  const brokers = Number(options.brokers);
  if (!Number.isSafeInteger(brokers)) {
    throw new PlimsollError('CONFIG_INVALID', `--brokers takes a whole number, not "${options.brokers}".`);
  }
  const cluster = await startLocalCluster({
    directory: clusterDirectory(homeOf(options)),
    kafkaVersion: options.kafka,
    brokers,
    keepRunning: true,
    onProgress: (line) => process.stderr.write(`${line}\n`),
    signal: abort.signal,
  });
  process.stdout.write(describeUp(cluster));
}

function describeUp(cluster: LocalCluster): string {
  const state = cluster.isReused ? 'runs already' : 'is up';
  const pages = Object.entries(cluster.metricsUrls).map(([id, url]) => `  broker ${id}  ${url}\n`);
  return `Kafka ${cluster.kafkaVersion} ${state}: ${cluster.bootstrap}\n${pages.join('')}`;
}

function status(options: HomeFlags & { readonly json?: boolean }): void {
  const found = clusterStatus(clusterDirectory(homeOf(options)));
  process.stdout.write(options.json ? `${JSON.stringify(found, null, 2)}\n` : describeStatus(found));
  if (found.condition === 'crashed' || found.condition === 'damaged') process.exitCode = 1;
}

function describeStatus(found: ClusterStatus): string {
  if (found.condition === 'absent') return 'No local cluster here; `plimsoll cluster up` starts one.\n';
  if (found.condition === 'damaged') {
    return 'The state of the local cluster cannot be read; `plimsoll cluster down` cleans it up.\n';
  }
  const head = `Kafka ${found.kafkaVersion}, ${found.condition}: ${found.bootstrap}\n`;
  const rows = [['node', 'pid', 'port', 'state', 'metrics'], ...found.nodes.map(nodeRow)];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const logs = found.nodes
    .filter((node) => !node.isAlive)
    .map(
      (node) =>
        `\nEnd of the log of ${nodeName(node)}:\n${node.logEnd.map((line) => `  ${line}\n`).join('')}`,
    );
  return `${head}${table.join('\n')}\n${logs.join('')}`;
}

function nodeRow(node: NodeStatus): string[] {
  const pid = node.pid === null ? '-' : String(node.pid);
  return [nodeName(node), pid, String(node.port), node.isAlive ? 'alive' : 'crashed', node.metricsUrl ?? '-'];
}

function nodeName(node: NodeStatus): string {
  return node.role === 'broker' ? `broker ${node.id}` : 'controller';
}

async function down(options: HomeFlags): Promise<void> {
  const wasThere = await stopLocalCluster(clusterDirectory(homeOf(options)), (line) =>
    process.stderr.write(`${line}\n`),
  );
  process.stdout.write(
    wasThere ? 'The local cluster is down; its data is removed.\n' : 'No local cluster here.\n',
  );
}
