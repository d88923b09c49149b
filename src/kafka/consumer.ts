import { messageOf, PlimsollError } from '../errors.ts';
import type { ClientProperties } from '../queue/load-job.ts';
import { type ConnectOptions, makeConsumer, type RdConsumer, unreachable } from './rdkafka.ts';

const CLOSE_MS = 2_000;

/** Connects a consumer. @throws PlimsollError BROKER_UNREACHABLE naming the addresses and librdkafka's last error. */
export async function connectConsumer(
  consumer: RdConsumer,
  client: ClientProperties,
  { timeoutMs, topic }: ConnectOptions,
): Promise<void> {
  let lastError = '';
  consumer.on('event.error', (error) => {
    lastError = error.message;
  });
  const request = topic === undefined ? { allTopics: true } : { allTopics: false, topic };
  await new Promise<void>((resolve, reject) => {
    consumer.connect({ ...request, timeout: timeoutMs }, (error) => {
      if (error) reject(unreachable(client, timeoutMs, lastError || error.message, error));
      else resolve();
    });
  });
}

/**
 * Makes sure that consumers with these settings can connect, before a run forks the first of them.
 * @throws PlimsollError CONFIG_INVALID in librdkafka's words.
 */
export async function requireConsumerSettings(client: ClientProperties, timeoutMs: number): Promise<void> {
  const consumer = makeConsumer({ ...client, 'group.id': 'plimsoll-check' });
  try {
    await connectConsumer(consumer, client, { timeoutMs });
  } catch (error) {
    const reason = error instanceof PlimsollError && error.cause ? messageOf(error.cause) : messageOf(error);
    throw new PlimsollError(
      'CONFIG_INVALID',
      `a consumer with the settings of consumer.* does not connect: ${reason}; correct them`,
      { cause: error },
    );
  } finally {
    await disconnectConsumer(consumer);
  }
}

/** What a request for offsets asks for in place of a time (Kafka protocol, ListOffsets). */
const EDGE_TIMES = { beginning: -2, end: -1 } as const;

export type TopicEdge = keyof typeof EDGE_TIMES;

/**
 * The first or the next offset of partitions, with one request to each leader. Of a consumer that fetches, the answer
 * waits behind the fetches on the same connection: ask through one that does not.
 *
 * @returns offset by partition, those left out whose leader did not tell.
 * @throws PlimsollError TOPIC_FAILED when nobody answers in time.
 */
export async function readEdge(
  consumer: RdConsumer,
  topic: string,
  partitions: readonly number[],
  { edge, timeoutMs }: { readonly edge: TopicEdge; readonly timeoutMs: number },
): Promise<ReadonlyMap<number, number>> {
  const asked = partitions.map((partition) => ({ topic, partition, offset: EDGE_TIMES[edge] }));
  const answers = await new Promise<readonly unknown[]>((resolve, reject) => {
    consumer.offsetsForTimes(asked, timeoutMs, (error, offsets) => {
      if (!error) {
        resolve(offsets);
        return;
      }
      const text = `the ${edge} of ${topic} cannot be read (${error.message}): are its leaders up?`;
      reject(new PlimsollError('TOPIC_FAILED', text, { cause: error }));
    });
  });
  // A partition whose leader refused comes back as an Error in its place.
  const told = answers.filter(isOffset);
  return new Map(told.map(({ partition, offset }) => [partition, offset]));
}

interface PartitionOffset {
  readonly partition: number;
  readonly offset: number;
}

function isOffset(answer: unknown): answer is PartitionOffset {
  const { partition, offset } = answer as Partial<PartitionOffset>;
  return typeof partition === 'number' && typeof offset === 'number' && offset >= 0;
}

/** Gives up waiting after 2 s: librdkafka can hang while brokers are gone. */
function disconnectConsumer(consumer: RdConsumer): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(resolve, CLOSE_MS);
    const done = () => {
      clearTimeout(deadline);
      resolve();
    };
    if (consumer.isConnected()) consumer.disconnect(done);
    else done();
  });
}
