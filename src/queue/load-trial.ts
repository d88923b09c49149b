import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { ShardReport } from '../../boundary/trial.ts';
import type { RunClock } from '../run-clock.ts';
import type { LoadJob, ShardOutcome, ShardProgress } from './load-job.ts';
import { guarded } from './redis-connection.ts';
import { type RedisKeys, RUN_KEY_TTL_MS } from './redis-keys.ts';
import { progressNote, type ShardJob, shardJobId } from './shard-job.ts';
import { goneWorkers } from './worker-registry.ts';

export type LostShard = Extract<ShardOutcome, { kind: 'lost' }>;

/** A trial under way. Each call may throw PlimsollError REDIS_LOST. */
export interface LoadTrial {
  /** Waits until the producers of every shard are connected. */
  whenReady(timeoutMs: number): Promise<'ready' | { readonly lost: readonly LostShard[] }>;
  /** Sets the common start, ms of the run clock. */
  start(startAtMs: number): Promise<void>;
  progress(): Promise<ShardProgress[]>;
  /** Tells every shard to stop sending and to drain. May be called again. */
  stop(): Promise<void>;
  /** Waits for every shard's report; a shard that is lost or late is a value, in order of the shards. */
  outcomes(timeoutMs: number): Promise<ShardOutcome[]>;
  /** Stops what runs and removes what waits, without waiting for reports. Never throws. */
  abandon(): Promise<void>;
}

export interface TrialLink {
  readonly redis: Redis;
  readonly keys: RedisKeys;
  readonly queue: Queue<LoadJob, ShardReport, string>;
  readonly clock: RunClock;
}

const POLL_MS = 100;
const KEEP = { age: 3_600, count: 200 };

/** Adds the jobs and returns the handle of their trial. @throws PlimsollError REDIS_LOST */
export async function dispatchTrial(link: TrialLink, jobs: readonly LoadJob[]): Promise<LoadTrial> {
  const first = jobs[0];
  if (!first) throw new Error('a trial needs at least one job');
  const { redis, keys, queue, clock } = link;
  const { runId, epoch } = first;
  await guarded(() => redis.set(keys.epoch(runId), epoch, 'PX', RUN_KEY_TTL_MS));
  await guarded(() =>
    queue.addBulk(
      jobs.map((job) => ({
        name: 'shard',
        data: job,
        opts: { jobId: shardJobId(job), attempts: 1, removeOnComplete: KEEP, removeOnFail: KEEP },
      })),
    ),
  );
  const dispatchedAtMs = clock.nowMs();
  const announce = (key: string, value: number) =>
    guarded(async () => {
      await redis.set(key, value, 'PX', RUN_KEY_TTL_MS);
      await redis.publish(keys.channel, runId);
    });
  const stop = () => announce(keys.stop(runId, epoch), 1);
  return {
    whenReady: (timeoutMs) => whenReady(link, jobs, timeoutMs),
    start: (startAtMs) => announce(keys.start(runId, epoch), startAtMs),
    progress: async () => {
      const states = await readShards(link, jobs);
      return states.map(({ job, note }) => ({
        shard: job.shard,
        phase: note?.phase ?? 'waiting',
        lastTick: note?.lastTick ?? null,
        silentMs: Math.max(0, clock.nowMs() - (note?.atMs ?? dispatchedAtMs)),
      }));
    },
    stop,
    outcomes: (timeoutMs) => waitForOutcomes(link, jobs, timeoutMs),
    abandon: async () => {
      await stop().catch(() => {});
      // An active job cannot be removed; its shard has just been told to stop.
      await Promise.all(jobs.map((job) => guarded(() => queue.remove(shardJobId(job))).catch(() => {})));
    },
  };
}

interface ShardState {
  readonly job: LoadJob;
  readonly note: ReturnType<typeof progressNote>;
  /** Null while the shard is under way. */
  readonly outcome: ShardOutcome | null;
}

/** Reads every job's state from Redis. Polled, since queue events that come before the listener are missed. */
async function readShards(link: TrialLink, jobs: readonly LoadJob[]): Promise<ShardState[]> {
  const entries = await guarded(() => Promise.all(jobs.map((job) => link.queue.getJob(shardJobId(job)))));
  const notes = entries.map((entry) => (entry ? progressNote(entry) : null));
  const workerIds = notes.flatMap((note) => (note ? [note.workerId] : []));
  const gone = await goneWorkers(link.redis, link.keys, [...new Set(workerIds)]);
  return jobs.map((job, index) => {
    const note = notes[index] ?? null;
    return { job, note, outcome: outcomeOf(job.shard, entries[index], note?.workerId ?? null, gone) };
  });
}

function outcomeOf(
  shard: number,
  entry: ShardJob | undefined,
  workerId: string | null,
  gone: ReadonlySet<string>,
): ShardOutcome | null {
  if (!entry) return { kind: 'lost', shard, reason: 'its job vanished from Redis' };
  if (entry.failedReason) return { kind: 'lost', shard, reason: entry.failedReason };
  if (entry.finishedOn && entry.returnvalue) return { kind: 'report', report: entry.returnvalue };
  if (workerId !== null && gone.has(workerId))
    return { kind: 'lost', shard, reason: `worker ${workerId} is gone` };
  return null;
}

async function whenReady(link: TrialLink, jobs: readonly LoadJob[], timeoutMs: number) {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const states = await readShards(link, jobs);
    const lost = states.flatMap(({ outcome }) => (outcome?.kind === 'lost' ? [outcome] : []));
    if (lost.length > 0) return { lost };
    const waiting = states.filter(({ note }) => (note?.phase ?? 'waiting') === 'waiting');
    if (waiting.length === 0) return 'ready' as const;
    if (performance.now() > deadline) return { lost: waiting.map((state) => lateShard(state, timeoutMs)) };
    await pause();
  }
}

function lateShard({ job, note }: ShardState, timeoutMs: number): LostShard {
  const seconds = timeoutMs / 1_000;
  const reason = note
    ? `its producers were not connected after ${seconds} s`
    : `no worker took it in ${seconds} s: are enough workers free?`;
  return { kind: 'lost', shard: job.shard, reason };
}

async function waitForOutcomes(
  link: TrialLink,
  jobs: readonly LoadJob[],
  timeoutMs: number,
): Promise<ShardOutcome[]> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const states = await readShards(link, jobs);
    const isOver = performance.now() > deadline;
    if (isOver || states.every(({ outcome }) => outcome !== null)) {
      const reason = `no report after ${timeoutMs / 1_000} s`;
      return states.map(({ job, outcome }) => outcome ?? { kind: 'lost', shard: job.shard, reason });
    }
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
