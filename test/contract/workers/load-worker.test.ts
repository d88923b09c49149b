import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PLAIN_MESSAGES } from '../../../boundary/payload/message-recipe.ts';
import { connectKafka, type KafkaConnection } from '../../../src/kafka/kafka-connection.ts';
import { createLoadTopic, dropLoadTopic, type LoadTopic } from '../../../src/kafka/load-topic.ts';
import type { LocalCluster } from '../../../src/local-cluster/local-cluster.ts';
import { startLocalCluster } from '../../../src/local-cluster/start-local-cluster.ts';
import type { LoadJob, ShardOutcome } from '../../../src/queue/load-job.ts';
import { connectQueue, type LoadQueue } from '../../../src/queue/load-queue.ts';
import { startLocalWorker } from '../../../src/queue/local-worker.ts';
import { type PrivateRedis, startPrivateRedis } from '../../../src/redis/private-redis.ts';
import { childrenOf, isBusy } from './child-processes.ts';
import { controllerProcess } from './controller-process.ts';

const directory = mkdtempSync(join(tmpdir(), 'plimsoll-load-'));
const namespace = 'test';
const RATE = 50;
const PRODUCERS = 10;
let cluster: LocalCluster;
let connection: KafkaConnection;
let topic: LoadTopic;
let redis: PrivateRedis;
let queue: LoadQueue;
let run = 0;
const workers: Awaited<ReturnType<typeof startLocalWorker>>[] = [];

beforeAll(async () => {
  cluster = await startLocalCluster({ directory: join(directory, 'cluster'), keepRunning: false });
  connection = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
  const brokerIds = cluster.brokers.map(({ id }) => id);
  const even = { brokerIds, partitionsPerBroker: 4, replicationFactor: 3, config: {} };
  topic = await createLoadTopic(connection, { name: 'plimsoll-load', ...even });
  await connection.sendBurst(topic.name, [0, 1, 2], 1_000_000);
});

afterAll(async () => {
  if (topic) await dropLoadTopic(connection, topic.name);
  await connection?.close();
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  redis = await startPrivateRedis({ directory: join(directory, 'redis') });
  queue = await connectQueue(redis.url, { namespace });
  run += 1;
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await queue.close();
  await redis.stop();
});

async function startWorkers(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    workers.push(await startLocalWorker({ redisUrl: redis.url, namespace, concurrency: 1 }));
  }
}

/** One job for each of the first workers, in order. */
async function jobs(shards: number, seconds: number): Promise<LoadJob[]> {
  const ids = (await queue.workers()).map(({ workerId }) => workerId);
  return Array.from({ length: shards }, (_, shard) => ({
    kind: 'produce',
    runId: `run-${run}`,
    workerId: ids[shard] ?? 'nobody',
    epoch: 1,
    shard,
    producers: PRODUCERS / shards,
    firstProducer: (shard * PRODUCERS) / shards,
    producersOfTrial: PRODUCERS,
    schedule: [{ durationMs: seconds * 1_000, unitRate: RATE }],
    messageBytes: 1_000,
    messages: PLAIN_MESSAGES,
    timedProducers: 0,
    topic: topic.name,
    partitions: topic.partitions,
    client: { 'bootstrap.servers': cluster.bootstrap, 'linger.ms': 10, acks: 1 },
    startTimeoutMs: 15_000,
    drainTimeoutMs: 5_000,
    seed: 1,
  }));
}

const messagesInTopic = async () =>
  (await connection.endOffsets(topic.name, topic.partitions)).reduce((sum, offset) => sum + offset, 0);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const reports = (outcomes: readonly ShardOutcome[]) =>
  outcomes.flatMap((outcome) => {
    if (outcome.kind === 'lost') throw new Error(outcome.reason);
    return outcome.kind === 'report' ? [outcome.report] : [];
  });

async function loadChildren(): Promise<number[]> {
  return (await queue.workers()).flatMap(({ pid }) => childrenOf(pid, 'load-child'));
}

async function dispatchReady(shards: number, seconds: number) {
  const trial = await queue.dispatch(await jobs(shards, seconds));
  expect(await trial.whenReady(15_000)).toBe('ready');
  return trial;
}

describe('a trial over two workers', () => {
  it('starts together, keeps its rate, and acks exactly what the topic grows by', async () => {
    await startWorkers(2);
    expect((await queue.workers()).length).toBe(2);
    const before = await messagesInTopic();
    const trial = await dispatchReady(2, 6);
    const startAtMs = queue.clock().nowMs() + 500;
    await trial.start(startAtMs);
    await sleep(4_500);
    for (const shard of await trial.progress()) {
      expect(shard).toMatchObject({ phase: 'sending', lastTick: expect.objectContaining({ failed: 0 }) });
      expect(shard.silentMs).toBeLessThan(2_500);
    }
    const found = reports(await trial.outcomes(15_000));
    expect(new Set(found.map(({ workerId }) => workerId)).size).toBe(2);
    for (const report of found) {
      expect(report.startedLateMs).toBeLessThan(100);
      expect(report.ticks.map(({ atMs }) => atMs - startAtMs)).toEqual([
        0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000,
      ]);
      expect(report).toMatchObject({
        accepted: RATE * 6 * 5,
        acked: RATE * 6 * 5,
        failed: 0,
        undelivered: 0,
      });
      expect(report.acceptedByPartition.reduce((sum, count) => sum + count, 0)).toBe(report.accepted);
      const [from, to] = [report.ticks[2], report.ticks[5]];
      const share =
        ((to?.accepted ?? 0) - (from?.accepted ?? 0)) / ((to?.offered ?? 0) - (from?.offered ?? 0));
      expect(Math.abs(share - 1)).toBeLessThan(0.02);
    }
    expect((await messagesInTopic()) - before).toBe(found.reduce((sum, { acked }) => sum + acked, 0));
  });

  it('reaches the children with a stop within a second', async () => {
    await startWorkers(2);
    const trial = await dispatchReady(2, 60);
    const startAtMs = queue.clock().nowMs();
    await trial.start(startAtMs);
    await sleep(2_500);
    const stoppedAtMs = queue.clock().nowMs();
    await trial.stop(null);
    await trial.stop(null);
    for (const report of reports(await trial.outcomes(10_000))) {
      const sentMs = (report.accepted / (RATE * 5)) * 1_000;
      expect(sentMs).toBeLessThan(stoppedAtMs - startAtMs + 1_000);
      expect(report.acked).toBe(report.accepted);
    }
  });
});

describe('a client queue that is too small', () => {
  it('shows as refused and late messages, not as a smaller offer', async () => {
    await startWorkers(1);
    const [job] = await jobs(1, 3);
    // Ten messages wait half a second for company: at most 20 a second where 50 are due.
    const client = { ...job?.client, 'queue.buffering.max.messages': 10, 'linger.ms': 500 };
    const trial = await queue.dispatch(job ? [{ ...job, client }] : []);
    expect(await trial.whenReady(15_000)).toBe('ready');
    await trial.start(queue.clock().nowMs() + 200);
    const [report] = reports(await trial.outcomes(15_000));
    const last = report?.ticks.at(-1);
    expect(last?.offered).toBe(RATE * PRODUCERS * 3);
    expect(last?.accepted).toBeLessThan(0.6 * RATE * PRODUCERS * 3);
    expect(last?.queueFull).toBeGreaterThan(0);
    expect(last?.pacerLateMs).toBeGreaterThan(500);
    expect(report?.acked).toBe(report?.accepted);
    // What waits in the client is not acknowledged: in the middle of the load the two differ.
    const middle = report?.ticks[2];
    expect(middle?.queued).toBeGreaterThan(0);
    expect(middle?.acked).toBeLessThan(middle?.accepted ?? 0);
  });
});

describe('loss', () => {
  it('of a child or of a worker is an outcome, never a smaller trial', async () => {
    await startWorkers(2);
    const trial = await dispatchReady(2, 60);
    await trial.start(queue.clock().nowMs());
    await sleep(500);
    const [first, second] = await queue.workers();
    const [child = 0] = childrenOf(first?.pid ?? 0, 'load-child').filter((pid) => isBusy(pid));
    process.kill(child, 'SIGKILL');
    process.kill(second?.pid ?? 0, 'SIGKILL');
    const outcomes = await trial.outcomes(10_000);
    const reasons = outcomes.map((outcome) => (outcome.kind === 'lost' ? outcome.reason : 'report')).sort();
    expect(reasons[0]).toMatch(/^the load child was ended by SIGKILL before its report/);
    expect(reasons[1]).toMatch(/^worker .* is gone$/);
    await trial.abandon();
  });

  it('of the controller by kill -9 ends the sending within 7 s, and its waiting jobs are dropped', async () => {
    await startWorkers(1);
    const [job] = await jobs(1, 60);
    const controller = controllerProcess(
      { redisUrl: redis.url, namespace },
      { ...job, producers: PRODUCERS },
      true,
    );
    await expect.poll(messagesInTopicGrows, { timeout: 20_000 }).toBe(true);
    controller.kill('SIGKILL');
    await sleep(7_000);
    expect(await messagesInTopicGrows()).toBe(false);
    // A job that nobody owns any more is refused by the next free worker.
    const orphan = controllerProcess(
      { redisUrl: redis.url, namespace },
      { ...job, runId: `orphan-${run}`, producers: PRODUCERS },
      false,
    );
    await sleep(500);
    orphan.kill('SIGKILL');
    await sleep(6_000);
    expect(await messagesInTopicGrows()).toBe(false);
  });

  it('of Redis ends the children, and calls fail with REDIS_LOST', async () => {
    await startWorkers(1);
    const trial = await dispatchReady(1, 60);
    await trial.start(queue.clock().nowMs());
    await sleep(1_000);
    const children = await loadChildren();
    await redis.stop();
    await expect(trial.progress()).rejects.toMatchObject({ code: 'REDIS_LOST' });
    await expect.poll(() => children.filter((pid) => isBusy(pid)), { timeout: 10_000 }).toEqual([]);
    const before = performance.now();
    await queue.close();
    expect(performance.now() - before).toBeLessThan(2_500);
  });

  it('of all workers shows as shards whose worker is gone', async () => {
    const trial = await queue.dispatch(await jobs(1, 5));
    expect(await trial.whenReady(500)).toEqual({
      lost: [{ kind: 'lost', shard: 0, reason: 'worker nobody is gone' }],
    });
    await trial.abandon();
  });
});

describe('a bad start', () => {
  it('is told in one line: no Redis', async () => {
    await expect(connectQueue('redis://127.0.0.1:1', { namespace })).rejects.toMatchObject({
      code: 'REDIS_UNREACHABLE',
      message: expect.stringMatching(
        /^no Redis answers at redis:\/\/127\.0\.0\.1:1: is it running, is the URL right\?/,
      ),
    });
    await expect(
      startLocalWorker({ redisUrl: 'redis://127.0.0.1:1', namespace, concurrency: 1 }),
    ).rejects.toMatchObject({
      code: 'WORKER_MISSING',
    });
  });

  it('is a lost shard with the reason: a property that librdkafka does not know', async () => {
    await startWorkers(1);
    const [job] = await jobs(1, 5);
    const trial = await queue.dispatch(job ? [{ ...job, client: { ...job.client, 'linger.msec': 1 } }] : []);
    const ready = await trial.whenReady(10_000);
    expect(ready).toMatchObject({ lost: [{ reason: expect.stringContaining('linger.msec') }] });
  });

  it('knows its Redis', async () => {
    expect(await queue.redisFacts()).toEqual({
      version: expect.stringMatching(/^\d+\.\d+/),
      maxmemoryPolicy: 'noeviction',
    });
    await queue.resync();
    expect(Math.abs(queue.clock().nowMs() - Date.now())).toBeLessThan(50);
    expect(queue.clock().errorMs).toBeLessThan(20);
  });
});

async function messagesInTopicGrows(): Promise<boolean> {
  const before = await messagesInTopic();
  await sleep(400);
  return (await messagesInTopic()) > before;
}
