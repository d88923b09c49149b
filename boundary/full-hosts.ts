import { median, ticksInWindow } from './delivery.ts';
import type { ShardReport, Window } from './trial.ts';

/** Less than this of a machine's cores idle is no CPU left. */
const FULL_RATIO = 0.05;

/** A machine of a load worker that had no CPU left for most of a window. */
export interface FullHost {
  readonly workerId: string;
  /** Usual share of its cores that was idle, 0..1. */
  readonly idleRatio: number;
}

/**
 * Workers whose machines had no CPU left. What runs beside them, brokers too, was short of it as well; machines that do
 * not tell are left out.
 */
export function fullHosts(shards: readonly ShardReport[], window: Window): FullHost[] {
  const found = new Map<string, number>();
  for (const { workerId, ticks } of shards) {
    const idleRatio = median(ticksInWindow(ticks, window).flatMap((tick) => tick.hostIdleRatio ?? []));
    if (idleRatio !== null && idleRatio < FULL_RATIO) found.set(workerId, idleRatio);
  }
  return [...found].map(([workerId, idleRatio]) => ({ workerId, idleRatio }));
}
