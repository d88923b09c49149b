import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectKafka } from '../../src/kafka/kafka-connection.ts';
import { LOAD_TOPIC_PREFIX } from '../../src/kafka/load-topic.ts';
import type { LocalCluster } from '../../src/local-cluster/local-cluster.ts';
import { startLocalCluster } from '../../src/local-cluster/start-local-cluster.ts';

/** A folder with a real 3-broker cluster in its home, where a bare `plimsoll find` measures it. */
export interface TestCluster {
  readonly folder: string;
  readonly cluster: LocalCluster;
  /** Plimsoll's topics that are on the brokers now. */
  topics(): Promise<string[]>;
  stop(): Promise<void>;
}

export async function startTestCluster(): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-e2e-'));
  const cluster = await startLocalCluster({
    directory: join(folder, '.plimsoll', 'local-cluster'),
    keepRunning: false,
  });
  return {
    folder,
    cluster,
    topics: async () => {
      const kafka = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
      const { topics } = await kafka.metadata(10_000);
      await kafka.close();
      return topics.map(({ name }) => name).filter((name) => name.startsWith(LOAD_TOPIC_PREFIX));
    },
    stop: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
