import { setTimeout as sleep } from 'node:timers/promises';
import { formatBytes } from '../../boundary/units.ts';
import type { Config } from '../config/schema.ts';
import { messageOf, PlimsollError } from '../errors.ts';
import type { KafkaConnection } from '../kafka/kafka-connection.ts';
import {
  createLoadTopic,
  dropLoadTopic,
  LOAD_TOPIC_PREFIX,
  type LoadTopic,
  leadersByBroker,
} from '../kafka/load-topic.ts';
import type { Store } from '../store/store.ts';
import type { DiskGuard, PlannedLoad, RoomForLoad, WrittenLoad } from './disk-guard.ts';
import { loadTopicConfig } from './load-topic-config.ts';
import type { RunObserver } from './run-event.ts';

const METADATA_TIMEOUT_MS = 5_000;

/** A topic for one load, and how much of it the brokers' disks can take. */
export interface TopicForLoad {
  readonly topic: LoadTopic;
  /** Messages; without end when retention keeps up with the load. */
  readonly mostMessages: number;
}

/** What the topics of a run depend on. */
export interface TopicsOwner {
  readonly kafka: KafkaConnection;
  readonly store: Store;
  readonly config: Config;
  readonly runId: string;
  readonly brokerIds: readonly number[];
  readonly disks: DiskGuard;
  readonly observe: RunObserver;
}

/**
 * The topics of a run: one at a time, for messages of every size, since a search goes from size to size and a new topic
 * takes seconds. Each is noted in the store before it exists. One that has grown over what the disks may hold makes room
 * for the next.
 */
export class LoadTopics {
  readonly #owner: TopicsOwner;
  #current: LoadTopic | null = null;
  #made = 0;

  constructor(owner: TopicsOwner) {
    this.#owner = owner;
  }

  /**
   * The topic to load. One that somebody deleted, or whose leaders have moved, is replaced: every trial on it would be
   * invalid.
   */
  async topic(): Promise<LoadTopic> {
    if (this.#current) {
      const trouble = await this.#troubleWith(this.#current);
      if (trouble === null) return this.#current;
      this.#owner.observe({ type: 'warning', text: `${trouble}; a new one is made` });
    }
    await this.dropAll();
    this.#current = await this.#make();
    return this.#current;
  }

  /**
   * The topic for a load, with room for it on the brokers' disks: the old topic is deleted when it is in the way, and its
   * files are waited for.
   * @throws PlimsollError CONFIG_INVALID when the load is more than the budget ever lets through, CLUSTER_AT_RISK when it
   * is more than the disks have free.
   */
  async topicFor(load: PlannedLoad, signal: AbortSignal): Promise<TopicForLoad> {
    const { disks, observe, runId } = this.#owner;
    for (;;) {
      const room = await disks.roomFor(load);
      switch (room.kind) {
        case 'room':
          return { topic: await this.topic(), mostMessages: room.messages };
        case 'new topic':
          observe({ type: 'step', text: `making room on the disks: ${this.#size()}` });
          if (!(await this.dropAll())) throw stuckError(runId);
          break;
        case 'wait': {
          const waitMs = Math.max(0, room.untilMs - performance.now());
          const text = `waiting ${Math.ceil(waitMs / 1_000)} s until the brokers have deleted the old topic`;
          observe({ type: 'step', text });
          await sleep(waitMs, undefined, { signal });
          break;
        }
        case 'no room':
          throw noRoomError(room, runId);
      }
    }
  }

  /** Notes what was written into the topic. */
  wrote(load: WrittenLoad): void {
    this.#owner.disks.wrote(load);
  }

  /**
   * Deletes every topic that this run made and that is still there; one that cannot be is warned about.
   * @returns whether all are gone.
   */
  async dropAll(): Promise<boolean> {
    const { kafka, store, runId, disks, observe } = this.#owner;
    let isGone = true;
    this.#current = null;
    for (const { name } of store.openTopics(runId)) {
      try {
        await dropLoadTopic(kafka, name);
        store.markTopicDeleted(runId, name);
      } catch (error) {
        const text = `topic ${name} could not be deleted (${messageOf(error)}); plimsoll doctor lists such leftovers`;
        observe({ type: 'warning', text });
        isGone = false;
      }
    }
    if (isGone) disks.dropped();
    return isGone;
  }

  async #make(): Promise<LoadTopic> {
    const { kafka, store, config, runId, brokerIds } = this.#owner;
    this.#made += 1;
    const { partitionsPerBroker, replicationFactor } = config.topic;
    return createLoadTopic(kafka, {
      name: `${LOAD_TOPIC_PREFIX}${runId}-${Date.now().toString(36)}-${this.#made}`,
      brokerIds,
      partitionsPerBroker,
      replicationFactor: Math.min(replicationFactor, brokerIds.length),
      config: loadTopicConfig(config.topic.config),
      onName: (made) => store.recordTopic(runId, made),
    });
  }

  /** Why the topic cannot be measured any more; null also when the cluster does not tell, which is checked elsewhere. */
  async #troubleWith({ name }: LoadTopic): Promise<string | null> {
    const { kafka, brokerIds, config } = this.#owner;
    try {
      const { brokers, topics } = await kafka.metadata(METADATA_TIMEOUT_MS);
      // With a broker away, leaders are elsewhere for a while and come back with it.
      if (!brokerIds.every((id) => brokers.some((broker) => broker.id === id))) return null;
      const topic = topics.find((candidate) => candidate.name === name);
      if (topic === undefined) return `topic ${name} is gone`;
      const leaders = leadersByBroker(topic);
      const isEven = brokerIds.every((id) => leaders[id] === config.topic.partitionsPerBroker);
      return isEven ? null : `the leaders of topic ${name} have moved`;
    } catch {
      return null;
    }
  }

  #size(): string {
    return `up to ${formatBytes(Math.round(this.#owner.disks.topicBytes))} in the topic on each broker`;
  }
}

function stuckError(runId: string): PlimsollError {
  const text = `the run's topic takes the room of the next load: delete it, then go on with: plimsoll find --resume ${runId}`;
  return new PlimsollError('TOPIC_FAILED', text);
}

function noRoomError(
  { lacking, why }: Extract<RoomForLoad, { readonly kind: 'no room' }>,
  runId: string,
): PlimsollError {
  const goOn = `go on with: plimsoll find --resume ${runId}`;
  return lacking === 'disk'
    ? new PlimsollError('CLUSTER_AT_RISK', `${why}: no load is offered; free some space, then ${goOn}`)
    : new PlimsollError('CONFIG_INVALID', `${why}: no load is offered; ${goOn} --disk-budget MORE`);
}
