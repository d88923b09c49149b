/** Names of everything Plimsoll keeps in Redis, below one namespace. */
export interface RedisKeys {
  /** Name of the BullMQ queue of a worker's jobs. */
  queueOf(workerId: string): string;
  readonly queuePrefix: string;
  /** Heartbeat of a worker: WorkerInfo as JSON. */
  worker(workerId: string): string;
  readonly workerPattern: string;
  /** Heartbeat of the process that dispatches a run. */
  owner(runId: string): string;
  /** Newest epoch of a run. */
  epoch(runId: string): string;
  /** Common start of a trial, ms of the run clock. */
  start(runId: string, epoch: number): string;
  /** Present when a trial is to stop: the measured window as JSON, `null` when there is none. */
  stop(runId: string, epoch: number): string;
  /** Channel that says "read the keys of this run now". */
  readonly channel: string;
}

export function redisKeys(namespace: string): RedisKeys {
  const top = `plimsoll:${namespace}`;
  return {
    queueOf: (workerId) => `load-${workerId}`,
    queuePrefix: `plimsoll-${namespace}`,
    worker: (workerId) => `${top}:worker:${workerId}`,
    workerPattern: `${top}:worker:*`,
    owner: (runId) => `${top}:run:${runId}:owner`,
    epoch: (runId) => `${top}:run:${runId}:epoch`,
    start: (runId, epoch) => `${top}:run:${runId}:${epoch}:start`,
    stop: (runId, epoch) => `${top}:run:${runId}:${epoch}:stop`,
    channel: `${top}:control`,
  };
}

/** Lifetimes of keys, ms. */
export const WORKER_TTL_MS = 4_000;
export const OWNER_TTL_MS = 5_000;
export const HEARTBEAT_MS = 1_000;
/** Start, stop and epoch outlive any trial and do not stay for ever. */
export const RUN_KEY_TTL_MS = 24 * 3_600_000;
