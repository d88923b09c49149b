import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLAIN_MESSAGES } from '../../../boundary/payload/message-recipe.ts';
import type { ShardReport } from '../../../boundary/trial.ts';
import { connectKafka, type KafkaConnection } from '../../../src/kafka/kafka-connection.ts';
import { createLoadTopic } from '../../../src/kafka/load-topic.ts';
import { librdkafkaFeatures } from '../../../src/kafka/rdkafka.ts';
import type { LocalCluster } from '../../../src/local-cluster/local-cluster.ts';
import { startLocalCluster } from '../../../src/local-cluster/start-local-cluster.ts';
import type { ClientProperties, LoadJob } from '../../../src/queue/load-job.ts';
import { forkLoadProcess, reportOf, send } from '../../../workers/load-process.ts';
import { machineNowMs } from '../../../workers/machine-clock.ts';

const TOPIC = 'plimsoll-settings';
const PARTITIONS = 3;
const MESSAGES = 2 * 400 * 2;
const MESSAGE_BYTES = 1_000;
const directory = mkdtempSync(join(tmpdir(), 'plimsoll-settings-'));
let cluster: LocalCluster;
let connection: KafkaConnection;

beforeAll(async () => {
  cluster = await startLocalCluster({
    directory: join(directory, 'cluster'),
    brokers: 1,
    keepRunning: false,
  });
  connection = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
  const one = { brokerIds: [1], partitionsPerBroker: PARTITIONS, replicationFactor: 1, config: {} };
  await createLoadTopic(connection, { name: TOPIC, ...one });
  // A leader that is known need not lead yet: its first message waits for it.
  await connection.sendBurst(TOPIC, [0, 1, 2], 1);
});

afterAll(async () => {
  await connection?.close();
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

function jobOf(client: ClientProperties): LoadJob {
  return {
    kind: 'produce',
    runId: 'settings',
    workerId: 'test',
    epoch: 1,
    shard: 0,
    producers: 2,
    firstProducer: 0,
    producersOfTrial: 2,
    timedProducers: 0,
    schedule: [{ durationMs: 2_000, unitRate: 400 }],
    messageBytes: MESSAGE_BYTES,
    messages: { ...PLAIN_MESSAGES, payload: { kind: 'constant', character: 'x' } },
    topic: TOPIC,
    partitions: PARTITIONS,
    client: { 'bootstrap.servers': cluster.bootstrap, 'linger.ms': 10, ...client },
    startTimeoutMs: 15_000,
    drainTimeoutMs: 5_000,
    seed: 1,
  };
}

async function carry(client: ClientProperties): Promise<ShardReport> {
  const load = forkLoadProcess();
  const clockOffsetMs = Date.now() - machineNowMs();
  const finished = reportOf(load, (message) => {
    if (message.kind === 'ready') send(load, { kind: 'start', startAtMs: Date.now() + 100 });
  });
  send(load, { kind: 'job', job: jobOf(client), workerId: 'test', clockOffsetMs });
  const last = await finished;
  if (last.kind !== 'report') throw new Error(`a report of ${last.kind}`);
  return last.report;
}

const messagesInTopic = async () =>
  (await connection.endOffsets(TOPIC, PARTITIONS)).reduce((sum, offset) => sum + offset, 0);

describe('settings of producer.* on a real broker', () => {
  it.each<[ClientProperties]>([
    [{ acks: 0 }],
    [{ acks: 1 }],
    [{ acks: 'all' }],
    [{ 'enable.idempotence': true, acks: 'all' }],
  ])('%j: all that was accepted is acknowledged and in the topic', async (client) => {
    const before = await messagesInTopic();
    const report = await carry(client);
    expect(report).toMatchObject({
      accepted: MESSAGES,
      acked: MESSAGES,
      failed: 0,
      undelivered: 0,
      errors: {},
    });
    await expect.poll(async () => (await messagesInTopic()) - before, { timeout: 5_000 }).toBe(MESSAGES);
  });

  it.each(['none', 'gzip', 'snappy', 'lz4', 'zstd'])('compression %s reaches the wire', async (codec) => {
    // zstd is in where libzstd was when node-rdkafka was built.
    if (codec === 'zstd' && !librdkafkaFeatures.includes('zstd')) return;
    const report = await carry({ 'compression.codec': codec });
    expect(report).toMatchObject({ acked: MESSAGES, failed: 0 });
    const ratio = (report.ticks.at(-1)?.sentBytes ?? 0) / (MESSAGES * MESSAGE_BYTES);
    if (codec === 'none') expect(ratio).toBeGreaterThan(0.9);
    else expect(ratio).toBeLessThan(0.3);
  });
});
