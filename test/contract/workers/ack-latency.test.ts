import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AckLatency } from '../../../boundary/latency.ts';
import { messagesSlowerThan, messagesTimed, summarizeLatency } from '../../../boundary/latency-histogram.ts';
import { PLAIN_MESSAGES } from '../../../boundary/payload/message-recipe.ts';
import type { ShardReport, Window } from '../../../boundary/trial.ts';
import { connectKafka, type KafkaConnection } from '../../../src/kafka/kafka-connection.ts';
import { createLoadTopic, type LoadTopic } from '../../../src/kafka/load-topic.ts';
import type { LocalCluster } from '../../../src/local-cluster/local-cluster.ts';
import { startLocalCluster } from '../../../src/local-cluster/start-local-cluster.ts';
import { connectQueue, type LoadQueue } from '../../../src/queue/load-queue.ts';
import { startLocalWorker } from '../../../src/queue/local-worker.ts';
import { type PrivateRedis, startPrivateRedis } from '../../../src/redis/private-redis.ts';

const directory = mkdtempSync(join(tmpdir(), 'plimsoll-latency-'));
const namespace = 'test';
const RATE = 100;
const PRODUCERS = 10;
const TIMED = 4;
const WINDOW_MS = 10_000;
let cluster: LocalCluster;
let connection: KafkaConnection;
let topic: LoadTopic;
let redis: PrivateRedis;
let queue: LoadQueue;
let worker: Awaited<ReturnType<typeof startLocalWorker>>;
let epoch = 0;

beforeAll(async () => {
  cluster = await startLocalCluster({
    directory: join(directory, 'cluster'),
    brokers: 1,
    keepRunning: false,
  });
  connection = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
  const even = { brokerIds: [1], partitionsPerBroker: 6, replicationFactor: 1, config: {} };
  topic = await createLoadTopic(connection, { name: 'plimsoll-latency', ...even });
  redis = await startPrivateRedis({ directory: join(directory, 'redis') });
  queue = await connectQueue(redis.url, { namespace });
  worker = await startLocalWorker({ redisUrl: redis.url, namespace, concurrency: 1 });
});

afterAll(async () => {
  await worker?.stop();
  await queue?.close();
  await redis?.stop();
  await connection?.close();
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs one shard with a window that begins 3 s after its start. */
async function runLoad(meanwhile: (window: Window) => Promise<void>) {
  const [info] = await queue.workers();
  epoch += 1;
  const trial = await queue.dispatch([
    {
      kind: 'produce',
      runId: 'latency',
      epoch,
      workerId: info?.workerId ?? '',
      shard: 0,
      producers: PRODUCERS,
      firstProducer: 0,
      producersOfTrial: PRODUCERS,
      schedule: [{ durationMs: 60_000, unitRate: RATE }],
      messageBytes: 1_000,
      messages: PLAIN_MESSAGES,
      timedProducers: TIMED,
      topic: topic.name,
      partitions: topic.partitions,
      client: { 'bootstrap.servers': cluster.bootstrap, 'linger.ms': 5, acks: 1 },
      startTimeoutMs: 15_000,
      drainTimeoutMs: 10_000,
      seed: 1,
    },
  ]);
  expect(await trial.whenReady(15_000)).toBe('ready');
  const startAtMs = queue.clock().nowMs() + 500;
  await trial.start(startAtMs);
  const window = { startAtMs: startAtMs + 3_000, endAtMs: startAtMs + 3_000 + WINDOW_MS };
  await meanwhile(window);
  await sleep(window.endAtMs + 1_100 - queue.clock().nowMs());
  await trial.stop(window);
  const [outcome] = await trial.outcomes(20_000);
  if (outcome?.kind !== 'report') throw new Error('the shard was lost');
  return { report: outcome.report, latency: latencyOf(outcome.report), window };
}

function latencyOf({ ackLatency }: ShardReport): AckLatency {
  if (!ackLatency) throw new Error('the shard timed nothing');
  return ackLatency;
}

it('a steady load is acknowledged within linger and a few ms, and every timed message is there', async () => {
  const { latency, report } = await runLoad(async () => {});
  const summary = summarizeLatency(latency.counts);
  expect(latency.timedProducers).toBe(TIMED);
  expect(Math.abs((summary?.messages ?? 0) - (TIMED * RATE * WINDOW_MS) / 1_000)).toBeLessThanOrEqual(
    2 * TIMED,
  );
  expect(summary?.missing).toBe(0);
  // The client waits for linger.ms; a tenth of a second would be no few ms on any machine.
  expect(summary?.p50Ms).toBeGreaterThan(4);
  expect(summary?.p50Ms).toBeLessThan(100);
  expect(report.clockErrorMs).toBeLessThan(20);
});

it('a broker that stops for 2 s shows as 2 s, and as the right share of the messages, and the offer is unchanged', async () => {
  const broker = cluster.brokers[0]?.pid ?? 0;
  const pauseMs = 2_000;
  const { latency, report, window } = await runLoad(async ({ startAtMs }) => {
    await sleep(startAtMs + 4_000 - queue.clock().nowMs());
    process.kill(broker, 'SIGSTOP');
    await sleep(pauseMs);
    process.kill(broker, 'SIGCONT');
  });
  const { counts } = latency;
  expect(counts.missing).toBe(0);
  expect(counts.maxUs / 1_000).toBeGreaterThan(pauseMs - 100);
  expect(counts.maxUs / 1_000).toBeLessThan(pauseMs + 400);
  // Messages come at a steady pace, so those of the first of the two seconds wait for more than one.
  const share = messagesSlowerThan(counts, 1_000_000) / messagesTimed(counts);
  expect(share).toBeGreaterThan((pauseMs - 1_000) / WINDOW_MS - 0.02);
  expect(share).toBeLessThan((pauseMs - 1_000) / WINDOW_MS + 0.05);
  const offered = report.ticks.filter(({ atMs }) => atMs >= window.startAtMs && atMs <= window.endAtMs);
  expect((offered.at(-1)?.offered ?? 0) - (offered[0]?.offered ?? 0)).toBe(
    (PRODUCERS * RATE * WINDOW_MS) / 1_000,
  );
  expect(report.acked).toBe(report.accepted);
});
