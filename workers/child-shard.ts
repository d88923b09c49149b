import type { Window } from '../boundary/trial.ts';
import type { FinishedShard, ShardJobData } from '../src/queue/load-job.ts';
import type { ShardNews } from './child-messages.ts';
import { openShard, type ShardPlace } from './load-shard.ts';
import { openReaders } from './reader-shard.ts';

/** A job of either kind in its child process, everything connected. */
export interface ChildShard {
  /** Sends or reads by the schedule from `startAtMs` (run clock) on; resolves with the report after stop and drain. */
  run(startAtMs: number, tell: (news: ShardNews) => void): Promise<FinishedShard>;
  /** Ends now; what is under way still counts. @param window what was measured; null when nothing was. */
  stop(window: Window | null): void;
}

/** Connects all producers or consumers of a job. @throws PlimsollError BROKER_UNREACHABLE, CONFIG_INVALID */
export async function openChildShard(job: ShardJobData, place: ShardPlace): Promise<ChildShard> {
  switch (job.kind) {
    case 'produce': {
      const shard = await openShard(job, place);
      return {
        stop: (window) => shard.stop(window),
        run: async (startAtMs, tell) => {
          const report = await shard.run(startAtMs, (tick, phase) => tell({ kind: 'tick', tick, phase }));
          return { kind: 'report', report };
        },
      };
    }
    case 'consume': {
      const readers = await openReaders(job, place);
      return {
        stop: (window) => readers.stop(window),
        run: async (startAtMs, tell) => {
          const report = await readers.run(startAtMs, (tick) => tell({ kind: 'read', tick }));
          return { kind: 'readers', report };
        },
      };
    }
  }
}
