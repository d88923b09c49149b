import { join } from 'node:path';
import { messageRecipe } from '../config/message-recipe.ts';
import type { Config } from '../config/schema.ts';
import type { KafkaConnection, KafkaMetadata } from '../kafka/kafka-connection.ts';
import { calibrationFile } from '../queue/calibration-file.ts';
import { connectQueue, type LoadQueue } from '../queue/load-queue.ts';
import { startLocalWorker } from '../queue/local-worker.ts';
import { startPrivateRedis } from '../redis/private-redis.ts';
import type { LoadTopics } from './load-topics.ts';
import { messageDoubts } from './message-doubts.ts';
import { findSources, openSignals } from './open-signals.ts';
import type { RunContext } from './run-context.ts';
import type { RunObserver } from './run-event.ts';
import type { Teardown } from './teardown.ts';
import { tryLargestMessage } from './try-largest-message.ts';

/** Name of Plimsoll's keys on a shared Redis. */
export const QUEUE_NAMESPACE = 'plimsoll';

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
 * Gets everything ready that trials need: topic, signals of every broker, Redis, workers, poller. What it starts is
 * undone by `teardown`. Each failure is a PlimsollError with one line that says what to do.
 */
export async function openSession(request: SessionRequest): Promise<Session> {
  const { config, kafka, topics, runId, observe } = request;
  const brokerIds = request.brokers.map(({ id }) => id).sort((a, b) => a - b);
  const messages = messageRecipe(config);
  for (const text of messageDoubts(messages, config)) observe({ type: 'warning', text });
  const sources = await findSources(request);
  observe({ type: 'step', text: 'creating the test topic' });
  const topic = await topics.topic();
  await tryLargestMessage(kafka, topic.name, messages, config);
  const { queue, redisVersion } = await openQueue(request);
  const opened = await openSignals(request, sources, queue.clock());
  let epoch = Date.now();
  const context: RunContext = {
    runId,
    config,
    messages,
    kafka,
    queue,
    ...opened,
    brokerIds,
    observe,
    signal: request.signal,
    nextEpoch: () => ++epoch,
    topicFor: (load) => topics.topicFor(load, request.signal),
    wrote: (load) => topics.wrote(load),
  };
  const identities = sources.map(({ resolution }) => resolution.identity);
  const idle = [...new Set(sources.map(({ resolution }) => resolution.idle.sentence))];
  const versions = {
    redis: redisVersion,
    kafka: identities.find(({ kafkaVersion }) => kafkaVersion !== null)?.kafkaVersion,
    exporter: identities.find(({ exporter }) => exporter !== null)?.exporter,
    idle: idle.length > 0 ? idle.join('; ') : undefined,
  };
  const known = Object.entries(versions).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { context, environment: Object.fromEntries(known) };
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
    const namespace = QUEUE_NAMESPACE;
    const worker = await startLocalWorker({
      redisUrl,
      namespace,
      concurrency,
      calibrationFile: calibrationFile(),
    });
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
