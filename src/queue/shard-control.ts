import type { Redis } from 'ioredis';
import type { Window } from '../../boundary/trial.ts';
import type { ShardJobData } from './load-job.ts';
import { REDIS_LOST_MS } from './redis-connection.ts';
import type { RedisKeys } from './redis-keys.ts';

/** What Redis says to a shard under way. */
export interface ShardOrders {
  readonly onStart: (startAtMs: number) => void;
  /** Called once, with the reason, and with the measured window when the trial came to its end. */
  readonly onStop: (reason: string, window: Window | null) => void;
}

/** Follows the keys of one trial for one shard. */
export interface ShardControl {
  /** Reads the keys now (called when the control channel speaks). */
  check(): void;
  close(): void;
}

interface RunKeys {
  readonly owner: string | null;
  readonly epoch: string | null;
  readonly start: string | null;
  readonly stop: string | null;
}

const POLL_MS = 500;
const OVER = 'its run is over or its owner is gone';

/** Why a job must not run: its run's owner is gone or has dispatched something newer. Null when it may run. */
export async function fenceReason(redis: Redis, keys: RedisKeys, job: ShardJobData): Promise<string | null> {
  const state = await readRunKeys(redis, keys, job);
  return isStale(state, job) || state.stop !== null ? `shard ${job.shard} was dropped: ${OVER}` : null;
}

/**
 * Watches for start and stop. The keys are the truth, read twice a second and whenever the channel speaks; a shard
 * also stops when its owner's heartbeat ends, or when Redis does not answer for 5 s.
 */
export function watchShard(
  redis: Redis,
  keys: RedisKeys,
  job: ShardJobData,
  orders: ShardOrders,
): ShardControl {
  let isStarted = false;
  let isStopped = false;
  let isReading = false;
  let answeredAtMs = performance.now();
  const stop = (reason: string, window: Window | null = null) => {
    if (isStopped) return;
    isStopped = true;
    orders.onStop(reason, window);
  };
  const obey = (state: RunKeys) => {
    answeredAtMs = performance.now();
    if (state.start !== null && !isStarted) {
      isStarted = true;
      orders.onStart(Number(state.start));
    }
    if (state.stop !== null) stop('stopped by the controller', JSON.parse(state.stop) as Window | null);
    else if (isStale(state, job)) stop(OVER);
  };
  const check = () => {
    if (performance.now() - answeredAtMs > REDIS_LOST_MS) stop('Redis was lost');
    if (isReading) return;
    isReading = true;
    readRunKeys(redis, keys, job)
      .then(obey, () => {})
      .finally(() => {
        isReading = false;
      });
  };
  const timer = setInterval(check, POLL_MS);
  return { check, close: () => clearInterval(timer) };
}

function isStale(state: RunKeys, job: ShardJobData): boolean {
  return state.owner === null || Number(state.epoch) !== job.epoch;
}

async function readRunKeys(redis: Redis, keys: RedisKeys, job: ShardJobData): Promise<RunKeys> {
  const { runId, epoch } = job;
  const names = [keys.owner(runId), keys.epoch(runId), keys.start(runId, epoch), keys.stop(runId, epoch)];
  const [owner = null, newest = null, start = null, stop = null] = await redis.mget(names);
  return { owner, epoch: newest, start, stop };
}
