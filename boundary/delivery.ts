import type { ShardReport, ShardTick, Window } from './trial.ts';

/** What all shards together did in the window. Messages, not rates. */
export interface Delivery {
  readonly offered: number;
  readonly accepted: number;
  readonly acked: number;
  readonly failed: number;
  readonly windowMs: number;
  /** Median of the shards' p99 round trips in the second half of the window, ms; null when nothing came back. */
  readonly roundTripSecondMs: number | null;
  readonly throttleMs: number;
  readonly cpuCores: number;
}

type Count = 'offered' | 'accepted' | 'acked' | 'failed' | 'queueFull';

/** Value of a cumulative count at an instant, linear between ticks, held at the ends. Ticks are ordered by time. */
export function countAt(ticks: readonly ShardTick[], count: Count, atMs: number): number {
  const after = ticks.findIndex((tick) => tick.atMs >= atMs);
  const later = after < 0 ? ticks.at(-1) : ticks[after];
  if (!later) return 0;
  const earlier = after > 0 ? ticks[after - 1] : undefined;
  if (!earlier || later.atMs <= atMs) return later[count];
  const share = (atMs - earlier.atMs) / (later.atMs - earlier.atMs);
  return earlier[count] + share * (later[count] - earlier[count]);
}

/** Growth of a cumulative count over the window. */
export function countInWindow(ticks: readonly ShardTick[], count: Count, window: Window): number {
  return countAt(ticks, count, window.endAtMs) - countAt(ticks, count, window.startAtMs);
}

/** Ticks that describe seconds inside the window (a tick looks back over its second). */
export function ticksInWindow(ticks: readonly ShardTick[], window: Window): ShardTick[] {
  return ticks.filter((tick) => tick.atMs > window.startAtMs && tick.atMs <= window.endAtMs);
}

/** Adds up what the shards of a trial offered, handed over and got acknowledged in the window. */
export function measureDelivery(shards: readonly ShardReport[], window: Window): Delivery {
  const sum = (count: Count) =>
    shards.reduce((total, shard) => total + countInWindow(shard.ticks, count, window), 0);
  const ticks = shards.flatMap((shard) => ticksInWindow(shard.ticks, window));
  const middleMs = (window.startAtMs + window.endAtMs) / 2;
  const windowMs = window.endAtMs - window.startAtMs;
  return {
    offered: sum('offered'),
    accepted: sum('accepted'),
    acked: sum('acked'),
    failed: sum('failed'),
    windowMs,
    roundTripSecondMs: roundTripMs(shards, { startAtMs: middleMs, endAtMs: window.endAtMs }),
    throttleMs: ticks.reduce((most, tick) => Math.max(most, tick.throttleMs), 0),
    cpuCores: windowMs > 0 ? ticks.reduce((total, tick) => total + tick.cpuCores, 0) / (windowMs / 1_000) : 0,
  };
}

/** Median of the shards' p99 round trips in a stretch of time, ms; null when nothing came back. */
export function roundTripMs(shards: readonly ShardReport[], stretch: Window): number | null {
  const ticks = shards.flatMap((shard) => ticksInWindow(shard.ticks, stretch));
  return median(ticks.flatMap((tick) => (tick.roundTripP99Ms === null ? [] : [tick.roundTripP99Ms])));
}

/** Middle value; null for none. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)];
  const lower = sorted[Math.ceil(middle) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}
