import { LatencySlices } from '../boundary/latency-slices.ts';
import { scheduleMs } from '../boundary/load-schedule.ts';
import type { ReaderReport, ReaderTick, Window } from '../boundary/trial.ts';
import { PlimsollError } from '../src/errors.ts';
import type { ReadJob } from '../src/queue/load-job.ts';
import type { ShardPlace } from './load-shard.ts';
import { machineNowMs } from './machine-clock.ts';
import { openMember, partitionsOf, type ReaderMember } from './reader-member.ts';
import { type GroupReader, type ReaderSampler, readerTickAt, startReaderSampler } from './reader-sampler.ts';
import { openTopicEnd, type TopicEnd } from './topic-end.ts';
import { type GroupEnd, unreadMessages, unreadOfWindow } from './unread-messages.ts';

/** How often the time is looked at, ms. */
const PASS_MS = 20;

/** After the stop, what was sent in the window may take this long to be read, ms. */
const LATE_READ_MS = 3_000;

/** The consumers of one job, reading. */
export interface ReaderShard {
  /** Counts from `startAtMs` (run clock) to the end of the schedule or the stop. */
  run(startAtMs: number, onTick: (tick: ReaderTick) => void): Promise<ReaderReport>;
  /** @param window what was measured; null when nothing was, and nothing more is read. */
  stop(window: Window | null): void;
}

/**
 * Connects all consumers of a job, lets them read and waits until every partition is being fetched. Where each of them
 * starts is fixed before the first message of the load, so that none is missed.
 *
 * @throws PlimsollError BROKER_UNREACHABLE, CONFIG_INVALID, TOPIC_FAILED
 */
export async function openReaders(job: ReadJob, place: ShardPlace): Promise<ReaderShard> {
  // Under the patience of the child, so that librdkafka's reason is told and not that time ran out.
  const connectTimeoutMs = Math.ceil(job.startTimeoutMs * 0.8);
  const deadlineMs = machineNowMs() + connectTimeoutMs;
  const { client, topic, partitions } = job;
  const end = await openTopicEnd({ client, topic, partitions, connectTimeoutMs });
  const edge = await end.edge(job.from);
  const errors: Record<string, number> = {};
  const latency: LatencyHook = { slices: null, fromMs: 0 };
  const nowRunMs = () => machineNowMs() + place.clockOffsetMs;
  const onRead = (timestampsMs: readonly number[]) => {
    const nowMs = nowRunMs();
    for (const timestampMs of timestampsMs) {
      // What a catch-up read finds is older than the load.
      if (timestampMs < latency.fromMs) continue;
      latency.slices?.record(timestampMs, Math.max(0, nowMs - timestampMs) * 1_000);
    }
  };
  const members = await Promise.all(
    job.members.map((member) => {
      const own = partitionsOf(member, partitions);
      const from = new Map(own.map((partition) => [partition, edge.get(partition) ?? 0]));
      const all = job.members.length;
      return openMember({ client, topic, member, members: all, from, connectTimeoutMs, onRead, errors });
    }),
  );
  await whenFetching(members, deadlineMs);
  end.start();
  const stopped: { order: { readonly window: Window | null } | null } = { order: null };
  const reading: Reading = {
    job,
    end,
    groups: groupsOf(members, end, edge),
    latency,
    clockOffsetMs: place.clockOffsetMs,
    stopOrder: () => stopped.order,
  };
  return {
    stop: (window) => {
      stopped.order ??= { window };
    },
    run: async (startAtMs, onTick) => {
      const told = await readLoad(reading, startAtMs, onTick);
      const { shard } = job;
      return { shard, workerId: place.workerId, members: members.length, ...told, errors };
    },
  };
}

/** Where consume latencies go; nowhere before the common start. */
interface LatencyHook {
  slices: LatencySlices | null;
  fromMs: number;
}

interface Reading {
  readonly job: ReadJob;
  readonly end: TopicEnd;
  readonly groups: readonly GroupReader[];
  readonly latency: LatencyHook;
  readonly clockOffsetMs: number;
  readonly stopOrder: () => { readonly window: Window | null } | null;
}

type Told = Pick<ReaderReport, 'startedLateMs' | 'ticks' | 'consumeLatency'>;

async function readLoad(
  reading: Reading,
  startAtMs: number,
  onTick: (tick: ReaderTick) => void,
): Promise<Told> {
  const { end, groups, latency, clockOffsetMs } = reading;
  const slices = new LatencySlices(startAtMs);
  latency.slices = slices;
  latency.fromMs = startAtMs;
  const startMachineMs = startAtMs - clockOffsetMs;
  const sampler = startReaderSampler(groups);
  const ticks: ReaderTick[] = [];
  const emit = (nowMs: number) => {
    for (let next = sampler.taken[ticks.length]; next; next = sampler.taken[ticks.length]) {
      const tick = readerTickAt(next, groups, { startAtMs, nowMs });
      if (!tick) return;
      ticks.push(tick);
      onTick(tick);
    }
  };
  const startedLateMs = await countBySchedule(reading, startMachineMs, sampler, emit);
  const window = reading.stopOrder()?.window ?? null;
  if (window) await readLate(reading, window, emit);
  end.stop();
  for (const { members } of groups) for (const member of members) member.end();
  // What is still not known of the topic's end will not be.
  emit(Number.POSITIVE_INFINITY);
  return { startedLateMs, ticks, ...consumeLatency(reading, slices, { window, ticks }) };
}

/** Looks at the time until the end of the schedule or the stop. Resolves with the lateness of the first look after the start. */
async function countBySchedule(
  { job, stopOrder }: Reading,
  startMachineMs: number,
  sampler: ReaderSampler,
  emit: (nowMs: number) => void,
): Promise<number> {
  const totalMs = scheduleMs(job.schedule);
  let startedLateMs: number | null = null;
  for (;;) {
    const nowMs = machineNowMs();
    const elapsedMs = nowMs - startMachineMs;
    if (elapsedMs >= 0) {
      startedLateMs ??= elapsedMs;
      sampler.sample(Math.min(elapsedMs, totalMs));
      emit(nowMs);
    }
    if (elapsedMs >= totalMs || stopOrder() !== null) return startedLateMs ?? 0;
    await pause();
  }
}

/** Reads on until every group has read what the topic held at the end of the window, and the ends are known up to there. */
async function readLate(reading: Reading, window: Window, emit: (nowMs: number) => void): Promise<void> {
  const deadlineMs = machineNowMs() + Math.min(LATE_READ_MS, reading.job.drainTimeoutMs);
  while (machineNowMs() < deadlineMs && unreadMessages(endsOf(reading, window)) !== 0) {
    emit(machineNowMs());
    await pause();
  }
}

/** How the groups stand now towards what there was to read at the end of the window. */
function endsOf({ groups, clockOffsetMs }: Reading, { endAtMs }: Window): GroupEnd[] {
  return groups.map(({ group, members, unread }) => ({
    group,
    there: unread.at(endAtMs - clockOffsetMs),
    consumed: members.reduce((sum, member) => sum + member.consumed, 0),
  }));
}

function consumeLatency(
  reading: Reading,
  slices: LatencySlices,
  { window, ticks }: { readonly window: Window | null; readonly ticks: readonly ReaderTick[] },
): Pick<ReaderReport, 'consumeLatency'> {
  const counts = window && slices.countsIn(window);
  const missing = window && unreadOfWindow(endsOf(reading, window), ticks, window);
  return counts && missing !== null ? { consumeLatency: { ...counts, missing } } : {};
}

function groupsOf(
  members: readonly ReaderMember[],
  end: TopicEnd,
  edge: ReadonlyMap<number, number>,
): GroupReader[] {
  return [...new Set(members.map(({ group }) => group))].map((group) => {
    const own = members.filter((member) => member.group === group);
    const partitions = own.flatMap((member) => member.partitions);
    const from = new Map(partitions.map((partition) => [partition, edge.get(partition) ?? 0]));
    return { group, members: own, unread: end.beyond(from) };
  });
}

/** @throws PlimsollError TOPIC_FAILED when some partition is not fetched in time. */
async function whenFetching(members: readonly ReaderMember[], deadlineMs: number): Promise<void> {
  while (!members.every(({ statistics }) => statistics?.isFetching)) {
    if (machineNowMs() > deadlineMs) {
      throw new PlimsollError(
        'TOPIC_FAILED',
        'some consumers do not fetch their partitions: are all leaders up?',
      );
    }
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PASS_MS));
}
