import type { ReaderTick, ShardTick, Window } from '../boundary/trial.ts';
import type { FinishedShard, ShardJobData } from '../src/queue/load-job.ts';

/** From the worker to its load child. */
export type ToChild =
  | {
      readonly kind: 'job';
      readonly job: ShardJobData;
      readonly workerId: string;
      /** Run clock minus this machine's monotonic clock (process.hrtime, shared by all its processes), ms. */
      readonly clockOffsetMs: number;
    }
  | { readonly kind: 'start'; readonly startAtMs: number }
  /** With the window that was measured; null when there is none. */
  | { readonly kind: 'stop'; readonly window: Window | null };

/** From the load child to its worker; its report is the last one. */
export type FromChild =
  | { readonly kind: 'warm' }
  | { readonly kind: 'ready' }
  | ShardNews
  | FinishedShard
  | { readonly kind: 'failed'; readonly reason: string };

/** What a shard under way tells, once a second. */
export type ShardNews =
  | { readonly kind: 'tick'; readonly tick: ShardTick; readonly phase: 'sending' | 'draining' }
  | { readonly kind: 'read'; readonly tick: ReaderTick };
