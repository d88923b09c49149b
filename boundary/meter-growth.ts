import type { BrokerReading, Meter } from './broker-reading.ts';
import { newestWeight, TICK_MS, ticksBetween } from './moving-average.ts';
import { readingsAround } from './readings-around.ts';
import type { Window } from './trial.ts';

/** What a meter of events counted between two readings. */
export interface MeterGrowth {
  readonly events: number;
  /** Bounds of `events`; equal to it when the meter's own count was there. */
  readonly low: number;
  readonly high: number;
  /** Time between the two readings, ms. */
  readonly overMs: number;
  readonly isExact: boolean;
}

/** Looks at most this far apart see every tick of a moving average alone, ms. */
const DENSE_MS = TICK_MS / 2;

/**
 * Growth of a meter of events (ISR shrinks, bytes in) over the window: exact from its count, else from its one-minute
 * rate, inverted (`ticksBetween`), whose bounds come from the number of ticks between the looks, unsure by one when
 * looks are far apart, and hold for a rate that was steady over the window.
 *
 * @param readings of one broker, ordered by time.
 * @param meterOf picks the meter.
 * @returns null when fewer than two readings show it, or its count went back (a restart).
 */
export function meterGrowth(
  readings: readonly BrokerReading[],
  window: Window,
  meterOf: (reading: BrokerReading) => Meter | null,
): MeterGrowth | null {
  const around = readingsAround(readings, window);
  const show = (of: keyof Meter): Shown[] =>
    around.flatMap((reading) => {
      const value = meterOf(reading)?.[of] ?? null;
      return value === null ? [] : [{ atMs: reading.atMs, scrapeMs: reading.scrapeMs, value }];
    });
  return byCount(show('count')) ?? byRate(show('oneMinuteRate'));
}

interface Shown {
  readonly atMs: number;
  readonly scrapeMs: number;
  readonly value: number;
}

function byCount(shown: readonly Shown[]): MeterGrowth | null {
  const first = shown[0];
  const last = shown.at(-1);
  if (!first || !last || last.atMs <= first.atMs || last.value < first.value) return null;
  const events = last.value - first.value;
  return { events, low: events, high: events, overMs: last.atMs - first.atMs, isExact: true };
}

function byRate(shown: readonly Shown[]): MeterGrowth | null {
  const first = shown[0];
  const last = shown.at(-1);
  if (!first || !last || last.atMs <= first.atMs) return null;
  const overMs = last.atMs - first.atMs;
  const perSecond = possibleTicks(shown, first, last).flatMap((ticks) => {
    if (ticks === 0) return [last.value];
    const between = ticksBetween(first.value, last.value, ticks, EVENTS);
    return between ? [between.steady] : [];
  });
  if (perSecond.length === 0) return null;
  const eventsAt = (rate: number) => (rate * overMs) / 1_000;
  const sorted = perSecond.map(eventsAt).sort((a, b) => a - b);
  const low = sorted[0] ?? 0;
  const high = sorted.at(-1) ?? 0;
  return { events: sorted[Math.floor(sorted.length / 2)] ?? 0, low, high, overMs, isExact: false };
}

/** Rates of events have no ceiling; a rate that falls faster than it can decay is a restart. */
const EVENTS = { newest: newestWeight(1), most: Number.POSITIVE_INFINITY, slack: 1e-9 } as const;

/** How many ticks may lie between the first and the last look, fewest first. */
function possibleTicks(shown: readonly Shown[], first: Shown, last: Shown): number[] {
  const steps = shown.slice(1).map((look, i) => ({ from: shown[i] ?? look, to: look }));
  if (steps.every(({ from, to }) => to.atMs - from.atMs <= DENSE_MS)) {
    const moves = steps.filter(({ from, to }) => from.value !== to.value).length;
    if (moves > 0) return [moves];
  }
  const errorMs = (first.scrapeMs + last.scrapeMs) / 2;
  const lastsMs = last.atMs - first.atMs;
  const hasMoved = first.value !== last.value;
  const least = Math.max(hasMoved ? 1 : 0, Math.ceil((lastsMs - errorMs) / TICK_MS) - 1);
  const most = Math.max(least, Math.floor((lastsMs + errorMs) / TICK_MS) + 1);
  return Array.from({ length: most - least + 1 }, (_, i) => least + i);
}
