import type { Job } from 'bullmq';
import type { ShardReport, ShardTick } from '../../boundary/trial.ts';
import type { LoadJob, ShardProgress } from './load-job.ts';

/** What a worker writes to a job's progress, once a second and at every change of phase. */
export interface ProgressNote {
  readonly workerId: string;
  readonly phase: ShardProgress['phase'];
  readonly lastTick: ShardTick | null;
  /** Run clock. */
  readonly atMs: number;
}

export type ShardJob = Job<LoadJob, ShardReport, string>;

/** Id of a shard's job; unique over all runs. */
export function shardJobId(job: LoadJob): string {
  return `${job.runId}-${job.epoch}-${job.shard}`;
}

/** Reads a job's progress; null before the first note. */
export function progressNote(job: ShardJob): ProgressNote | null {
  const progress = job.progress;
  return typeof progress === 'object' && progress !== null && 'workerId' in progress
    ? (progress as unknown as ProgressNote)
    : null;
}
