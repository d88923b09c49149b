/**
 * The one file that imports node-rdkafka. It hands out clients whose configuration really takes effect and whose
 * errors are PlimsollErrors.
 */
import rdkafka from 'node-rdkafka';
import { messageOf, PlimsollError } from '../errors.ts';
import type { ClientProperties } from '../queue/load-job.ts';

export type RdProducer = InstanceType<typeof rdkafka.Producer>;
export type RdAdmin = ReturnType<typeof rdkafka.AdminClient.create>;
export type RdMetadata = Parameters<NonNullable<Parameters<RdProducer['getMetadata']>[1]>>[1];

/** Version of librdkafka, such as `2.12.0`. */
export const librdkafkaVersion: string = rdkafka.librdkafkaVersion;

/** What librdkafka was built with: codecs and security, such as `lz4`, `zstd`, `sasl_scram`. */
export const librdkafkaFeatures: readonly string[] = rdkafka.features;

/** librdkafka's ERR__QUEUE_FULL: the client's own queue has no room. */
export const QUEUE_FULL = -184;

/** librdkafka's ERR__FAIL: a failure without a code of its own. */
export const LIBRDKAFKA_FAILURE = -196;

/** librdkafka's name of an error code, such as `ERR__UNKNOWN_PARTITION`; the number when it has none. */
export function errorName(code: number): string {
  const names = Object.entries(rdkafka.CODES.ERRORS);
  return names.find(([, value]) => value === code)?.[0] ?? `error ${code}`;
}

// librdkafka's topic properties (CONFIGURATION.md, "Topic configuration properties"). node-rdkafka always sets
// `default_topic_conf`, which throws away topic properties given in the global configuration without a word.
const TOPIC_PROPERTIES: ReadonlySet<string> = new Set([
  'request.required.acks',
  'acks',
  'request.timeout.ms',
  'message.timeout.ms',
  'delivery.timeout.ms',
  'queuing.strategy',
  'auto.offset.reset',
  'consume.callback.max.messages',
  'partitioner',
  'compression.level',
]);

export interface SplitProperties {
  readonly global: ClientProperties;
  readonly topic: ClientProperties;
}

/** Sorts librdkafka properties into global and topic ones, so that e.g. `acks` has an effect through node-rdkafka. */
export function splitProperties(client: ClientProperties): SplitProperties {
  const entries = Object.entries(client);
  return {
    global: Object.fromEntries(entries.filter(([name]) => !TOPIC_PROPERTIES.has(name))),
    topic: Object.fromEntries(entries.filter(([name]) => TOPIC_PROPERTIES.has(name))),
  };
}

/**
 * Makes a producer that is not connected yet. Never lets the brokers create a topic because of a request.
 * @throws PlimsollError CONFIG_INVALID with librdkafka's own words when it rejects a property.
 */
export function makeProducer(client: ClientProperties): RdProducer {
  const { global, topic } = splitProperties({ 'allow.auto.create.topics': false, ...client });
  try {
    return new rdkafka.Producer({ ...global }, { ...topic });
  } catch (error) {
    throw new PlimsollError(
      'CONFIG_INVALID',
      `librdkafka rejects the client properties: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

/** Makes an admin client; it has no connection until the first request. Errors as makeProducer. */
export function makeAdmin(client: ClientProperties): RdAdmin {
  try {
    // log_level 0: the admin client has no event callback, its log lines would go to the terminal.
    return rdkafka.AdminClient.create({ ...splitProperties(client).global, log_level: 0 });
  } catch (error) {
    throw new PlimsollError(
      'CONFIG_INVALID',
      `librdkafka rejects the client properties: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

export interface ConnectOptions {
  readonly timeoutMs: number;
  /** Asks for this topic's metadata only; it must exist. Without it the cluster's metadata is asked for. */
  readonly topic?: string;
}

/** Connects a producer. @throws PlimsollError BROKER_UNREACHABLE naming the addresses and librdkafka's last error. */
export async function connectProducer(
  producer: RdProducer,
  client: ClientProperties,
  options: ConnectOptions,
) {
  let reason = '';
  // Errors are told to those who poll, which nobody does before there is a connection; the log comes all the same.
  producer.on('event.log', ({ fac, message }: { fac: string; message: string }) => {
    if (fac === 'FAIL') reason = failureOf(message);
  });
  const request =
    options.topic === undefined ? { allTopics: true } : { allTopics: false, topic: options.topic };
  await new Promise<void>((resolve, reject) => {
    producer.connect({ ...request, timeout: options.timeoutMs }, (error) => {
      if (error) reject(unreachable(client, options.timeoutMs, reason || error.message, error));
      else resolve();
    });
  });
}

/** What a line of librdkafka's log says without thread, broker and times. */
export function failureOf(line: string): string {
  return (
    /^(?:\[thrd:[^\]]*\]: )?(?:\S+\/(?:bootstrap|\d+): )?(.*?)(?: \(after \d+ms in state .*\))?$/s.exec(
      line,
    )?.[1] ?? line
  );
}

/**
 * Makes sure that producers with these settings can connect, before a run forks the first of them.
 * @throws PlimsollError CONFIG_INVALID in librdkafka's words, or for transactions, in which Plimsoll does not send.
 */
export async function requireProducerSettings(client: ClientProperties, timeoutMs: number): Promise<void> {
  if (client['transactional.id'] !== undefined) {
    const text =
      'producer.transactional.id does not work: np producers would fence each other off; leave it out';
    throw new PlimsollError('CONFIG_INVALID', text);
  }
  const producer = makeProducer(client);
  try {
    await connectProducer(producer, client, { timeoutMs });
  } catch (error) {
    const reason = error instanceof PlimsollError && error.cause ? messageOf(error.cause) : messageOf(error);
    throw new PlimsollError(
      'CONFIG_INVALID',
      `a producer with the settings of producer.* does not connect: ${reason}; correct them`,
      { cause: error },
    );
  } finally {
    await disconnect(producer);
  }
}

/** The error for a cluster that does not answer; `detail` is librdkafka's reason. */
export function unreachable(
  client: ClientProperties,
  timeoutMs: number,
  detail: string,
  cause?: unknown,
): PlimsollError {
  const address = client['bootstrap.servers'] ?? client['metadata.broker.list'] ?? 'an empty address';
  const text = `no broker answers at ${address}: is it running, is the address right? (timeout ${timeoutMs / 1_000} s; ${detail})`;
  return new PlimsollError('BROKER_UNREACHABLE', text, { cause });
}

const CLOSE_MS = 2_000;

/** Disconnects a producer, also one that never was connected; gives up waiting after 2 s (librdkafka can hang while brokers are gone). */
export function disconnect(producer: RdProducer): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(resolve, CLOSE_MS);
    const done = () => {
      clearTimeout(deadline);
      resolve();
    };
    try {
      producer.disconnect(CLOSE_MS / 4, done);
    } catch {
      // It flushes first, which throws for a producer that never connected.
      done();
    }
  });
}

export type RdConsumer = InstanceType<typeof rdkafka.KafkaConsumer>;

/** Makes a consumer that is not connected yet; `group.id` is needed. Errors as makeProducer. */
export function makeConsumer(client: ClientProperties): RdConsumer {
  const { global, topic } = splitProperties(client);
  try {
    return new rdkafka.KafkaConsumer({ ...global }, { ...topic });
  } catch (error) {
    const text = `librdkafka rejects the client properties: ${messageOf(error)}`;
    throw new PlimsollError('CONFIG_INVALID', text, { cause: error });
  }
}
