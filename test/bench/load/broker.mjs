// One real broker for the benchmark, with a topic that does not fill the disk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectKafka } from '../../../dist/src/kafka/kafka-connection.js';
import { createLoadTopic } from '../../../dist/src/kafka/load-topic.js';
import { startLocalCluster } from '../../../dist/src/local-cluster/start-local-cluster.js';

const TOPIC = 'plimsoll-bench-load';
const PARTITIONS = 6;
/** Of each partition: old segments go every 2 s, so that only some seconds of load are on the disk. */
const TOPIC_CONFIG = { 'retention.bytes': '100000000', 'segment.bytes': '50000000' };

/** Starts the broker in a folder of its own; `stop` removes both. */
export async function startBroker(onProgress) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  const cluster = await startLocalCluster({
    directory: join(folder, 'cluster'),
    brokers: 1,
    isCombined: true,
    keepRunning: false,
    onProgress,
  });
  const kafka = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 20_000);
  const stop = async () => {
    await kafka.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const brokerIds = cluster.brokers.map(({ id }) => id);
    const even = { brokerIds, partitionsPerBroker: PARTITIONS, replicationFactor: 1, config: TOPIC_CONFIG };
    await createLoadTopic(kafka, { name: TOPIC, ...even });
    // A leader that is known need not lead yet: its first message waits for it.
    await kafka.sendBurst(TOPIC, [...Array(PARTITIONS).keys()], 1);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    bootstrap: cluster.bootstrap,
    pid: cluster.brokers[0].pid,
    topic: TOPIC,
    partitions: PARTITIONS,
    /** Messages that the topic ever took: with one replica, those that were acknowledged. */
    messages: async () => {
      const offsets = await kafka.endOffsets(TOPIC, PARTITIONS);
      return offsets.reduce((sum, offset) => sum + offset, 0);
    },
    stop,
  };
}
