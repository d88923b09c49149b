import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PLAIN_MESSAGES } from '../../../boundary/payload/message-recipe.ts';
import { connectKafka, type KafkaConnection } from '../../../src/kafka/kafka-connection.ts';
import { createLoadTopic, type LoadTopic } from '../../../src/kafka/load-topic.ts';
import type { LocalCluster } from '../../../src/local-cluster/local-cluster.ts';
import { startLocalCluster } from '../../../src/local-cluster/start-local-cluster.ts';
import { connectQueue } from '../../../src/queue/load-queue.ts';
import { startLocalWorker } from '../../../src/queue/local-worker.ts';
import { startPrivateRedis } from '../../../src/redis/private-redis.ts';
import { childrenOf, isBusy } from './child-processes.ts';

const directory = mkdtempSync(join(tmpdir(), 'plimsoll-hard-end-'));
const SENDING_MS = 6_000;
const DRAIN_MS = 2_000;
/** What a load child adds to schedule and drain before it ends itself, with some room for a busy machine. */
const HARD_END_MS = 2_000 + 1_500;
let cluster: LocalCluster;
let connection: KafkaConnection;
let topic: LoadTopic;

beforeAll(async () => {
  cluster = await startLocalCluster({
    directory: join(directory, 'cluster'),
    brokers: 1,
    keepRunning: false,
  });
  connection = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
  const even = { brokerIds: [1], partitionsPerBroker: 4, replicationFactor: 1, config: {} };
  topic = await createLoadTopic(connection, { name: 'plimsoll-hard-end', ...even });
});

afterAll(async () => {
  await connection?.close();
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function messagesThere(): Promise<number> {
  const offsets = await connection.endOffsets(topic.name, topic.partitions);
  return offsets.reduce((sum, offset) => sum + offset, 0);
}

/** Threads of a process: those of librdkafka tell a child that has a job from one in reserve. */
function threadsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).length;
}

it('a load child ends by its own schedule when its worker is frozen, and Redis and the controller are gone', async () => {
  const redis = await startPrivateRedis({ directory: join(directory, 'redis') });
  const redisPid = (
    JSON.parse(readFileSync(join(directory, 'redis', 'redis.json'), 'utf8')) as { pid: number }
  ).pid;
  const queue = await connectQueue(redis.url, { namespace: 'hard-end' });
  const worker = await startLocalWorker({ redisUrl: redis.url, namespace: 'hard-end', concurrency: 1 });
  const [info] = await queue.workers();
  const workerPid = info?.pid ?? 0;
  const trial = await queue.dispatch([
    {
      kind: 'produce',
      runId: 'hard-end',
      epoch: 1,
      workerId: info?.workerId ?? '',
      shard: 0,
      producers: 10,
      firstProducer: 0,
      producersOfTrial: 10,
      timedProducers: 0,
      schedule: [{ durationMs: SENDING_MS, unitRate: 50 }],
      messageBytes: 1_000,
      messages: PLAIN_MESSAGES,
      topic: topic.name,
      partitions: topic.partitions,
      client: { 'bootstrap.servers': cluster.bootstrap, acks: 1 },
      startTimeoutMs: 15_000,
      drainTimeoutMs: DRAIN_MS,
      seed: 1,
    },
  ]);
  expect(await trial.whenReady(15_000)).toBe('ready');
  const children = childrenOf(workerPid, 'load-child').filter((pid) => threadsOf(pid) > 20);
  expect(children).toHaveLength(1);
  await trial.start(queue.clock().nowMs());
  const startedMs = performance.now();
  const until = (ms: number) => sleep(Math.max(0, startedMs + ms - performance.now()));
  await until(1_500);
  process.kill(workerPid, 'SIGSTOP');
  process.kill(redisPid, 'SIGKILL');
  await queue.close();
  await until(4_000);
  const before = await messagesThere();
  await until(5_000);
  expect(await messagesThere(), 'it goes on by its schedule').toBeGreaterThan(before);
  await until(SENDING_MS + 1_000);
  const atEnd = await messagesThere();
  expect(atEnd).toBe((10 * 50 * SENDING_MS) / 1_000);
  await until(SENDING_MS + DRAIN_MS + HARD_END_MS);
  expect(children.filter(isBusy)).toEqual([]);
  process.kill(workerPid, 'SIGKILL');
  await worker.stop();
  await redis.stop();
});
