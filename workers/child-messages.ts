import type { ShardReport, ShardTick } from '../boundary/trial.ts';
import type { LoadJob } from '../src/queue/load-job.ts';

/** From the worker to its load child. */
export type ToChild =
  | {
      readonly kind: 'job';
      readonly job: LoadJob;
      readonly workerId: string;
      /** Run clock minus this machine's monotonic clock (process.hrtime, shared by all its processes), ms. */
      readonly clockOffsetMs: number;
    }
  | { readonly kind: 'start'; readonly startAtMs: number }
  | { readonly kind: 'stop' };

/** From the load child to its worker. */
export type FromChild =
  | { readonly kind: 'warm' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'tick'; readonly tick: ShardTick; readonly phase: 'sending' | 'draining' }
  | { readonly kind: 'report'; readonly report: ShardReport }
  | { readonly kind: 'failed'; readonly reason: string };
