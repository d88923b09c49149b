import { countInWindow, ticksInWindow } from './delivery.ts';
import type { ShardReport, Window } from './trial.ts';
import type { Thresholds } from './verdict.ts';

/** A client queue that holds less than this much of the offered rate is near empty: the brokers keep up, seconds. */
const NEAR_EMPTY_SECONDS = 0.25;

/** A child at this CPU runs its one JavaScript thread flat out, cores. */
const CPU_CEILING_CORES = 0.95;

/** An event loop that stalls this long cannot keep a pace, ms. */
const LOOP_LAG_CEILING_MS = 250;

/** Later than this, and in more than this share of the seconds, the pace was not the planned one. */
const PACER_LATE_MS = 250;
const PACER_LATE_SHARE = 0.1;

/**
 * Whether a shard was itself the limit: it handed over less than was asked, or late, while its own queues were near
 * empty or its own CPU or event loop at the ceiling. A full queue with a free CPU points at the brokers instead.
 *
 * @returns what it lacked, one phrase; null when the shard kept its pace or was held back by the brokers.
 */
export function shardShortfall(shard: ShardReport, window: Window, thresholds: Thresholds): string | null {
  const ticks = ticksInWindow(shard.ticks, window);
  if (ticks.length === 0) return 'no ticks in the window';
  const offered = countInWindow(shard.ticks, 'offered', window);
  const accepted = countInWindow(shard.ticks, 'accepted', window);
  const lateShare = ticks.filter((tick) => tick.pacerLateMs > PACER_LATE_MS).length / ticks.length;
  const isShort = accepted < thresholds.deliveryRatio * offered;
  const isLate = lateShare > PACER_LATE_SHARE;
  if (!isShort && !isLate) return null;
  const cause = ownCause(ticks, offered / ((window.endAtMs - window.startAtMs) / 1_000));
  if (!cause) return null;
  const kept = isShort
    ? `handed over ${((accepted / offered) * 100).toFixed(1)} % of the offered messages`
    : `ran late in ${Math.round(lateShare * 100)} % of the window`;
  return `${kept}; ${cause}`;
}

function ownCause(ticks: ReturnType<typeof ticksInWindow>, offeredPerSecond: number): string | null {
  const cpuCores = Math.max(...ticks.map((tick) => tick.cpuCores));
  if (cpuCores >= CPU_CEILING_CORES) return `its process used ${cpuCores.toFixed(2)} cores`;
  const lagMs = Math.max(...ticks.map((tick) => tick.loopLagMs));
  if (lagMs >= LOOP_LAG_CEILING_MS) return `its event loop stalled for ${Math.round(lagMs)} ms`;
  const queuedSeconds = Math.max(...ticks.map((tick) => tick.queued)) / offeredPerSecond;
  return queuedSeconds < NEAR_EMPTY_SECONDS ? 'its queues stayed near empty' : null;
}
