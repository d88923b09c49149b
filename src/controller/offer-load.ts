import type { LoadSchedule } from '../../boundary/load-schedule.ts';
import { placeReaders } from '../../boundary/reader-split.ts';
import { placeProducers } from '../../boundary/shard-split.ts';
import { timedProducers } from '../../boundary/timed-producers.ts';
import { PlimsollError } from '../errors.ts';
import type { LoadTopic } from '../kafka/load-topic.ts';
import type { LoadJob, ReadJob, ShardJobData } from '../queue/load-job.ts';
import type { LoadTrial } from '../queue/load-trial.ts';
import { fleetOf } from '../queue/worker-fleet.ts';
import { abortable } from './abortable.ts';
import type { RunContext } from './run-context.ts';

/** Producers need about 20 ms each to connect; this is the longest that a slow cluster gets, ms. */
const READY_TIMEOUT_MS = 30_000;

/** After everybody is ready, the start still has to reach them, ms. */
const START_NOTICE_MS = 300;

export interface OfferedLoad {
  readonly trial: LoadTrial;
  /** Jobs of producers, and of consumers. */
  readonly shards: number;
  readonly readers: number;
  /** Common start on the run's clock. */
  readonly startAtMs: number;
}

export interface LoadRequest {
  readonly topic: LoadTopic;
  readonly np: number;
  readonly messageBytes: number;
  readonly schedule: LoadSchedule;
  /** Whether some of the producers tell the latency of their messages. */
  readonly isTimed: boolean;
}

/**
 * Puts a load on the cluster: one job per shard of producers or consumers, wait until all of them are connected, then one
 * start for all, `startLeadMs` after the dispatch at the earliest.
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
  const readers = jobs.filter(({ kind }) => kind === 'consume').length;
  return { trial, shards: jobs.length - readers, readers, startAtMs };
}

/** The jobs of producers first, then those of consumers. */
async function planJobs(context: RunContext, request: LoadRequest): Promise<ShardJobData[]> {
  const { queue, runId } = context;
  const workers = await queue.workers();
  if (workers.length === 0) {
    throw new PlimsollError(
      'WORKER_MISSING',
      `no load worker is left; go on with: plimsoll find --resume ${runId} (it starts one when none has joined)`,
    );
  }
  const plan: JobPlan = {
    context,
    request,
    fleet: fleetOf(workers),
    epoch: context.nextEpoch(),
    unitRate: Math.max(...request.schedule.map((step) => step.unitRate)),
  };
  const producing = produceJobs(plan);
  return [...producing, ...readJobs(plan, producing.length)];
}

interface JobPlan {
  readonly context: RunContext;
  readonly request: LoadRequest;
  readonly fleet: ReturnType<typeof fleetOf>;
  readonly epoch: number;
  /** Highest of the schedule, messages per second of one producer. */
  readonly unitRate: number;
}

function produceJobs(plan: JobPlan): LoadJob[] {
  const { context, request, unitRate } = plan;
  const { np, messageBytes } = request;
  const { config, messages } = context;
  const shares = placeProducers({ np, unitRate, messageBytes }, plan.fleet);
  const counts = shares.map(({ producers }) => producers);
  const timed = request.isTimed ? timedProducers(counts, unitRate) : [];
  return shares.map((share, index) => ({
    kind: 'produce',
    ...orderOf(plan, config.producer),
    ...share,
    producersOfTrial: np,
    messageBytes,
    messages,
    timedProducers: timed[index] ?? 0,
    seed: config.load.seed,
  }));
}

/** @param firstShard number of the first job. */
function readJobs(plan: JobPlan, firstShard: number): ReadJob[] {
  const { context, request, fleet, unitRate } = plan;
  const { consumers, consumer } = context.config;
  const groups = Array.from({ length: consumers.groups }, (_, i) => groupId(context.runId, i + 1));
  const load = {
    groups,
    membersOfGroup: consumers.members,
    partitions: request.topic.partitions,
    messagesPerSecond: request.np * unitRate,
    messageBytes: request.messageBytes,
  };
  return placeReaders(load, fleet).map((share, index) => ({
    kind: 'consume',
    ...orderOf(plan, consumer),
    ...share,
    shard: firstShard + index,
    from: consumers.from,
  }));
}

/** The same at every trial: with the topic, the brokers forget its offsets too. */
function groupId(runId: string, group: number): string {
  return `plimsoll-${runId}-group-${group}`;
}

function orderOf({ context, request, epoch }: JobPlan, settings: LoadJob['client']) {
  const { config, runId } = context;
  return {
    runId,
    epoch,
    schedule: request.schedule,
    topic: request.topic.name,
    partitions: request.topic.partitions,
    client: { ...config.client, ...settings, 'bootstrap.servers': config.bootstrap.join(',') },
    startTimeoutMs: READY_TIMEOUT_MS + config.trial.startLeadMs,
    drainTimeoutMs: config.trial.drainTimeoutMs,
  };
}

/** Longest time from the stop of a load to its last report, ms: shards drain, and are ended when they do not. */
export function reportDeadlineMs({ config }: RunContext): number {
  return config.trial.drainTimeoutMs + 10_000;
}
