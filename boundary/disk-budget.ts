import { formatBytes } from './units.ts';

/**
 * Disks are budgeted by what may have been written, not by what retention should have deleted: brokers apply it only every
 * log.retention.check.interval.ms (5 min by default), and a trial writes more than most topics do in a day.
 */

/** A message costs at most about this beside its value, bytes: a batch of its own (61), and its record. */
const MESSAGE_OVERHEAD_BYTES = 100;

/** Brokers drop what retention allows after log.retention.check.interval.ms and file.delete.delay.ms at their defaults, s. */
const RETENTION_LAG_SECONDS = 300 + 60;

/** A deleted topic's files go after the brokers' log.segment.delete.delay.ms, 60 s by default; the topic's own does not count. */
const DELETE_DELAY_MS = 65_000;

/** A run may fill this share of what a broker's disk has free: others write too, and nobody knows how fast. */
const SHARE_OF_FREE = 0.8;

/** Where messages go. */
export interface MessagesOnDisk {
  readonly brokers: number;
  readonly replicationFactor: number;
  /** Key and headers of a message. */
  readonly bytesBesideValue: number;
}

/** Where a topic lies. */
export interface DiskShape extends MessagesOnDisk {
  /** What retention lets stay of the topic on each broker in the end, bytes. */
  readonly keptBytes: number;
}

/** The most that a search may ask of the disks: so long is its longest trial. */
export interface DiskCeiling {
  readonly budgetBytes: number;
  readonly seconds: number;
  readonly shape: MessagesOnDisk;
}

/** What may be on each broker's disk. */
export interface DiskLimits {
  /** Of this run, bytes. */
  readonly budgetBytes: number;
  /** Free now on the fullest disk, bytes; null when it cannot be seen. */
  readonly freeBytes: number | null;
}

/** What the run has put on each broker's disk, at most. JSON-safe; times on any one clock. */
export interface DiskUse {
  /** In the topic that is there, bytes. */
  readonly topicBytes: number;
  /** In deleted topics, whose files may still be there. */
  readonly dropped: readonly { readonly bytes: number; readonly atMs: number }[];
}

export const NOTHING_WRITTEN: DiskUse = { topicBytes: 0, dropped: [] };

/** Bytes that messages put on each broker's disk, at most: replicas included, nothing compressed. */
export function diskBytes(
  messages: number,
  messageBytes: number,
  { brokers, replicationFactor, bytesBesideValue }: MessagesOnDisk,
): number {
  const bytes = messageBytes + bytesBesideValue + MESSAGE_OVERHEAD_BYTES;
  return (messages * bytes * replicationFactor) / brokers;
}

/** Adds what a load has written in its time; what is more than retention lets stay is gone by itself, though late. */
export function withWritten(use: DiskUse, bytes: number, seconds: number, shape: DiskShape): DiskUse {
  const left = seconds > 0 ? Math.min(bytes, endlessBytes(bytes / seconds, shape)) : bytes;
  return { ...use, topicBytes: use.topicBytes + left };
}

/** The topic has been deleted: its files go later. */
export function withDropped({ topicBytes, dropped }: DiskUse, nowMs: number): DiskUse {
  const there = stillThere(dropped, nowMs);
  return { topicBytes: 0, dropped: topicBytes > 0 ? [...there, { bytes: topicBytes, atMs: nowMs }] : there };
}

/** A load that wants to run: what it writes at the least, and how fast at the most, on each broker. */
export interface DiskLoad {
  readonly leastBytes: number;
  readonly bytesPerSecond: number;
}

/** What such a load meets. */
export type DiskAnswer =
  /** It may write so much to each broker; without end when retention keeps up with it. */
  | { readonly kind: 'room'; readonly bytes: number }
  /** There is room when the topic has gone. */
  | { readonly kind: 'new topic' }
  /** Files of deleted topics are in the way until then. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** There never is; `why` is a phrase with the figures. */
  | { readonly kind: 'no room'; readonly lacking: 'budget' | 'disk'; readonly why: string };

/** Decides how a load fits on the disks. */
export function askForRoom(
  use: DiskUse,
  load: DiskLoad,
  shape: DiskShape,
  limits: DiskLimits,
  nowMs: number,
): DiskAnswer {
  const endless = endlessBytes(load.bytesPerSecond, shape);
  const needBytes = Math.min(load.leastBytes, endless);
  const there = stillThere(use.dropped, nowMs);
  const ownBytes = there.reduce((sum, { bytes }) => sum + bytes, use.topicBytes);
  const roomBytes = roomFor(ownBytes, limits);
  if (roomBytes >= needBytes) {
    return { kind: 'room', bytes: roomBytes >= endless ? Number.POSITIVE_INFINITY : roomBytes };
  }
  // What the run's own topics take comes back.
  const freeBytes = limits.freeBytes === null ? null : limits.freeBytes + ownBytes;
  const mostBytes = roomFor(0, { ...limits, freeBytes });
  if (mostBytes < needBytes || ownBytes === 0) return noRoom(needBytes, mostBytes, limits);
  if (use.topicBytes > 0) return { kind: 'new topic' };
  return { kind: 'wait', untilMs: Math.min(...there.map(({ atMs }) => atMs)) + DELETE_DELAY_MS };
}

function stillThere(dropped: DiskUse['dropped'], nowMs: number): DiskUse['dropped'] {
  return dropped.filter(({ atMs }) => atMs + DELETE_DELAY_MS > nowMs);
}

/** The most that a load at this pace ever has on a disk when it goes on and on, bytes. */
function endlessBytes(bytesPerSecond: number, { keptBytes }: DiskShape): number {
  return keptBytes + bytesPerSecond * RETENTION_LAG_SECONDS;
}

function roomFor(ownBytes: number, { budgetBytes, freeBytes }: DiskLimits): number {
  const room = budgetBytes - ownBytes;
  return Math.max(0, freeBytes === null ? room : Math.min(room, SHARE_OF_FREE * freeBytes));
}

function noRoom(needBytes: number, mostBytes: number, { budgetBytes }: DiskLimits): DiskAnswer {
  const [need, most] = [needBytes, mostBytes].map((bytes) => formatBytes(Math.round(bytes)));
  const lacking = mostBytes < budgetBytes ? 'disk' : 'budget';
  const limit =
    lacking === 'disk'
      ? `the fullest disk has room for ${most}`
      : `a run may keep ${most} there (topic.diskBudgetBytes)`;
  return { kind: 'no room', lacking, why: `the load writes ${need} to each broker at the least, ${limit}` };
}
