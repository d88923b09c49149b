import { PlimsollError } from '../errors.ts';
import type { ClientProperties } from '../queue/load-job.ts';
import { createTopic, deleteTopic, type NewTopic } from './kafka-admin.ts';
import {
  connectProducer,
  disconnect,
  makeAdmin,
  makeProducer,
  type RdProducer,
  unreachable,
} from './rdkafka.ts';
import { sendBurst, sendOne } from './send-messages.ts';

export interface KafkaMetadata {
  readonly brokers: readonly { readonly id: number; readonly host: string; readonly port: number }[];
  readonly topics: readonly KafkaTopic[];
}

export interface KafkaTopic {
  readonly name: string;
  readonly partitions: readonly KafkaPartition[];
}

export interface KafkaPartition {
  readonly id: number;
  /** Broker id of the leader; -1 while there is none. */
  readonly leader: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
}

/** A connection for questions and small chores; load goes through the load children. */
export interface KafkaConnection {
  /** Brokers and all topics of the cluster. @throws PlimsollError BROKER_UNREACHABLE */
  metadata(timeoutMs: number): Promise<KafkaMetadata>;
  /** @throws PlimsollError TOPIC_FAILED, also when the topic exists already */
  createTopic(topic: NewTopic): Promise<void>;
  /** @throws PlimsollError TOPIC_FAILED; a topic that is not there counts as deleted */
  deleteTopic(name: string): Promise<void>;
  /** High watermarks of partitions 0 .. partitions-1, messages. @throws PlimsollError TOPIC_FAILED */
  endOffsets(topic: string, partitions: number): Promise<number[]>;
  /**
   * Sends one message of `bytes` value bytes, with the settings of a producer over the connection's.
   * @throws PlimsollError MESSAGE_TOO_LARGE, BROKER_UNREACHABLE, CONFIG_INVALID for a property librdkafka does not take
   */
  sendOne(topic: string, bytes: number, settings?: ClientProperties): Promise<void>;
  /** Sends `bytesPerPartition` to each of the partitions in 10 kB messages, and waits for the acknowledgements. */
  sendBurst(topic: string, partitions: readonly number[], bytesPerPartition: number): Promise<void>;
  /** Lets go of everything within 2 s, whatever the brokers do. */
  close(): Promise<void>;
}

const OFFSETS_TIMEOUT_MS = 10_000;

/**
 * Connects to a cluster.
 * @param client librdkafka properties; `bootstrap.servers` is needed.
 * @throws PlimsollError BROKER_UNREACHABLE when no broker answers in `timeoutMs`, CONFIG_INVALID for a bad property.
 */
export async function connectKafka(client: ClientProperties, timeoutMs: number): Promise<KafkaConnection> {
  const producer = makeProducer(client);
  await connectProducer(producer, client, { timeoutMs });
  producer.setPollInterval(100);
  const admin = makeAdmin(client);
  let isClosed = false;
  return {
    metadata: (limitMs) => readMetadata(producer, client, limitMs),
    createTopic: (topic) => createTopic(admin, topic),
    deleteTopic: (name) => deleteTopic(admin, name),
    endOffsets: (topic, partitions) => readEndOffsets(producer, topic, partitions),
    sendOne: (topic, bytes, settings) => sendOne({ ...client, ...settings }, topic, bytes),
    sendBurst: (topic, partitions, bytes) => sendBurst(client, topic, partitions, bytes),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      admin.disconnect();
      await disconnect(producer);
    },
  };
}

function readMetadata(
  producer: RdProducer,
  client: ClientProperties,
  timeoutMs: number,
): Promise<KafkaMetadata> {
  return new Promise((resolve, reject) => {
    // All topics, never a named one: a named request may create the topic on the broker.
    producer.getMetadata({ allTopics: true, timeout: timeoutMs }, (error, data) => {
      if (error) {
        reject(unreachable(client, timeoutMs, error.message, error));
        return;
      }
      const topics = data.topics.map((topic) => ({
        name: topic.name,
        partitions: topic.partitions
          .map(({ id, leader, replicas, isrs }) => ({ id, leader, replicas, isr: isrs }))
          .sort((a, b) => a.id - b.id),
      }));
      resolve({ brokers: data.brokers.map(({ id, host, port }) => ({ id, host, port })), topics });
    });
  });
}

async function readEndOffsets(producer: RdProducer, topic: string, partitions: number): Promise<number[]> {
  const offsets: number[] = [];
  for (let partition = 0; partition < partitions; partition += 1) {
    offsets.push(await readEndOffset(producer, topic, partition));
  }
  return offsets;
}

function readEndOffset(producer: RdProducer, topic: string, partition: number): Promise<number> {
  return new Promise((resolve, reject) => {
    producer.queryWatermarkOffsets(topic, partition, OFFSETS_TIMEOUT_MS, (error, offsets) => {
      if (error) {
        const text = `end offset of ${topic}/${partition} cannot be read (${error.message}): is its leader up?`;
        reject(new PlimsollError('TOPIC_FAILED', text, { cause: error }));
      } else resolve(offsets.highOffset);
    });
  });
}
