import { PlimsollError } from '../errors.ts';
import type { KafkaConnection, KafkaTopic } from './kafka-connection.ts';

/** Plimsoll creates, loads and deletes only topics that start like this. */
export const LOAD_TOPIC_PREFIX = 'plimsoll-';

export interface LoadTopicRequest {
  /** Starts with `plimsoll-`. */
  readonly name: string;
  readonly brokerIds: readonly number[];
  readonly partitionsPerBroker: number;
  readonly replicationFactor: number;
  /** Topic configuration by Kafka's names. */
  readonly config: Readonly<Record<string, string>>;
  /** Told every name before a topic of it is made, so that none is unknown when the program dies. */
  readonly onName?: (name: string) => void;
}

export interface LoadTopic {
  /** The requested name, with a suffix when the first tries came out uneven. */
  readonly name: string;
  readonly partitions: number;
}

const TRIES = 5;
const LEADERS_TIMEOUT_MS = 15_000;
const GONE_TIMEOUT_MS = 10_000;
const METADATA_TIMEOUT_MS = 5_000;

/**
 * Creates the topic of a run and makes sure that each broker leads exactly `partitionsPerBroker` partitions; with
 * uneven leaders one broker would be measured under a load that the curve does not show.
 * @throws PlimsollError TOPIC_FAILED: the name is taken or lacks the prefix, leaders stay missing or uneven.
 */
export async function createLoadTopic(
  connection: KafkaConnection,
  request: LoadTopicRequest,
): Promise<LoadTopic> {
  requirePrefix(request.name);
  const partitions = request.brokerIds.length * request.partitionsPerBroker;
  let seen = '';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const name = attempt === 1 ? request.name : `${request.name}-${attempt}`;
    const { topics } = await connection.metadata(METADATA_TIMEOUT_MS);
    if (topics.some((topic) => topic.name === name)) {
      throw new PlimsollError(
        'TOPIC_FAILED',
        `topic ${name} exists already: delete it or let this run choose another name`,
      );
    }
    request.onName?.(name);
    await connection.createTopic({ ...request, name, partitions });
    const topic = await waitForLeaders(connection, name, partitions).catch(async (error: unknown) => {
      await connection.deleteTopic(name).catch(() => {});
      throw error;
    });
    const leaders = leadersByBroker(topic);
    if (request.brokerIds.every((id) => leaders[id] === request.partitionsPerBroker))
      return { name, partitions };
    seen = JSON.stringify(leaders);
    await connection.deleteTopic(name);
  }
  const text = `${TRIES} tries gave no topic with ${request.partitionsPerBroker} leaders on each broker (last: ${seen}): are all brokers up and none fenced?`;
  throw new PlimsollError('TOPIC_FAILED', text);
}

/** Deletes a topic that createLoadTopic made. @throws PlimsollError TOPIC_FAILED, also for a name without the prefix. */
export async function dropLoadTopic(connection: KafkaConnection, name: string): Promise<void> {
  requirePrefix(name);
  await connection.deleteTopic(name);
  const deadline = performance.now() + GONE_TIMEOUT_MS;
  // The controller answers before every broker has heard of it; a topic is gone when nobody names it any more.
  while ((await connection.metadata(METADATA_TIMEOUT_MS)).topics.some((topic) => topic.name === name)) {
    if (performance.now() > deadline) {
      throw new PlimsollError(
        'TOPIC_FAILED',
        `topic ${name} is still there ${GONE_TIMEOUT_MS / 1_000} s after its deletion`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Leaders per broker id; partitions without a leader count under -1. */
export function leadersByBroker(topic: KafkaTopic): Record<string, number> {
  const leaders: Record<string, number> = {};
  for (const { leader } of topic.partitions) leaders[leader] = (leaders[leader] ?? 0) + 1;
  return leaders;
}

async function waitForLeaders(
  connection: KafkaConnection,
  name: string,
  partitions: number,
): Promise<KafkaTopic> {
  const deadline = performance.now() + LEADERS_TIMEOUT_MS;
  for (;;) {
    const { topics } = await connection.metadata(METADATA_TIMEOUT_MS);
    const topic = topics.find((candidate) => candidate.name === name);
    const isComplete =
      topic?.partitions.length === partitions && topic.partitions.every(({ leader }) => leader >= 0);
    if (topic && isComplete) return topic;
    if (performance.now() > deadline) {
      const text = `topic ${name} has no leaders after ${LEADERS_TIMEOUT_MS / 1_000} s: are the brokers up?`;
      throw new PlimsollError('TOPIC_FAILED', text);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function requirePrefix(name: string): void {
  if (!name.startsWith(LOAD_TOPIC_PREFIX)) {
    throw new PlimsollError(
      'TOPIC_FAILED',
      `topic ${name} is not Plimsoll's (no ${LOAD_TOPIC_PREFIX} prefix): it is left alone`,
    );
  }
}
