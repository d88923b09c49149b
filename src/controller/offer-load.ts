import type { LoadSchedule } from '../../boundary/load-schedule.ts';
import { splitProducers } from '../../boundary/shard-split.ts';
import { PlimsollError } from '../errors.ts';
import type { LoadTopic } from '../kafka/load-topic.ts';
import type { LoadJob } from '../queue/load-job.ts';
import type { LoadTrial } from '../queue/load-trial.ts';
import { abortable } from './abortable.ts';
import type { RunContext } from './run-context.ts';

/** Producers need about 20 ms each to connect; this is the longest that a slow cluster gets, ms. */
const READY_TIMEOUT_MS = 30_000;

/** After everybody is ready, the start still has to reach them, ms. */
const START_NOTICE_MS = 300;

export interface OfferedLoad {
  readonly trial: LoadTrial;
  readonly shards: number;
  /** Common start on the run's clock. */
  readonly startAtMs: number;
}

export interface LoadRequest {
  readonly topic: LoadTopic;
  readonly np: number;
  readonly messageBytes: number;
  readonly schedule: LoadSchedule;
}

/**
 * Puts a load on the cluster: one job per shard, wait until all producers are connected, then one start for all,
 * `startLeadMs` after the dispatch at the earliest.
 *
 * @returns the running load, or the reason why a shard could not join.
 * @throws PlimsollError WORKER_MISSING, REDIS_LOST
 */
export async function offerLoad(
  context: RunContext,
  request: LoadRequest,
): Promise<OfferedLoad | { readonly lost: string }> {
  const { queue, config } = context;
  const clock = queue.clock();
  const jobs = await planJobs(context, request);
  const dispatchedAtMs = clock.nowMs();
  const trial = await queue.dispatch(jobs);
  const ready = await abortable(trial.whenReady(READY_TIMEOUT_MS), context.signal).catch(
    async (error: unknown) => {
      await trial.abandon();
      throw error;
    },
  );
  if (ready !== 'ready') {
    await trial.abandon();
    return { lost: ready.lost.map((shard) => `shard ${shard.shard}: ${shard.reason}`).join('; ') };
  }
  const startAtMs = Math.max(dispatchedAtMs + config.trial.startLeadMs, clock.nowMs() + START_NOTICE_MS);
  await trial.start(startAtMs);
  return { trial, shards: jobs.length, startAtMs };
}

async function planJobs(context: RunContext, request: LoadRequest): Promise<LoadJob[]> {
  const { config, queue, runId } = context;
  const workers = await queue.workers();
  if (workers.length === 0) {
    throw new PlimsollError(
      'WORKER_MISSING',
      `no load worker is left; go on with: plimsoll find --resume ${runId} (it starts one when none has joined)`,
    );
  }
  const slots = workers.reduce((sum, worker) => sum + worker.concurrency, 0);
  const epoch = context.nextEpoch();
  return splitProducers(request.np, workers.length, slots).map((share) => ({
    runId,
    epoch,
    ...share,
    producersOfTrial: request.np,
    schedule: request.schedule,
    messageBytes: request.messageBytes,
    topic: request.topic.name,
    partitions: request.topic.partitions,
    client: { ...config.client, ...config.producer, 'bootstrap.servers': config.bootstrap.join(',') },
    startTimeoutMs: READY_TIMEOUT_MS + config.trial.startLeadMs,
    drainTimeoutMs: config.trial.drainTimeoutMs,
    seed: config.load.seed,
  }));
}

/** Longest time from the stop of a load to its last report, ms: shards drain, and are ended when they do not. */
export function reportDeadlineMs({ config }: RunContext): number {
  return config.trial.drainTimeoutMs + 10_000;
}
