import { Queue, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { RunClock } from '../run-clock.ts';
import type { FinishedShard, ShardJobData, ShardProgress, WorkerInfo } from './load-job.ts';
import { openRedisClock } from './redis-clock.ts';
import { guarded, openRedis, withinDeadline } from './redis-connection.ts';
import { type RedisKeys, redisKeys } from './redis-keys.ts';
import { fenceReason, type ShardControl, type ShardOrders, watchShard } from './shard-control.ts';
import type { ShardJob, ShardTicks } from './shard-job.ts';
import { beatWorker } from './worker-registry.ts';

/** What a worker's processor gets beside the job. */
export interface ShardLink {
  readonly clock: RunClock;
  /** Writes the job's progress; failures are left to the next one. */
  note(phase: ShardProgress['phase'], ticks: ShardTicks): void;
  /** Follows start and stop until `close`. */
  watch(orders: ShardOrders): ShardControl;
}

export interface WorkerLinkOptions {
  readonly redisUrl: string;
  readonly namespace: string;
  readonly info: WorkerInfo;
  /** Runs one shard. A rejection makes the shard lost, with the error's message as the reason. */
  readonly processShard: (job: ShardJobData, link: ShardLink) => Promise<FinishedShard>;
}

export interface WorkerLink {
  /** Takes no more jobs and lets go within 2 s. */
  close(): Promise<void>;
}

const CLOSE_MS = 2_000;
// A worker that dies is noticed by its heartbeat (4 s); these only let BullMQ tidy its job soon after.
const LOCK_MS = 10_000;
const STALLED_MS = 5_000;
const KEEP = { age: 3_600, count: 200 };

/** Connects a worker to the queue of load jobs. @throws PlimsollError REDIS_UNREACHABLE */
export async function connectWorker(options: WorkerLinkOptions): Promise<WorkerLink> {
  const { info } = options;
  const redis = await openRedis(options.redisUrl);
  const subscriber = await openRedis(options.redisUrl);
  const keys = redisKeys(options.namespace);
  const clock = await openRedisClock(redis);
  const watched = new Set<ShardControl>();
  const place: LinkPlace = { redis, keys, clock, watched };
  const queueName = keys.queueOf(info.workerId);
  subscriber.on('message', () => {
    for (const control of watched) control.check();
  });
  await guarded(() => subscriber.subscribe(keys.channel));
  const processJob = async (entry: ShardJob): Promise<FinishedShard> => {
    const job = entry.data;
    const reason = await guarded(() => fenceReason(redis, keys, job));
    if (reason) throw new Error(reason);
    await clock.resync();
    return options.processShard(job, shardLink(place, entry));
  };
  const worker = new Worker<ShardJobData, FinishedShard, string>(queueName, processJob, {
    connection: redis,
    prefix: keys.queuePrefix,
    // The controller decides what a worker runs at once: as many jobs of producers as it says, and readers beside them.
    concurrency: 2 * info.concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_MS,
    maxStalledCount: 0,
    removeOnComplete: KEEP,
    removeOnFail: KEEP,
    skipVersionCheck: true,
  });
  worker.on('error', () => {});
  await withinDeadline(worker.waitUntilReady(), CLOSE_MS);
  const endHeartbeat = await beatWorker(redis, keys, info);
  return {
    close: async () => {
      endHeartbeat();
      await withinDeadline(worker.close(true), CLOSE_MS);
      await withinDeadline(wipeQueue(redis, keys, queueName), CLOSE_MS);
      subscriber.disconnect();
      redis.disconnect();
    },
  };
}

interface LinkPlace {
  readonly redis: Redis;
  readonly keys: RedisKeys;
  readonly clock: RunClock;
  /** Controls that the control channel wakes. */
  readonly watched: Set<ShardControl>;
}

function shardLink(place: LinkPlace, entry: ShardJob): ShardLink {
  const { redis, keys, clock, watched } = place;
  return {
    clock,
    note: (phase, ticks) => {
      if (redis.status !== 'ready') return;
      entry.updateProgress({ phase, ...ticks, atMs: clock.nowMs() }).catch(() => {});
    },
    watch: (orders) => {
      const control = watchShard(redis, keys, entry.data, orders);
      watched.add(control);
      control.check();
      const close = () => {
        watched.delete(control);
        control.close();
      };
      return { check: control.check, close };
    },
  };
}

/** Nobody else takes a worker's jobs: without it they would stay in Redis for good. */
async function wipeQueue(redis: Redis, keys: RedisKeys, queueName: string): Promise<void> {
  if (redis.status !== 'ready') return;
  const queue = new Queue(queueName, { connection: redis, prefix: keys.queuePrefix, skipVersionCheck: true });
  queue.on('error', () => {});
  await queue.obliterate({ force: true });
  await queue.close();
}
