import { formatBytes } from '../../boundary/units.ts';
import { messageOf, PlimsollError } from '../errors.ts';
import type { ClientProperties } from '../queue/load-job.ts';
import { connectProducer, disconnect, makeProducer, type RdProducer } from './rdkafka.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const DELIVERY_TIMEOUT_MS = 20_000;
const BURST_MESSAGE_BYTES = 10_000;
// A record costs at most about 100 bytes beside its value (batch header 61 bytes, lengths, timestamps).
const RECORD_OVERHEAD_BYTES = 1_000;
/** librdkafka's limit of message.max.bytes. */
const LARGEST_MESSAGE_BYTES = 1_000_000_000;
// A delivery report reaches JavaScript as text only: node-rdkafka gives its errors the code -1.
const TOO_LARGE = /message size too large|record batch larger/i;
/** How long librdkafka believes in a topic that the brokers do not know, ms; its default is 30 s. */
const UNKNOWN_TOPIC_MS = 3_000;

/** Sends one real message, so that the brokers' and the topic's limits speak. See KafkaConnection.sendOne. */
export async function sendOne(client: ClientProperties, topic: string, bytes: number): Promise<void> {
  const maxBytes = Math.min(LARGEST_MESSAGE_BYTES, Math.max(1_000_000, bytes + RECORD_OVERHEAD_BYTES));
  const large = {
    'message.max.bytes': maxBytes,
    'queue.buffering.max.kbytes': Math.ceil(maxBytes / 1_024) + 1_024,
  };
  const message = Buffer.alloc(bytes, 'x');
  await withProducer(
    { ...client, ...large, 'compression.codec': 'none' },
    { topic, messageBytes: bytes },
    async (producer) => {
      producer.produce(topic, 0, message);
    },
  );
}

/** Sends bytes to chosen partitions. See KafkaConnection.sendBurst. */
export async function sendBurst(
  client: ClientProperties,
  topic: string,
  partitions: readonly number[],
  bytesPerPartition: number,
): Promise<void> {
  const count = Math.max(1, Math.ceil(bytesPerPartition / BURST_MESSAGE_BYTES));
  const message = Buffer.alloc(Math.min(BURST_MESSAGE_BYTES, bytesPerPartition), 'x');
  const room = Math.ceil((count * partitions.length * BURST_MESSAGE_BYTES * 1.2) / 1_024) + 1_024;
  const settings = { 'queue.buffering.max.kbytes': room, 'compression.codec': 'none' };
  await withProducer(
    { ...client, ...settings },
    { topic, messageBytes: message.length },
    async (producer) => {
      for (const partition of partitions) {
        for (let sent = 0; sent < count; sent += 1) producer.produce(topic, partition, message);
      }
    },
  );
}

/** Connects, lets `send` hand over messages, waits until all of them are acknowledged or one failed. */
async function withProducer(
  client: ClientProperties,
  target: { readonly topic: string; readonly messageBytes: number },
  send: (producer: RdProducer) => Promise<void>,
): Promise<void> {
  const settings = {
    ...client,
    dr_cb: true,
    'delivery.report.only.error': true,
    'message.timeout.ms': DELIVERY_TIMEOUT_MS,
    'topic.metadata.propagation.max.ms': UNKNOWN_TOPIC_MS,
  };
  const producer = makeProducer(settings);
  await connectProducer(producer, settings, { timeoutMs: CONNECT_TIMEOUT_MS, topic: target.topic });
  let failure: { message: string } | null = null;
  producer.on('delivery-report', (error) => {
    failure ??= error;
  });
  producer.setPollInterval(20);
  try {
    await send(producer);
    await flush(producer);
  } catch (error) {
    throw sendError(target, error);
  } finally {
    await disconnect(producer);
  }
  if (failure) throw sendError(target, failure);
}

async function flush(producer: RdProducer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    producer.flush(DELIVERY_TIMEOUT_MS + 1_000, (error) => (error ? reject(error) : resolve()));
  });
  // The report of a refused message reaches JavaScript with one of the next polls.
  await new Promise((resolve) => setTimeout(resolve, 60));
}

function sendError(
  target: { readonly topic: string; readonly messageBytes: number },
  error: unknown,
): PlimsollError {
  const reason = messageOf(error);
  if (TOO_LARGE.test(reason)) {
    const size = formatBytes(target.messageBytes);
    const text = `the brokers refuse messages of ${size}: raise message.max.bytes of the brokers or leave this size out`;
    return new PlimsollError('MESSAGE_TOO_LARGE', text, { cause: error });
  }
  return new PlimsollError('TOPIC_FAILED', `a message to ${target.topic} was not delivered: ${reason}`, {
    cause: error,
  });
}
