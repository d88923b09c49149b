import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Window } from '../../boundary/trial.ts';
import type { RunClock } from '../run-clock.ts';
import type { FinishedShard, ShardJobData, ShardOutcome, ShardProgress } from './load-job.ts';
import { guarded } from './redis-connection.ts';
import { type RedisKeys, RUN_KEY_TTL_MS } from './redis-keys.ts';
import { NO_TICKS, progressNote, type ShardJob, shardJobId } from './shard-job.ts';
import { goneWorkers } from './worker-registry.ts';

export type LostShard = Extract<ShardOutcome, { kind: 'lost' }>;

/** A trial under way. Each call may throw PlimsollError REDIS_LOST. */
export interface LoadTrial {
  /** Waits until the producers and consumers of every shard are connected. */
  whenReady(timeoutMs: number): Promise<'ready' | { readonly lost: readonly LostShard[] }>;
  /** Sets the common start, ms of the run clock. */
  start(startAtMs: number): Promise<void>;
  progress(): Promise<ShardProgress[]>;
  /**
   * Tells every shard to stop sending and to drain. May be called again.
   * @param window what was measured, of which each shard then tells its latencies; null when nothing was.
   */
  stop(window: Window | null): Promise<void>;
  /** Waits for every shard's report; a shard that is lost or late is a value, in order of the shards. */
  outcomes(timeoutMs: number): Promise<ShardOutcome[]>;
  /** Stops what runs and removes what waits, without waiting for reports. Never throws. */
  abandon(): Promise<void>;
}

/** Jobs of one worker. */
export type ShardQueue = Queue<ShardJobData, FinishedShard, string>;

export interface TrialLink {
  readonly redis: Redis;
  readonly keys: RedisKeys;
  readonly queueOf: (workerId: string) => ShardQueue;
  readonly clock: RunClock;
}

const POLL_MS = 100;
const KEEP = { age: 3_600, count: 200 };

/** Adds the jobs and returns the handle of their trial. @throws PlimsollError REDIS_LOST */
export async function dispatchTrial(link: TrialLink, jobs: readonly ShardJobData[]): Promise<LoadTrial> {
  const first = jobs[0];
  if (!first) throw new Error('a trial needs at least one job');
  const { redis, keys, clock } = link;
  const { runId, epoch } = first;
  await guarded(() => redis.set(keys.epoch(runId), epoch, 'PX', RUN_KEY_TTL_MS));
  await guarded(() => Promise.all(jobs.map((job) => addJob(link, job))));
  const dispatchedAtMs = clock.nowMs();
  const announce = (key: string, value: number | string) =>
    guarded(async () => {
      await redis.set(key, value, 'PX', RUN_KEY_TTL_MS);
      await redis.publish(keys.channel, runId);
    });
  const stop = (window: Window | null) => announce(keys.stop(runId, epoch), JSON.stringify(window));
  return {
    whenReady: (timeoutMs) => whenReady(link, jobs, timeoutMs),
    start: (startAtMs) => announce(keys.start(runId, epoch), startAtMs),
    progress: async () => {
      const states = await readShards(link, jobs);
      return states.map(({ job, note }) => {
        const { phase, lastTick, lastRead, atMs } = note ?? {
          phase: 'waiting',
          ...NO_TICKS,
          atMs: dispatchedAtMs,
        };
        const silentMs = Math.max(0, clock.nowMs() - atMs);
        return { shard: job.shard, kind: job.kind, phase, lastTick, lastRead, silentMs };
      });
    },
    stop,
    outcomes: (timeoutMs) => waitForOutcomes(link, jobs, timeoutMs),
    abandon: async () => {
      await stop(null).catch(() => {});
      // An active job cannot be removed; its shard has just been told to stop.
      await Promise.all(jobs.map((job) => guarded(() => removeJob(link, job)).catch(() => {})));
    },
  };
}

function addJob({ queueOf }: TrialLink, job: ShardJobData): Promise<unknown> {
  const options = { jobId: shardJobId(job), attempts: 1, removeOnComplete: KEEP, removeOnFail: KEEP };
  return queueOf(job.workerId).add('shard', job, options);
}

function removeJob({ queueOf }: TrialLink, job: ShardJobData): Promise<unknown> {
  return queueOf(job.workerId).remove(shardJobId(job));
}

interface ShardState {
  readonly job: ShardJobData;
  readonly note: ReturnType<typeof progressNote>;
  /** Null while the shard is under way. */
  readonly outcome: ShardOutcome | null;
}

/** Reads every job's state from Redis. Polled, since queue events that come before the listener are missed. */
async function readShards(link: TrialLink, jobs: readonly ShardJobData[]): Promise<ShardState[]> {
  const read = (job: ShardJobData) => link.queueOf(job.workerId).getJob(shardJobId(job));
  const entries = await guarded(() => Promise.all(jobs.map(read)));
  const workerIds = new Set(jobs.map(({ workerId }) => workerId));
  const gone = await goneWorkers(link.redis, link.keys, [...workerIds]);
  return jobs.map((job, index) => {
    const entry = entries[index];
    return { job, note: entry ? progressNote(entry) : null, outcome: outcomeOf(job, entry, gone) };
  });
}

function outcomeOf(
  { shard, workerId }: ShardJobData,
  entry: ShardJob | undefined,
  gone: ReadonlySet<string>,
): ShardOutcome | null {
  if (entry?.failedReason) return { kind: 'lost', shard, reason: entry.failedReason };
  if (entry?.finishedOn && entry.returnvalue) return entry.returnvalue;
  if (gone.has(workerId)) return { kind: 'lost', shard, reason: `worker ${workerId} is gone` };
  return entry ? null : { kind: 'lost', shard, reason: 'its job vanished from Redis' };
}

async function whenReady(link: TrialLink, jobs: readonly ShardJobData[], timeoutMs: number) {
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
  const clients = job.kind === 'produce' ? 'producers were not connected' : 'consumers were not reading';
  const reason = note
    ? `its ${clients} after ${seconds} s`
    : `worker ${job.workerId} did not take it in ${seconds} s: is it busy with other jobs?`;
  return { kind: 'lost', shard: job.shard, reason };
}

async function waitForOutcomes(
  link: TrialLink,
  jobs: readonly ShardJobData[],
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
