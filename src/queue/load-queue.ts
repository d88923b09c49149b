import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { RunClock } from '../run-clock.ts';
import type { ShardJobData, WorkerInfo } from './load-job.ts';
import { dispatchTrial, type LoadTrial, type ShardQueue } from './load-trial.ts';
import { openRedisClock } from './redis-clock.ts';
import { guarded, openRedis, withinDeadline } from './redis-connection.ts';
import { HEARTBEAT_MS, OWNER_TTL_MS, type RedisKeys, redisKeys } from './redis-keys.ts';
import { beatIfConnected, goneWorkers, readWorkers } from './worker-registry.ts';

/** What `plimsoll doctor` and a run want to know about Redis. */
export interface RedisFacts {
  readonly version: string;
  /** `noeviction` is needed: any other policy may drop jobs. `unknown` when CONFIG is not allowed. */
  readonly maxmemoryPolicy: string;
}

/** The controller's side of the queue. Each call may throw PlimsollError REDIS_LOST. */
export interface LoadQueue {
  redisFacts(): Promise<RedisFacts>;
  clock(): RunClock;
  /** Sets the clock anew; call it between trials. @returns by how much the clock of Redis was set since, ms */
  resync(): Promise<number>;
  workers(): Promise<WorkerInfo[]>;
  /** Adds the jobs of one trial; each dispatch of a run has a higher epoch than the one before. */
  dispatch(jobs: readonly ShardJobData[]): Promise<LoadTrial>;
  /** Lets go within 2 s, whatever Redis does. The run's heartbeat ends, so leftovers are dropped by the workers. */
  close(): Promise<void>;
}

const CLOSE_MS = 2_000;

/**
 * Connects a controller to Redis.
 * @param options.namespace keeps several installations on one Redis apart.
 * @throws PlimsollError REDIS_UNREACHABLE
 */
export async function connectQueue(
  redisUrl: string,
  options: { readonly namespace: string },
): Promise<LoadQueue> {
  const redis = await openRedis(redisUrl);
  const keys = redisKeys(options.namespace);
  const queues = new Map<string, ShardQueue>();
  const queueOf = (workerId: string): ShardQueue => {
    const known = queues.get(workerId);
    if (known) return known;
    const queue: ShardQueue = new Queue(keys.queueOf(workerId), {
      connection: redis,
      prefix: keys.queuePrefix,
      skipVersionCheck: true,
    });
    queue.on('error', () => {});
    queues.set(workerId, queue);
    return queue;
  };
  const clock = await openRedisClock(redis);
  const ownedRuns = new Set<string>();
  const beat = (runId: string) => redis.set(keys.owner(runId), String(process.pid), 'PX', OWNER_TTL_MS);
  const heartbeat = setInterval(() => {
    for (const runId of ownedRuns) beatIfConnected(redis, () => beat(runId));
  }, HEARTBEAT_MS);
  return {
    redisFacts: () => readRedisFacts(redis),
    clock: () => clock,
    resync: () => clock.resync(),
    workers: () => readWorkers(redis, keys),
    dispatch: async (jobs) => {
      for (const runId of new Set(jobs.map((job) => job.runId))) {
        ownedRuns.add(runId);
        await guarded(() => beat(runId));
      }
      return dispatchTrial({ redis, keys, queueOf, clock }, jobs);
    },
    close: async () => {
      clearInterval(heartbeat);
      const owners = [...ownedRuns].map((runId) => keys.owner(runId));
      const farewell = async () => {
        if (redis.status === 'ready' && owners.length > 0) await redis.del(owners);
        await closeQueues(redis, keys, queues);
      };
      await withinDeadline(farewell(), CLOSE_MS);
      redis.disconnect();
    },
  };
}

/** Lets go of the queues; those of workers that are gone for good are wiped, for nobody else would. */
async function closeQueues(
  redis: Redis,
  keys: RedisKeys,
  queues: ReadonlyMap<string, ShardQueue>,
): Promise<void> {
  const gone = redis.status === 'ready' ? await goneWorkers(redis, keys, [...queues.keys()]) : new Set();
  const close = async ([workerId, queue]: [string, ShardQueue]) => {
    if (gone.has(workerId)) await queue.obliterate({ force: true });
    await queue.close();
  };
  await Promise.all([...queues].map(close));
}

async function readRedisFacts(redis: Redis): Promise<RedisFacts> {
  const info = await guarded(() => redis.info());
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  return {
    version: field('redis_version') ?? 'unknown',
    maxmemoryPolicy: field('maxmemory_policy') ?? 'unknown',
  };
}
