import { LIBRDKAFKA_FAILURE, type RdProducer } from './rdkafka.ts';

/** Headers of one message as node-rdkafka takes them: an object of one name and its value for each. */
export type MessageHeaders = readonly Readonly<Record<string, string>>[];

/**
 * Hands one message to librdkafka, which copies it.
 * @param timestampMs the message's timestamp, whole ms since the epoch.
 * @returns 0, or librdkafka's error code, such as QUEUE_FULL. Never throws.
 */
export type ProduceCall = (
  partition: number,
  value: Buffer,
  key: Buffer | null,
  timestampMs: number,
) => number;

/** What is used of the native client behind a node-rdkafka producer. It answers with librdkafka's error code. */
interface NativeProducer {
  produce(
    topic: string,
    partition: number,
    value: Buffer,
    key: Buffer | null,
    timestampMs: number,
    // Anything but undefined is kept for a delivery report, and leaks where none comes.
    opaque?: undefined,
    headers?: MessageHeaders,
  ): number;
}

/**
 * The shortest way into librdkafka that node-rdkafka offers. Its own `produce` checks and counts in JavaScript and makes
 * an exception of each refusal; the native client behind it is called instead where it is there (node-rdkafka 2 and 3),
 * else `produce`.
 * @param producer connected.
 */
export function produceCall(
  producer: RdProducer,
  topic: string,
  headers: MessageHeaders | undefined,
): ProduceCall {
  const native = nativeOf(producer);
  if (native === null) return publicCall(producer, topic, headers);
  // Fewer arguments are fewer for V8 to hand over and for the addon to look at.
  if (headers === undefined)
    return (partition, value, key, timestampMs) => native.produce(topic, partition, value, key, timestampMs);
  return (partition, value, key, timestampMs) =>
    native.produce(topic, partition, value, key, timestampMs, undefined, headers);
}

function nativeOf(producer: RdProducer): NativeProducer | null {
  const native = producer.getClient() as Partial<NativeProducer> | undefined;
  return typeof native?.produce === 'function' ? (native as NativeProducer) : null;
}

function publicCall(producer: RdProducer, topic: string, headers: MessageHeaders | undefined): ProduceCall {
  const list = headers?.map((header) => ({ ...header }));
  return (partition, value, key, timestampMs) => {
    try {
      producer.produce(topic, partition, value, key, timestampMs, undefined, list);
      return 0;
    } catch (error) {
      return (error as { code?: number }).code ?? LIBRDKAFKA_FAILURE;
    }
  };
}
