import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MessageRecipe, PLAIN_MESSAGES } from '../../../boundary/payload/message-recipe.ts';
import type { ShardReport } from '../../../boundary/trial.ts';
import { connectConsumer } from '../../../src/kafka/consumer.ts';
import { connectKafka, type KafkaConnection } from '../../../src/kafka/kafka-connection.ts';
import { librdkafkaFeatures, makeConsumer } from '../../../src/kafka/rdkafka.ts';
import type { LocalCluster } from '../../../src/local-cluster/local-cluster.ts';
import { startLocalCluster } from '../../../src/local-cluster/start-local-cluster.ts';
import type { ClientProperties, LoadJob } from '../../../src/queue/load-job.ts';
import { forkLoadProcess, reportOf, send } from '../../../workers/load-process.ts';
import { machineNowMs } from '../../../workers/machine-clock.ts';

const PARTITIONS = 3;
const MESSAGE_BYTES = 1_000;
const directory = mkdtempSync(join(tmpdir(), 'plimsoll-messages-'));
let cluster: LocalCluster;
let connection: KafkaConnection;

beforeAll(async () => {
  cluster = await startLocalCluster({
    directory: join(directory, 'cluster'),
    brokers: 1,
    keepRunning: false,
  });
  connection = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
});

afterAll(async () => {
  await connection?.close();
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

interface Load {
  readonly topic: string;
  readonly messages: Partial<MessageRecipe>;
  readonly unitRate: number;
  readonly client: ClientProperties;
}

/** One producer's load of two seconds in a topic of its own. */
async function carry({ topic, messages, unitRate, client }: Load): Promise<ShardReport> {
  await connection.createTopic({ name: topic, partitions: PARTITIONS, replicationFactor: 1, config: {} });
  const job: LoadJob = {
    kind: 'produce',
    runId: 'messages',
    workerId: 'test',
    epoch: 1,
    shard: 0,
    producers: 1,
    firstProducer: 0,
    producersOfTrial: 1,
    timedProducers: 0,
    schedule: [{ durationMs: 2_000, unitRate }],
    messageBytes: MESSAGE_BYTES,
    messages: { ...PLAIN_MESSAGES, ...messages },
    topic,
    partitions: PARTITIONS,
    client: { 'bootstrap.servers': cluster.bootstrap, 'batch.size': 131_072, ...client },
    startTimeoutMs: 15_000,
    drainTimeoutMs: 5_000,
    seed: 1,
  };
  const load = forkLoadProcess();
  const finished = reportOf(load, (message) => {
    if (message.kind === 'ready') send(load, { kind: 'start', startAtMs: Date.now() + 100 });
  });
  send(load, { kind: 'job', job, workerId: 'test', clockOffsetMs: Date.now() - machineNowMs() });
  const last = await finished;
  if (last.kind !== 'report') throw new Error(`a report of ${last.kind}`);
  return last.report;
}

/** Reads a topic from its beginning until as many messages have come. */
async function read(topic: string, count: number) {
  const client = { 'bootstrap.servers': cluster.bootstrap, 'group.id': 'plimsoll-test' };
  const consumer = makeConsumer(client);
  await connectConsumer(consumer, client, { timeoutMs: 10_000, topic });
  consumer.assign(Array.from({ length: PARTITIONS }, (_, partition) => ({ topic, partition, offset: 0 })));
  const found: { value: Buffer; key: unknown; headers?: readonly unknown[] | undefined }[] = [];
  const endAtMs = performance.now() + 20_000;
  while (found.length < count && performance.now() < endAtMs) {
    const part = await new Promise<typeof found>((resolve, reject) => {
      consumer.consume(1_000, (error, messages) =>
        error ? reject(error) : resolve(messages as unknown as typeof found),
      );
    });
    found.push(...part);
    if (part.length === 0) await sleep(50);
  }
  await new Promise((resolve) => consumer.disconnect(resolve));
  return found;
}

describe('messages on a real broker', () => {
  it('arrive as they were asked for: content, sizes, keys, headers', async () => {
    const topic = 'plimsoll-asked-for';
    const report = await carry({
      topic,
      unitRate: 2_000,
      client: { 'linger.ms': 10 },
      messages: {
        payload: { kind: 'json' },
        sizes: { kind: 'lognormal', sigma: 0.5 },
        keys: { kind: 'zipfian', count: 10, exponent: 1 },
        headers: { tenant: 'acme', try: '1' },
      },
    });
    expect(report).toMatchObject({ acked: 4_000, failed: 0, errors: {} });
    const found = await read(topic, 4_000);
    expect(found).toHaveLength(4_000);
    for (const { value } of found) expect(() => JSON.parse(value.toString())).not.toThrow();
    const lengths = found.map(({ value }) => value.length);
    expect(new Set(lengths).size).toBeGreaterThan(500);
    // A quarter of the pool was sent; drawn at random it would miss the mean by sd 0.8 %.
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    expect(Math.abs(mean / MESSAGE_BYTES - 1)).toBeLessThan(0.03);
    const keys = found.map(({ key }) => String(key));
    expect(new Set(keys).size).toBe(10);
    const firstShare = keys.filter((key) => key === 'key-00000001').length / keys.length;
    // 1 / (1 + 1/2 + ... + 1/10) = 0.341.
    expect(Math.abs(firstShare - 0.341)).toBeLessThan(0.04);
    for (const { headers } of found.slice(0, 100)) {
      expect(headers?.map((header) => toTexts(header))).toEqual([{ tenant: 'acme' }, { try: '1' }]);
    }
  });

  it.each(['gzip', 'lz4', 'zstd'])('come near their ratio in batches of %s', async (codec) => {
    // zstd is in where libzstd was when node-rdkafka was built.
    if (codec === 'zstd' && !librdkafkaFeatures.includes('zstd')) return;
    const report = await carry({
      topic: `plimsoll-${codec}`,
      unitRate: 5_000,
      client: { 'linger.ms': 200, 'compression.codec': codec },
      messages: { payload: { kind: 'compressible', ratio: 0.4 } },
    });
    expect(report).toMatchObject({ acked: 10_000, failed: 0 });
    const ratio = (report.ticks.at(-1)?.sentBytes ?? 0) / (10_000 * MESSAGE_BYTES);
    // Heads of records, about 1 %, come on top.
    expect(ratio).toBeGreaterThan(0.39);
    expect(ratio).toBeLessThan(0.42);
  });
});

function toTexts(header: unknown): Record<string, string> {
  const entries = Object.entries(header as Record<string, Buffer>);
  return Object.fromEntries(entries.map(([name, value]) => [name, value.toString()]));
}
