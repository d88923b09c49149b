import {
  askForRoom,
  type DiskAnswer,
  type DiskCeiling,
  type DiskShape,
  type DiskUse,
  diskBytes,
  NOTHING_WRITTEN,
  withDropped,
  withWritten,
} from '../../boundary/disk-budget.ts';
import { bytesBesideValue } from '../../boundary/payload/largest-message.ts';
import type { MessageRecipe } from '../../boundary/payload/message-recipe.ts';
import type { Config } from '../config/schema.ts';
import { aroundWindowMs } from './load-room.ts';
import { keptBytesPerPartition } from './load-topic-config.ts';
import type { RunContext } from './run-context.ts';
import { searchConfigOf } from './search-config.ts';
import { fittedWindowMs } from './signal-timing.ts';

/** A load before it is offered. */
export interface PlannedLoad {
  readonly messageBytes: number;
  /** Most that is offered at any time, messages per second. */
  readonly messagesPerSecond: number;
  /** With fewer messages than this it is not worth offering. */
  readonly leastMessages: number;
}

/** What has been written, at most. */
export interface WrittenLoad {
  readonly messageBytes: number;
  readonly messages: number;
  readonly seconds: number;
}

/** How a planned load fits: room is counted in its messages. */
export type RoomForLoad =
  | Exclude<DiskAnswer, { readonly kind: 'room' }>
  | { readonly kind: 'room'; readonly messages: number };

/** Free space of the brokers' disks. */
export interface BrokerDisks {
  /** Of the fullest one, bytes; null when nobody tells. */
  leastFreeBytes(): Promise<number | null>;
}

/** Nobody tells what is free: the budget alone holds. */
export const UNSEEN_DISKS: BrokerDisks = { leastFreeBytes: async () => null };

/** Keeps account of what a run has on the brokers' disks, and says whether a load still fits. */
export class DiskGuard {
  readonly #shape: DiskShape;
  readonly #budgetBytes: number;
  readonly #disks: BrokerDisks;
  #use: DiskUse = NOTHING_WRITTEN;

  constructor(shape: DiskShape, budgetBytes: number, disks: BrokerDisks) {
    this.#shape = shape;
    this.#budgetBytes = budgetBytes;
    this.#disks = disks;
  }

  /** What the run's topic holds on each broker's disk, bytes at most. */
  get topicBytes(): number {
    return this.#use.topicBytes;
  }

  async roomFor({ messageBytes, messagesPerSecond, leastMessages }: PlannedLoad): Promise<RoomForLoad> {
    const bytesOf = (messages: number) => diskBytes(messages, messageBytes, this.#shape);
    const load = { bytesPerSecond: bytesOf(messagesPerSecond), leastBytes: bytesOf(leastMessages) };
    const limits = { budgetBytes: this.#budgetBytes, freeBytes: await this.#disks.leastFreeBytes() };
    const answer = askForRoom(this.#use, load, this.#shape, limits, performance.now());
    return answer.kind === 'room' ? { kind: 'room', messages: answer.bytes / bytesOf(1) } : answer;
  }

  wrote({ messageBytes, messages, seconds }: WrittenLoad): void {
    this.#use = withWritten(this.#use, diskBytes(messages, messageBytes, this.#shape), seconds, this.#shape);
  }

  /** The topic was deleted. */
  dropped(): void {
    this.#use = withDropped(this.#use, performance.now());
  }
}

/** What retention lets stay of a run's topic on each broker in the end, bytes. */
export function keptBytes(topic: Config['topic'], brokers: number): number {
  const replicas = topic.partitionsPerBroker * Math.min(topic.replicationFactor, brokers);
  return replicas * keptBytesPerPartition(topic.config);
}

/** A search offers whole producers: a little more than the load that it means. */
const ROUNDING = 1.05;

/** How a run's topic lies on its brokers. */
export function diskShape(
  topic: Config['topic'],
  brokers: number,
  messages: Pick<MessageRecipe, 'keys' | 'headers'>,
): DiskShape {
  const replicationFactor = Math.min(topic.replicationFactor, brokers);
  return {
    brokers,
    replicationFactor,
    bytesBesideValue: bytesBesideValue(messages),
    keptBytes: keptBytes(topic, brokers),
  };
}

/** The most that a search may ask of the disks: its longest trial, holds apart, must fit into an empty budget. */
export function diskCeiling({
  config,
  messages,
  brokerIds,
  timing,
}: Pick<RunContext, 'config' | 'messages' | 'brokerIds' | 'timing'>): DiskCeiling {
  const { warmUpMs, windowMs, isrHoldMs } = searchConfigOf(config);
  const longestMs = fittedWindowMs(Math.max(windowMs, isrHoldMs), timing);
  const seconds = (ROUNDING * (aroundWindowMs(warmUpMs, timing) + longestMs)) / 1_000;
  const { keptBytes: _, ...shape } = diskShape(config.topic, brokerIds.length, messages);
  return { budgetBytes: config.topic.diskBudgetBytes, seconds, shape };
}
