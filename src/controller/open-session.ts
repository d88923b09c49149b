import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/schema.ts';
import { PlimsollError } from '../errors.ts';
import type { KafkaConnection, KafkaMetadata } from '../kafka/kafka-connection.ts';
import { connectQueue, type LoadQueue } from '../queue/load-queue.ts';
import { startLocalWorker } from '../queue/local-worker.ts';
import { startPrivateRedis } from '../redis/private-redis.ts';
import type { BrokerPage } from '../signals/broker-page.ts';
import { findBrokerPages } from '../signals/broker-pages.ts';
import { BrokerPoller } from '../signals/broker-poller.ts';
import type { LoadTopics } from './load-topics.ts';
import type { RunContext } from './run-context.ts';
import type { RunObserver } from './run-event.ts';
import { measureRest } from './settle.ts';
import type { Teardown } from './teardown.ts';

/** Name of Plimsoll's keys on a shared Redis. */
export const QUEUE_NAMESPACE = 'plimsoll';

/** A broker without load should rest at least this idle; less means that somebody else is using it. */
const RESTING_IDLE = 0.8;

const SCRAPE_TIMEOUT_MS = 5_000;
const REPLICAS_TIMEOUT_MS = 20_000;
const VERIFY_BYTES_PER_PARTITION = 50_000;

export interface SessionRequest {
  readonly runId: string;
  readonly config: Config;
  readonly kafka: KafkaConnection;
  readonly brokers: KafkaMetadata['brokers'];
  readonly topics: LoadTopics;
  readonly observe: RunObserver;
  readonly signal: AbortSignal;
  readonly teardown: Teardown;
}

export interface Session {
  readonly context: RunContext;
  /** Versions for the run's record. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Gets everything ready that trials need: topic, metrics page of every broker, Redis, workers, poller. What it starts is
 * undone by `teardown`. Each failure is a PlimsollError with one line that says what to do.
 */
export async function openSession(request: SessionRequest): Promise<Session> {
  const { config, kafka, observe, topics, teardown, runId } = request;
  const brokerIds = request.brokers.map(({ id }) => id).sort((a, b) => a - b);
  observe({ type: 'step', text: 'matching brokers to metrics pages' });
  const pages = await matchPages(request);
  observe({ type: 'step', text: 'creating the test topic' });
  const largest = Math.max(...config.bpm);
  const topic = await topics.topicFor(config.bpm[0] ?? largest);
  // A real message with the load's settings: a size or acks that cannot be had are told before the first trial.
  await kafka.sendOne(topic.name, largest, config.producer);
  const { queue, redisVersion } = await openQueue(request);
  const poller = new BrokerPoller({
    brokers: pages.map(({ brokerId, url, resolution }) => ({ brokerId, url, resolution })),
    clock: queue.clock(),
    intervalMs: config.trial.pollIntervalMs,
    deadlineMs: Math.max(2_000, 2 * config.trial.pollIntervalMs),
  });
  teardown.add(() => poller.stop());
  await requireReplicas(poller, request.signal);
  const restingIdle = await measureRest(poller, brokerIds);
  warnOfOtherLoad(restingIdle, observe);
  let epoch = Date.now();
  const context: RunContext = {
    runId,
    config,
    kafka,
    queue,
    poller,
    brokerIds,
    restingIdle,
    observe,
    signal: request.signal,
    nextEpoch: () => ++epoch,
    topicFor: (messageBytes) => topics.topicFor(messageBytes),
  };
  const identities = pages.map(({ resolution }) => resolution.identity);
  const versions = {
    redis: redisVersion,
    kafka: identities.find(({ kafkaVersion }) => kafkaVersion !== null)?.kafkaVersion,
    exporter: identities.find(({ exporter }) => exporter !== null)?.exporter,
  };
  const known = Object.entries(versions).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { context, environment: Object.fromEntries(known) };
}

function matchPages({ config, brokers, topics, kafka }: SessionRequest): Promise<readonly BrokerPage[]> {
  return findBrokerPages({
    brokers,
    metrics: config.metrics,
    scrape: { timeoutMs: SCRAPE_TIMEOUT_MS },
    verifyByLoad: async (brokerId) => {
      const topic = await topics.topicFor(config.bpm[0] ?? 1_000);
      const { topics: known } = await kafka.metadata(SCRAPE_TIMEOUT_MS);
      const led = known
        .find(({ name }) => name === topic.name)
        ?.partitions.filter(({ leader }) => leader === brokerId)
        .map(({ id }) => id);
      await kafka.sendBurst(topic.name, led ?? [], VERIFY_BYTES_PER_PARTITION);
    },
  });
}

async function openQueue({ config, teardown, observe }: SessionRequest): Promise<{
  readonly queue: LoadQueue;
  readonly redisVersion: string;
}> {
  const redisUrl = config.redis.url ?? (await ownRedis(config, teardown, observe));
  const queue = await connectQueue(redisUrl, { namespace: QUEUE_NAMESPACE });
  teardown.add(() => queue.close());
  const facts = await queue.redisFacts();
  if (facts.maxmemoryPolicy !== 'noeviction') {
    const text = `Redis has maxmemory-policy ${facts.maxmemoryPolicy}, which may drop load jobs; set noeviction`;
    observe({ type: 'warning', text });
  }
  const workers = await queue.workers();
  if (workers.length > 0) {
    const names = workers.map(({ host, pid }) => `${host}:${pid}`);
    observe({ type: 'step', text: `load workers: ${names.join(', ')}` });
  } else {
    observe({ type: 'step', text: 'starting a load worker on this machine' });
    const concurrency = config.workers.localConcurrency;
    const worker = await startLocalWorker({ redisUrl, namespace: QUEUE_NAMESPACE, concurrency });
    teardown.add(() => worker.stop());
  }
  return { queue, redisVersion: facts.version };
}

async function ownRedis(config: Config, teardown: Teardown, observe: RunObserver): Promise<string> {
  observe({ type: 'step', text: 'starting a private Redis' });
  const redis = await startPrivateRedis({ directory: join(config.home, 'redis') });
  teardown.add(() => redis.stop());
  return redis.url;
}

/** A run does not start with under-replicated partitions that it cannot explain; a new topic needs a moment. */
async function requireReplicas(poller: BrokerPoller, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + REPLICAS_TIMEOUT_MS;
  for (;;) {
    const behind = (await poller.pollOnce()).flatMap((poll) =>
      poll.kind === 'reading' && (poll.underReplicatedPartitions ?? 0) > 0 ? [poll] : [],
    );
    const first = behind[0];
    if (!first) return;
    if (performance.now() > deadline) {
      throw new PlimsollError(
        'CLUSTER_UNHEALTHY',
        `broker ${first.brokerId} has ${first.underReplicatedPartitions} under-replicated partitions; wait until the cluster has caught up, then start again`,
      );
    }
    await sleep(500, undefined, { signal });
  }
}

function warnOfOtherLoad(restingIdle: Readonly<Record<string, number>>, observe: RunObserver): void {
  for (const [brokerId, idle] of Object.entries(restingIdle)) {
    if (idle >= RESTING_IDLE) continue;
    const text = `broker ${brokerId} is only ${Math.round(idle * 100)} % idle before any load: the result is the room that is left beside its other work`;
    observe({ type: 'warning', text });
  }
}
