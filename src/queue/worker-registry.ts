import type { Redis } from 'ioredis';
import type { WorkerInfo } from './load-job.ts';
import { guarded } from './redis-connection.ts';
import { HEARTBEAT_MS, type RedisKeys, WORKER_TTL_MS } from './redis-keys.ts';

/** Workers whose heartbeat is fresh, by id. @throws PlimsollError REDIS_LOST */
export async function readWorkers(redis: Redis, keys: RedisKeys): Promise<WorkerInfo[]> {
  return guarded(async () => {
    const names: string[] = [];
    let cursor = '0';
    do {
      const [next, found] = await redis.scan(cursor, 'MATCH', keys.workerPattern, 'COUNT', 500);
      names.push(...found);
      cursor = next;
    } while (cursor !== '0');
    const unique = [...new Set(names)].sort();
    const values = unique.length > 0 ? await redis.mget(unique) : [];
    return values
      .filter((value): value is string => value !== null)
      .map((value) => JSON.parse(value) as WorkerInfo);
  });
}

/** Which of these workers have no heartbeat any more. @throws PlimsollError REDIS_LOST */
export async function goneWorkers(
  redis: Redis,
  keys: RedisKeys,
  workerIds: readonly string[],
): Promise<Set<string>> {
  if (workerIds.length === 0) return new Set();
  const values = await guarded(() => redis.mget(workerIds.map((id) => keys.worker(id))));
  return new Set(workerIds.filter((_, index) => values[index] === null));
}

/** Keeps a worker's heartbeat key alive until the returned function is called, which removes it. */
export async function beatWorker(redis: Redis, keys: RedisKeys, info: WorkerInfo): Promise<() => void> {
  const key = keys.worker(info.workerId);
  const beat = () => redis.set(key, JSON.stringify(info), 'PX', WORKER_TTL_MS);
  await guarded(beat);
  const timer = setInterval(() => beatIfConnected(redis, beat), HEARTBEAT_MS);
  return () => {
    clearInterval(timer);
    beatIfConnected(redis, () => redis.del(key));
  };
}

/** Beats only over a live connection: beats kept for later would revive a key with an old life. */
export function beatIfConnected(redis: Redis, beat: () => Promise<unknown>): void {
  if (redis.status === 'ready') beat().catch(() => {});
}
