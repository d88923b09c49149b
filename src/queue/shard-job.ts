import type { Job } from 'bullmq';
import type { FinishedShard, ShardJobData, ShardProgress } from './load-job.ts';

/** The newest ticks of a shard; null before the first, and for what its kind does not do. */
export type ShardTicks = Pick<ShardProgress, 'lastTick' | 'lastRead'>;

export const NO_TICKS: ShardTicks = { lastTick: null, lastRead: null };

/** What a worker writes to a job's progress, once a second and at every change of phase. */
export interface ProgressNote extends ShardTicks {
  readonly phase: ShardProgress['phase'];
  /** Run clock. */
  readonly atMs: number;
}

export type ShardJob = Job<ShardJobData, FinishedShard, string>;

/** Id of a shard's job; unique over all runs. */
export function shardJobId(job: ShardJobData): string {
  return `${job.runId}-${job.epoch}-${job.shard}`;
}

/** Reads a job's progress; null before the first note. */
export function progressNote(job: ShardJob): ProgressNote | null {
  const progress = job.progress;
  return typeof progress === 'object' && progress !== null && 'phase' in progress
    ? (progress as unknown as ProgressNote)
    : null;
}
