// Kafka's own command line tools, from the jars of the local cluster.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..', '..');

async function tool(cluster, name, ...args) {
  const jars = join(root, '.cache/jars', cluster.kafkaVersion, 'lib', '*');
  const java = ['-XX:TieredStopAtLevel=1', '-Xmx128m', '-cp', jars, `org.apache.kafka.tools.${name}`];
  const { stdout } = await promisify(execFile)('java', [
    ...java,
    '--bootstrap-server',
    cluster.bootstrap,
    ...args,
  ]);
  return stdout;
}

/** Limits every client to so many bytes per second and broker; null takes the limit away. */
export function limitProducers(cluster, bytesPerSecond) {
  const change =
    bytesPerSecond === null
      ? ['--delete-config', 'producer_byte_rate']
      : ['--add-config', `producer_byte_rate=${bytesPerSecond}`];
  return tool(cluster, 'ConfigCommand', '--alter', '--entity-type', 'clients', '--entity-default', ...change);
}

/** Makes one broker the leader of every partition of a topic. */
export async function leadAllBy(cluster, kafka, topic, leaderId) {
  const found = (await kafka.metadata(5_000)).topics.find(({ name }) => name === topic);
  const partitions = found.partitions.map(({ id, replicas }) => ({
    topic,
    partition: id,
    replicas: [leaderId, ...replicas.filter((broker) => broker !== leaderId)],
  }));
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-leaders-'));
  try {
    const file = join(folder, 'order.json');
    writeFileSync(file, JSON.stringify({ version: 1, partitions }));
    await tool(cluster, 'reassign.ReassignPartitionsCommand', '--reassignment-json-file', file, '--execute');
    writeFileSync(
      file,
      JSON.stringify({ partitions: partitions.map(({ partition }) => ({ topic, partition })) }),
    );
    await tool(cluster, 'LeaderElectionCommand', '--election-type', 'preferred', '--path-to-json-file', file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
