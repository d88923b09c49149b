import type { Config } from '../config/schema.ts';
import { messageOf } from '../errors.ts';
import type { KafkaConnection } from '../kafka/kafka-connection.ts';
import { createLoadTopic, dropLoadTopic, LOAD_TOPIC_PREFIX, type LoadTopic } from '../kafka/load-topic.ts';
import type { Store } from '../store/store.ts';
import type { RunObserver } from './run-event.ts';

/**
 * Bounds of what a topic may keep on the brokers' disks, per partition. A trial needs no history, and the messages of
 * one size are dropped with their topic.
 */
const RETENTION = { 'retention.bytes': '134217728', 'segment.bytes': '33554432', 'retention.ms': '3600000' };

/** The topics of a run: one at a time, one per message size, each noted in the store before it exists. */
export class LoadTopics {
  readonly #kafka: KafkaConnection;
  readonly #store: Store;
  readonly #config: Config;
  readonly #runId: string;
  readonly #brokerIds: readonly number[];
  readonly #observe: RunObserver;
  #current: { readonly topic: LoadTopic; readonly messageBytes: number } | null = null;
  #made = 0;

  constructor(owner: {
    readonly kafka: KafkaConnection;
    readonly store: Store;
    readonly config: Config;
    readonly runId: string;
    readonly brokerIds: readonly number[];
    readonly observe: RunObserver;
  }) {
    this.#kafka = owner.kafka;
    this.#store = owner.store;
    this.#config = owner.config;
    this.#runId = owner.runId;
    this.#brokerIds = owner.brokerIds;
    this.#observe = owner.observe;
  }

  /** The topic for a size; the one of another size is deleted first. */
  async topicFor(messageBytes: number): Promise<LoadTopic> {
    if (this.#current?.messageBytes === messageBytes) return this.#current.topic;
    await this.dropAll();
    this.#made += 1;
    const name = `${LOAD_TOPIC_PREFIX}${this.#runId}-${Date.now().toString(36)}-${this.#made}`;
    this.#store.recordTopic(this.#runId, name);
    const { partitionsPerBroker, replicationFactor, config } = this.#config.topic;
    const topic = await createLoadTopic(this.#kafka, {
      name,
      brokerIds: this.#brokerIds,
      partitionsPerBroker,
      replicationFactor: Math.min(replicationFactor, this.#brokerIds.length),
      config: { ...RETENTION, ...textValues(config) },
    });
    if (topic.name !== name) this.#store.recordTopic(this.#runId, topic.name);
    this.#current = { topic, messageBytes };
    return topic;
  }

  /** Deletes every topic that this run made and that is still there; one that cannot be deleted is warned about. */
  async dropAll(): Promise<void> {
    this.#current = null;
    for (const { name } of this.#store.openTopics(this.#runId)) {
      try {
        await dropLoadTopic(this.#kafka, name);
        this.#store.markTopicDeleted(this.#runId, name);
      } catch (error) {
        const text = `topic ${name} could not be deleted (${messageOf(error)}); plimsoll doctor lists such leftovers`;
        this.#observe({ type: 'warning', text });
      }
    }
  }
}

function textValues(config: Config['topic']['config']): Record<string, string> {
  return Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)]));
}
