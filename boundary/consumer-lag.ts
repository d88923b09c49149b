import { countInWindow } from './delivery.ts';
import { student975 } from './statistics/student.ts';
import type { GroupTick, ReaderTick, ShardTick, Window } from './trial.ts';

/** Ticks of each reader job, by time. */
export type ReaderTicks = readonly (readonly ReaderTick[])[];

/** How a consumer group did in a window, all its members together. */
export interface GroupReading {
  readonly group: string;
  readonly consumedPerSecond: number;
  readonly consumedBytesPerSecond: number;
  /** Messages not consumed at the end of the window; null when it is not known. */
  readonly lag: number | null;
  /** Null when too little is known of the lag to tell. */
  readonly growth: LagGrowth | null;
}

/** How fast a lag grows, messages per second; it shrinks when negative. */
export interface LagGrowth {
  readonly perSecond: number;
  /** Less than this may be the lag's own swings: half of the slope's 95 % interval. */
  readonly swing: number;
}

/** The growth is read off the second half of the window, but off this much at least where the window has it, ms. */
const LEAST_STRETCH_MS = 5_000;

/** Fewer ticks do not tell a lag that grows from one that swings. */
const LEAST_TICKS = 4;

/** The ticks must cover this share of the stretch. */
const LEAST_COVER = 0.7;

/**
 * What the members of each group consumed in a window and how their lag went, groups in order of their names. Members of
 * one group may be in several jobs, whose ticks are at the same times.
 */
export function groupReadings(jobs: ReaderTicks, window: Window): GroupReading[] {
  return groupsOf(jobs).map((group) => {
    const series = seriesOf(jobs, group);
    const within = (count: 'consumed' | 'consumedBytes') => perSecond(series, count, window);
    const last = series.findLast(({ atMs }) => atMs <= window.endAtMs);
    return {
      group,
      consumedPerSecond: within('consumed'),
      consumedBytesPerSecond: within('consumedBytes'),
      lag: last?.lag ?? null,
      growth: lagGrowth(series, window),
    };
  });
}

export function groupsOf(jobs: ReaderTicks): string[] {
  const names = jobs.flatMap((ticks) => ticks.at(-1)?.groups.map(({ group }) => group) ?? []);
  return [...new Set(names)].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Whether a lag grows by more than `limit`, messages per second, and by more than its swings explain. */
export function isGrowing({ perSecond, swing }: LagGrowth, limit: number): boolean {
  return perSecond > limit && perSecond > swing;
}

/** The stretch of a window in which lags are looked at. */
export function lagStretch(window: Window): Window {
  const lastsMs = window.endAtMs - window.startAtMs;
  const stretchMs = Math.min(lastsMs, Math.max(lastsMs / 2, LEAST_STRETCH_MS));
  return { startAtMs: window.endAtMs - stretchMs, endAtMs: window.endAtMs };
}

/** Messages per second that the producers' schedules asked for. @param ticks of each shard of producers, by time. */
export function offeredPerSecond(ticks: readonly (readonly ShardTick[])[], window: Window): number {
  const offered = ticks.reduce((sum, shard) => sum + countInWindow(shard, 'offered', window), 0);
  return (offered / (window.endAtMs - window.startAtMs)) * 1_000;
}

/** What is known of a running load that consumers read. */
export interface ReadingSoFar {
  /** Ticks of each shard of producers, by time. */
  readonly ticks: readonly (readonly ShardTick[])[];
  /** Of each shard of consumers; empty without groups. */
  readonly readerTicks: ReaderTicks;
}

/**
 * Whether every group keeps up with a load that still runs, from the newest ticks.
 * @param share of the offered rate by which a lag may grow.
 * @returns null when too little is known; true without groups.
 */
export function readersKeepUp(so: ReadingSoFar, window: Window, share: number): boolean | null {
  const { ticks, readerTicks } = so;
  if (readerTicks.length === 0) return true;
  const newestMs = readerTicks.map((job) => job.at(-1)?.atMs ?? 0);
  const seen = { startAtMs: window.startAtMs, endAtMs: Math.min(window.endAtMs, ...newestMs) };
  if (seen.endAtMs <= seen.startAtMs) return null;
  const limit = share * offeredPerSecond(ticks, lagStretch(seen));
  const growths = groupReadings(readerTicks, seen).map(({ growth }) => growth);
  if (growths.some((growth) => growth !== null && isGrowing(growth, limit))) return false;
  return growths.length > 0 && growths.every((growth) => growth !== null) ? true : null;
}

/** What a group's members did until one instant, all jobs together. */
interface GroupAt extends Pick<GroupTick, 'consumed' | 'consumedBytes' | 'lag'> {
  readonly atMs: number;
}

/** The ticks at which every job of the group told something. */
function seriesOf(jobs: ReaderTicks, group: string): GroupAt[] {
  const parts = jobs.flatMap((ticks) => {
    const own = ticks.flatMap(({ atMs, groups }) => {
      const tick = groups.find((one) => one.group === group);
      return tick ? [[atMs, tick] as const] : [];
    });
    return own.length > 0 ? [new Map(own)] : [];
  });
  const [first, ...others] = parts;
  return [...(first ?? [])].flatMap(([atMs, tick]) => {
    const sum: GroupAt = { ...tick, atMs };
    const whole = others.reduce<GroupAt | null>((total, part) => add(total, part.get(atMs)), sum);
    return whole ? [whole] : [];
  });
}

function add(total: GroupAt | null, tick: GroupTick | undefined): GroupAt | null {
  if (!total || !tick) return null;
  return {
    atMs: total.atMs,
    consumed: total.consumed + tick.consumed,
    consumedBytes: total.consumedBytes + tick.consumedBytes,
    lag: total.lag === null || tick.lag === null ? null : total.lag + tick.lag,
  };
}

/** Between the outermost ticks in the window; 0 when there are not two. */
function perSecond(series: readonly GroupAt[], count: 'consumed' | 'consumedBytes', window: Window): number {
  const inside = series.filter(({ atMs }) => atMs >= window.startAtMs && atMs <= window.endAtMs);
  const [first, last] = [inside[0], inside.at(-1)];
  if (!first || !last || last.atMs <= first.atMs) return 0;
  return ((last[count] - first[count]) / (last.atMs - first.atMs)) * 1_000;
}

/** The slope of the line through the lags of the stretch that comes nearest to them (least squares). */
function lagGrowth(series: readonly GroupAt[], window: Window): LagGrowth | null {
  const stretch = lagStretch(window);
  const known = series.flatMap(({ atMs, lag }) =>
    lag !== null && atMs >= stretch.startAtMs && atMs <= stretch.endAtMs
      ? [{ second: atMs / 1_000, lag }]
      : [],
  );
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || known.length < LEAST_TICKS) return null;
  const coverMs = (last.second - first.second) * 1_000;
  // A tick may lie up to a second inside of either end.
  if (coverMs + 1_000 < LEAST_COVER * (stretch.endAtMs - stretch.startAtMs)) return null;
  const meanSecond = mean(known.map(({ second }) => second));
  const meanLag = mean(known.map(({ lag }) => lag));
  const spread = known.reduce((sum, { second }) => sum + (second - meanSecond) ** 2, 0);
  const slope =
    known.reduce((sum, { second, lag }) => sum + (second - meanSecond) * (lag - meanLag), 0) / spread;
  const rest = known.reduce(
    (sum, { second, lag }) => sum + (lag - meanLag - slope * (second - meanSecond)) ** 2,
    0,
  );
  const degrees = known.length - 2;
  return { perSecond: slope, swing: student975(degrees) * Math.sqrt(rest / degrees / spread) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
