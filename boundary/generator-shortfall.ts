import { countInWindow, median, ticksInWindow } from './delivery.ts';
import type { ShardReport, ShardTick, Window } from './trial.ts';
import type { Thresholds } from './verdict.ts';

/** A client queue that holds less than this much of the offered rate is near empty: the brokers keep up, seconds. */
const NEAR_EMPTY_SECONDS = 0.25;

/**
 * A thread that is busy for this share of the time has none to spare, since it sleeps 2 ms between passes even so; likewise a
 * process that uses this share of its cores.
 */
const CEILING_RATIO = 0.9;

/** Waiting for a core this much is being held back, by a quota or by others. */
const HELD_BACK_RATIO = 0.1;

/** Less than this of a machine's cores free is nothing left. */
const HOST_FULL_RATIO = 0.05;

/** An event loop that stalls this long cannot keep a pace, ms. */
const LOOP_LAG_CEILING_MS = 250;

/** Later than this, and in more than this share of the seconds, the pace was not the planned one. */
const PACER_LATE_MS = 250;
const PACER_LATE_SHARE = 0.1;

/** What a shard of the window did; messages. */
interface ShardWork {
  readonly shard: ShardReport;
  readonly offered: number;
  /** What got through: handed over and, where the shard's own threads were too slow for that, acknowledged. */
  readonly carried: number;
  /** One phrase; null when the shard kept its pace or was held back by the brokers. */
  readonly lacked: string | null;
}

/**
 * Rule 6: whether the generator was itself the limit, and how many more workers would do. Of several shards that fell
 * short the one is named that fell shortest.
 *
 * @returns which shard, what it lacked and what would help, one line; null when the generator kept up.
 */
export function generatorLimit(
  shards: readonly ShardReport[],
  window: Window,
  thresholds: Thresholds,
): string | null {
  const works = shards.map((shard) => workOf(shard, window, thresholds));
  const short = works.filter(({ lacked }) => lacked !== null);
  const worst = short.reduce<ShardWork | undefined>(
    (least, work) => (least && shareOf(least) <= shareOf(work) ? least : work),
    undefined,
  );
  if (!worst) return null;
  const { shard, workerId } = worst.shard;
  const others = short.length > 1 ? ` (and ${short.length - 1} more of ${shards.length} shards)` : '';
  return `shard ${shard} of worker ${workerId}${others}: ${worst.lacked}; ${remedyOf(worst, works)}`;
}

/** What a shard itself lacked in the window, one phrase; null when it kept its pace or was held back by the brokers. */
export function shardShortfall(shard: ShardReport, window: Window, thresholds: Thresholds): string | null {
  return workOf(shard, window, thresholds).lacked;
}

function shareOf({ offered, carried }: ShardWork): number {
  return offered > 0 ? carried / offered : 0;
}

/** What is missing in all, over what the worker of the worst shard carried. */
function remedyOf(worst: ShardWork, works: readonly ShardWork[]): string {
  const missing = works.reduce((sum, { offered, carried }) => sum + Math.max(0, offered - carried), 0);
  const carried = works
    .filter(({ shard }) => shard.workerId === worst.shard.workerId)
    .reduce((sum, work) => sum + work.carried, 0);
  if (carried <= 0) return 'give it more CPU, or add workers';
  const more = Math.max(1, Math.ceil(missing / carried));
  return more === 1 ? '1 more worker like it would do' : `${more} more workers like it would do`;
}

/**
 * A shard was itself the limit when it handed over less than was asked, or late, while its own threads, cores or event
 * loop were at their ceiling or its queues near empty. A full queue and threads with time to spare point at the brokers.
 * Threads at their ceiling also explain acknowledgements that stay away: it is they who send and hear of them.
 */
function workOf(shard: ShardReport, window: Window, thresholds: Thresholds): ShardWork {
  const ticks = ticksInWindow(shard.ticks, window);
  const offered = countInWindow(shard.ticks, 'offered', window);
  const accepted = countInWindow(shard.ticks, 'accepted', window);
  const acked = countInWindow(shard.ticks, 'acked', window);
  const work = { shard, offered, carried: accepted };
  if (ticks.length === 0) return { ...work, lacked: 'no ticks in the window' };
  const least = thresholds.deliveryRatio * offered;
  const lateShare = ticks.filter((tick) => tick.pacerLateMs > PACER_LATE_MS).length / ticks.length;
  const cpu = cpuCause(ticks, shard.allowedCores ?? null);
  if (accepted < least || lateShare > PACER_LATE_SHARE) {
    const cause = cpu ?? stallCause(ticks) ?? queueCause(ticks, offered, window);
    if (cause === null) return { ...work, lacked: null };
    const kept =
      accepted < least
        ? `handed over ${percent(accepted / offered)} of the offered messages`
        : `ran late in ${Math.round(lateShare * 100)} % of the window`;
    return { ...work, lacked: `${kept}; ${cause}` };
  }
  if (acked >= least || cpu === null) return { ...work, lacked: null };
  return { ...work, carried: acked, lacked: `got ${percent(acked / offered)} acknowledged; ${cpu}` };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Most of the time at the ceiling of a thread or of all cores; one full second may be chance. */
function cpuCause(ticks: readonly ShardTick[], allowedCores: number | null): string | null {
  const used = usual(ticks, (tick) => tick.cpuCores) ?? 0;
  const busy = usual(ticks, (tick) => tick.busiestThreadRatio);
  const waited = usual(ticks, (tick) => tick.cpuWaitRatio) ?? 0;
  const isFull = allowedCores !== null && used >= CEILING_RATIO * allowedCores;
  // Where the system does not tell of threads, a whole core is one that runs flat out.
  const isBusy = busy === null ? used >= CEILING_RATIO : busy >= CEILING_RATIO;
  if (!isFull && !isBusy) return null;
  const cores = `its process used ${used.toFixed(2)}${allowedCores === null ? '' : ` of ${coresText(allowedCores)}`} cores`;
  const wait =
    waited >= HELD_BACK_RATIO
      ? `, and a thread waited for CPU for ${Math.round(waited * 100)} % of the time`
      : '';
  const hostIdle = usual(ticks, (tick) => tick.hostIdleRatio);
  const host = hostIdle !== null && hostIdle < HOST_FULL_RATIO ? ', its machine had none left' : '';
  return `${cores}${wait}${host}`;
}

function coresText(cores: number): string {
  return String(Math.round(cores * 100) / 100);
}

function stallCause(ticks: readonly ShardTick[]): string | null {
  const lagMs = Math.max(...ticks.map((tick) => tick.loopLagMs));
  return lagMs >= LOOP_LAG_CEILING_MS ? `its event loop stalled for ${Math.round(lagMs)} ms` : null;
}

/** Queues that stay near empty: the brokers took whatever came. When they refuse messages even so, they are too small. */
function queueCause(ticks: readonly ShardTick[], offered: number, window: Window): string | null {
  const offeredPerSecond = offered / ((window.endAtMs - window.startAtMs) / 1_000);
  const most = Math.max(...ticks.map((tick) => tick.queued));
  if (most / offeredPerSecond >= NEAR_EMPTY_SECONDS) return null;
  const refused = (ticks.at(-1)?.queueFull ?? 0) - (ticks[0]?.queueFull ?? 0);
  return refused > 0
    ? `its queues were full at ${Math.round(most)} messages, under ${NEAR_EMPTY_SECONDS} s of load (queue.buffering.max.messages, queue.buffering.max.kbytes)`
    : 'its queues stayed near empty';
}

function usual(ticks: readonly ShardTick[], of: (tick: ShardTick) => number | undefined): number | null {
  return median(ticks.flatMap((tick) => of(tick) ?? []));
}
