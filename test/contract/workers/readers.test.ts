import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { groupReadings, isGrowing } from '../../../boundary/consumer-lag.ts';
import { judgeConsumerLag } from '../../../boundary/consumer-rule.ts';
import { latencyPercentileUs, messagesTimed } from '../../../boundary/latency-histogram.ts';
import { PLAIN_MESSAGES } from '../../../boundary/payload/message-recipe.ts';
import type { ReaderReport, ShardReport, TrialEvidence, Window } from '../../../boundary/trial.ts';
import { DEFAULT_THRESHOLDS } from '../../../boundary/verdict.ts';
import { connectKafka, type KafkaConnection } from '../../../src/kafka/kafka-connection.ts';
import { createLoadTopic, dropLoadTopic, type LoadTopic } from '../../../src/kafka/load-topic.ts';
import type { LocalCluster } from '../../../src/local-cluster/local-cluster.ts';
import { startLocalCluster } from '../../../src/local-cluster/start-local-cluster.ts';
import type { LoadJob, ReadJob, ShardJobData, ShardOutcome } from '../../../src/queue/load-job.ts';
import { connectQueue, type LoadQueue } from '../../../src/queue/load-queue.ts';
import { startLocalWorker } from '../../../src/queue/local-worker.ts';
import { type PrivateRedis, startPrivateRedis } from '../../../src/redis/private-redis.ts';
import { childrenOf, isBusy, pidOf } from './child-processes.ts';

const directory = mkdtempSync(join(tmpdir(), 'plimsoll-readers-'));
const namespace = 'test';
const PRODUCERS = 10;
const RATE = 50;
const SECONDS = 9;
/** A second to connect its last, and one more in which nothing new comes: what is read then was not read in time. */
const READ_SECONDS = SECONDS + 3;
const GROUPS = ['group-1', 'group-2', 'group-3', 'group-4', 'group-5'];
/**
 * An honest consumer that cannot follow: it waits a second for more bytes than there are, and then takes at most 5 kB of
 * each partition, four messages where forty are due.
 */
const SLOW = { 'fetch.min.bytes': 50_000_000, 'fetch.wait.max.ms': 1_000, 'fetch.message.max.bytes': 5_000 };

let cluster: LocalCluster;
let connection: KafkaConnection;
let topic: LoadTopic;
let redis: PrivateRedis;
let queue: LoadQueue;
let workers: Awaited<ReturnType<typeof startLocalWorker>>[] = [];
let epoch = 0;

beforeAll(async () => {
  cluster = await startLocalCluster({ directory: join(directory, 'cluster'), keepRunning: false });
  connection = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
  const brokerIds = cluster.brokers.map(({ id }) => id);
  const even = { brokerIds, partitionsPerBroker: 4, replicationFactor: 3, config: {} };
  topic = await createLoadTopic(connection, { name: 'plimsoll-readers', ...even });
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
  workers = [];
  for (let index = 0; index < 2; index += 1) {
    workers.push(await startLocalWorker({ redisUrl: redis.url, namespace, concurrency: 1 }));
  }
  epoch += 1;
});

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await queue.close();
  await redis.stop();
});

const order = (worker: number, shard: number, seconds: number) => ({
  runId: 'run',
  epoch,
  workerId: workers[worker]?.workerId ?? 'nobody',
  shard,
  schedule: [{ durationMs: seconds * 1_000, unitRate: RATE }],
  topic: topic.name,
  partitions: topic.partitions,
  client: { 'bootstrap.servers': cluster.bootstrap },
  startTimeoutMs: 20_000,
  drainTimeoutMs: 5_000,
});

const producing = (seconds = SECONDS): LoadJob => ({
  kind: 'produce',
  ...order(0, 0, seconds),
  client: { 'bootstrap.servers': cluster.bootstrap, 'linger.ms': 10, acks: 1 },
  producers: PRODUCERS,
  firstProducer: 0,
  producersOfTrial: PRODUCERS,
  messageBytes: 1_000,
  messages: PLAIN_MESSAGES,
  timedProducers: 0,
  seed: 1,
});

const reading = (worker: number, shard: number, groups: readonly string[], change: Partial<ReadJob> = {}) => {
  const job: ReadJob = {
    kind: 'consume',
    ...order(worker, shard, READ_SECONDS),
    members: groups.map((group) => ({ group: `plimsoll-${epoch}-${group}`, member: 0, membersOfGroup: 1 })),
    from: 'end',
    ...change,
  };
  return job;
};

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const messagesInTopic = async () =>
  (await connection.endOffsets(topic.name, topic.partitions)).reduce((sum, offset) => sum + offset, 0);

async function start(jobs: readonly ShardJobData[]) {
  const trial = await queue.dispatch(jobs);
  expect(await trial.whenReady(20_000)).toBe('ready');
  const startAtMs = queue.clock().nowMs() + 300;
  await trial.start(startAtMs);
  return { trial, startAtMs };
}

function reports(outcomes: readonly ShardOutcome[]): { shards: ShardReport[]; readers: ReaderReport[] } {
  const shards: ShardReport[] = [];
  const readers: ReaderReport[] = [];
  for (const outcome of outcomes) {
    if (outcome.kind === 'lost') throw new Error(outcome.reason);
    if (outcome.kind === 'report') shards.push(outcome.report);
    else readers.push(outcome.report);
  }
  return { shards, readers };
}

/** What a reader had consumed of a group at its last tick. */
const consumed = ({ ticks }: ReaderReport, group: string) =>
  ticks.at(-1)?.groups.find((tick) => tick.group.endsWith(group))?.consumed;

/** The last six seconds of the load. */
const windowFrom = (startAtMs: number): Window => ({
  startAtMs: startAtMs + (SECONDS - 6) * 1_000,
  endAtMs: startAtMs + SECONDS * 1_000,
});

describe('consumer groups', () => {
  it('read every message that is sent, each group all of them, and keep up', async () => {
    const { trial, startAtMs } = await start([producing(), reading(1, 1, GROUPS)]);
    const { shards, readers } = reports(await trial.outcomes(40_000));
    const [reader] = readers;
    const sent = shards[0]?.acked ?? 0;
    expect(sent).toBe(PRODUCERS * RATE * SECONDS);
    expect(GROUPS.map((group) => reader && consumed(reader, group))).toEqual(GROUPS.map(() => sent));
    expect(reader?.ticks.map(({ atMs }) => atMs - startAtMs)).toEqual(
      Array.from({ length: READ_SECONDS + 1 }, (_, second) => second * 1_000),
    );
    expect(reader?.startedLateMs).toBeLessThan(200);
    expect(reader?.errors).toEqual({});
    const readings = groupReadings([reader?.ticks ?? []], windowFrom(startAtMs));
    expect(readings).toHaveLength(GROUPS.length);
    for (const { growth, lag, consumedPerSecond } of readings) {
      expect(growth && isGrowing(growth, 0.01 * PRODUCERS * RATE)).toBe(false);
      expect(lag).toBeLessThan(PRODUCERS * RATE);
      expect(consumedPerSecond / (PRODUCERS * RATE)).toBeCloseTo(1, 1);
    }
  });

  it('show the one that cannot follow, for the brokers do not give it more', async () => {
    const slow = reading(0, 2, ['group-5'], { client: { 'bootstrap.servers': cluster.bootstrap, ...SLOW } });
    const { trial, startAtMs } = await start([producing(), reading(1, 1, GROUPS.slice(0, 4)), slow]);
    const window = windowFrom(startAtMs);
    await sleep(window.endAtMs - queue.clock().nowMs() + 100);
    const { shards, readers } = reports(await trial.outcomes(40_000));
    const evidence = { shards, readers, readersExpected: 2, window } as unknown as TrialEvidence;
    const verdict = judgeConsumerLag(evidence, DEFAULT_THRESHOLDS);
    expect(verdict).toMatchObject({
      kind: 'overloaded',
      rule: 'consumer lag',
      detail: expect.stringMatching(/^group 5 falls behind by \d+ messages\/s/),
    });
    // What it consumed and what it lags behind are all that was sent: nothing is lost or counted twice.
    const ticks = readers.find(({ shard }) => shard === 2)?.ticks.flatMap(({ groups }) => groups);
    const last = ticks?.findLast(({ lag }) => lag !== null);
    expect((last?.consumed ?? 0) + (last?.lag ?? 0)).toBeCloseTo(PRODUCERS * RATE * SECONDS, -1);
    expect(last?.consumed).toBeLessThan(0.5 * PRODUCERS * RATE * SECONDS);
  });

  it('catch up from the beginning, over members in two workers that part the partitions', async () => {
    const before = await messagesInTopic();
    const half = (worker: number, member: number) =>
      reading(worker, 1 + member, [], {
        from: 'beginning',
        members: [{ group: `plimsoll-${epoch}-group-1`, member, membersOfGroup: 2 }],
      });
    const { trial } = await start([producing(), half(0, 0), half(1, 1)]);
    const { shards, readers } = reports(await trial.outcomes(40_000));
    const parts = readers.map((reader) => consumed(reader, 'group-1') ?? 0);
    expect(Math.min(...parts)).toBeGreaterThan(0);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(before + (shards[0]?.acked ?? 0));
  });

  it('tell the latency of what was sent in the window that the stop brings', async () => {
    const { trial, startAtMs } = await start([producing(60), reading(1, 1, ['group-1'])]);
    const window = { startAtMs: startAtMs + 2_000, endAtMs: startAtMs + 5_000 };
    await sleep(window.endAtMs - queue.clock().nowMs() + 500);
    await trial.stop(window);
    const { readers } = reports(await trial.outcomes(20_000));
    const counts = readers[0]?.consumeLatency;
    expect(counts && messagesTimed(counts)).toBeCloseTo(PRODUCERS * RATE * 3, -2);
    expect(counts?.missing).toBeLessThan(10);
    const p50Us = counts && latencyPercentileUs(counts, 500);
    expect(p50Us).toBeGreaterThan(0);
    expect(p50Us).toBeLessThan(1e6);
  });
});

describe('readers end', () => {
  it('within a second of the stop', async () => {
    const { trial } = await start([producing(60), reading(1, 1, GROUPS)]);
    await sleep(2_000);
    const children = readerChildren();
    expect(children).toHaveLength(1);
    await trial.stop(null);
    await expect.poll(() => children.filter(isBusy), { timeout: 1_000, interval: 50 }).toEqual([]);
    reports(await trial.outcomes(15_000));
  });

  it('as a lost shard when their process is killed', async () => {
    const { trial } = await start([producing(60), reading(1, 1, GROUPS)]);
    await sleep(1_000);
    const [child = 0] = readerChildren();
    process.kill(child, 'SIGKILL');
    await sleep(500);
    await trial.stop(null);
    const outcomes = await trial.outcomes(15_000);
    expect(outcomes[1]).toMatchObject({ kind: 'lost', reason: expect.stringContaining('SIGKILL') });
    expect(outcomes[0]?.kind).toBe('report');
  });

  it('by themselves when Redis is gone', async () => {
    await start([producing(60), reading(1, 1, GROUPS)]);
    await sleep(1_000);
    const children = readerChildren();
    await redis.stop();
    await expect.poll(() => children.filter(isBusy), { timeout: 12_000 }).toEqual([]);
  });

  it('never begin with a property that librdkafka does not know', async () => {
    const client = { 'bootstrap.servers': cluster.bootstrap, 'fetch.minimum': 1 };
    const trial = await queue.dispatch([reading(1, 1, ['group-1'], { client })]);
    expect(await trial.whenReady(10_000)).toMatchObject({
      lost: [{ reason: expect.stringContaining('fetch.minimum') }],
    });
  });
});

/** Load children of the second worker that have a job: as long as one runs, none is kept in reserve. */
const readerChildren = () => childrenOf(pidOf(workers[1]?.workerId ?? ''), 'load-child');
