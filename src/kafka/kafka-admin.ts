import { PlimsollError } from '../errors.ts';
import type { RdAdmin } from './rdkafka.ts';

export interface NewTopic {
  readonly name: string;
  readonly partitions: number;
  readonly replicationFactor: number;
  /** Topic configuration by Kafka's names. */
  readonly config: Readonly<Record<string, string>>;
}

const ADMIN_TIMEOUT_MS = 15_000;
const UNKNOWN_TOPIC = 3;

/** Creates a topic. @throws PlimsollError TOPIC_FAILED with the broker's reason. */
export function createTopic(admin: RdAdmin, topic: NewTopic): Promise<void> {
  const request = {
    topic: topic.name,
    num_partitions: topic.partitions,
    replication_factor: topic.replicationFactor,
    config: { ...topic.config },
  };
  return new Promise((resolve, reject) => {
    admin.createTopic(request, ADMIN_TIMEOUT_MS, (error) => {
      if (!error) resolve();
      else
        reject(
          new PlimsollError('TOPIC_FAILED', `topic ${topic.name} cannot be created: ${error.message}`, {
            cause: error,
          }),
        );
    });
  });
}

/** Deletes a topic; one that does not exist is fine. @throws PlimsollError TOPIC_FAILED with the broker's reason. */
export function deleteTopic(admin: RdAdmin, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    admin.deleteTopic(name, ADMIN_TIMEOUT_MS, (error) => {
      if (!error || error.code === UNKNOWN_TOPIC) resolve();
      else
        reject(
          new PlimsollError('TOPIC_FAILED', `topic ${name} cannot be deleted: ${error.message}`, {
            cause: error,
          }),
        );
    });
  });
}
