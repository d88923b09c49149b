import type { Config } from '../config/schema.ts';
import { messageOf } from '../errors.ts';
import type { KafkaConnection } from '../kafka/kafka-connection.ts';
import {
  createLoadTopic,
  dropLoadTopic,
  LOAD_TOPIC_PREFIX,
  type LoadTopic,
  leadersByBroker,
} from '../kafka/load-topic.ts';
import type { Store } from '../store/store.ts';
import type { RunObserver } from './run-event.ts';

/**
 * Bounds of what the topic may keep on the brokers' disks, per partition: a trial needs no history. The brokers apply them
 * every log.retention.check.interval.ms (5 min by default), so that what is written in that time comes on top.
 */
const RETENTION_BYTES = 134_217_728;
const SEGMENT_BYTES = 33_554_432;
const RETENTION = {
  'retention.bytes': String(RETENTION_BYTES),
  'segment.bytes': String(SEGMENT_BYTES),
  'retention.ms': '3600000',
};

/** The most that one replica of a partition keeps on its disk: what retention lets stay, and the open segment. */
export const KEPT_BYTES_PER_PARTITION = RETENTION_BYTES + SEGMENT_BYTES;

const METADATA_TIMEOUT_MS = 5_000;

/**
 * The topics of a run: one at a time, for messages of every size, since a search goes from size to size and a new topic
 * takes seconds. Each is noted in the store before it exists.
 */
export class LoadTopics {
  readonly #kafka: KafkaConnection;
  readonly #store: Store;
  readonly #config: Config;
  readonly #runId: string;
  readonly #brokerIds: readonly number[];
  readonly #observe: RunObserver;
  #current: LoadTopic | null = null;
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

  /**
   * The topic to load. One that somebody deleted, or whose leaders have moved, is replaced: every trial on it would be
   * invalid.
   */
  async topic(): Promise<LoadTopic> {
    if (this.#current) {
      const trouble = await this.#troubleWith(this.#current);
      if (trouble === null) return this.#current;
      this.#observe({ type: 'warning', text: `${trouble}; a new one is made` });
    }
    await this.dropAll();
    this.#made += 1;
    const name = `${LOAD_TOPIC_PREFIX}${this.#runId}-${Date.now().toString(36)}-${this.#made}`;
    const { partitionsPerBroker, replicationFactor, config } = this.#config.topic;
    const topic = await createLoadTopic(this.#kafka, {
      name,
      brokerIds: this.#brokerIds,
      partitionsPerBroker,
      replicationFactor: Math.min(replicationFactor, this.#brokerIds.length),
      config: { ...RETENTION, ...textValues(config) },
      onName: (made) => this.#store.recordTopic(this.#runId, made),
    });
    this.#current = topic;
    return topic;
  }

  /** Why the topic cannot be measured any more; null also when the cluster does not tell, which is checked elsewhere. */
  async #troubleWith({ name }: LoadTopic): Promise<string | null> {
    try {
      const { brokers, topics } = await this.#kafka.metadata(METADATA_TIMEOUT_MS);
      // With a broker away, leaders are elsewhere for a while and come back with it.
      if (!this.#brokerIds.every((id) => brokers.some((broker) => broker.id === id))) return null;
      const topic = topics.find((candidate) => candidate.name === name);
      if (topic === undefined) return `topic ${name} is gone`;
      const leaders = leadersByBroker(topic);
      const isEven = this.#brokerIds.every((id) => leaders[id] === this.#config.topic.partitionsPerBroker);
      return isEven ? null : `the leaders of topic ${name} have moved`;
    } catch {
      return null;
    }
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
