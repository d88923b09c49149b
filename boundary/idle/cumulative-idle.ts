import type { BrokerReading } from '../broker-reading.ts';
import { isAtEdge, readingsAround } from '../readings-around.ts';
import type { Window } from '../trial.ts';
import {
  addParts,
  type Bounded,
  LEAST_COVERED_SHARE,
  partInWindow,
  type Range,
  unknownPart,
} from './idle-stretch.ts';

/** A meter that tells how much idle lay between any two of its readings. */
export interface CumulativeMeter {
  /** Idle between two readings, ms; null when they cannot tell. */
  growthMs(from: BrokerReading, to: BrokerReading): Bounded | null;
  /** Time between two readings by the broker's own clock, ms; null when only the time of the scrapes is known. */
  ownElapsedMs(from: BrokerReading, to: BrokerReading): number | null;
  /** Idle booked on the wrong side of the window's ends, ms. */
  waitErrorMs(first: BrokerReading, last: BrokerReading, idleMs: number): number;
  /** Idle per time when nothing is to do. */
  readonly full: number;
}

/** Mean idle of a window as a ratio, and by whose clock. */
export interface MeanIdle extends Bounded {
  readonly isSelfClocked: boolean;
}

/**
 * Mean idle over a window from a meter of cumulative idle.
 *
 * Between a reading at the window's start and one at its end the growth is exact: the window is then what lies between
 * the two, and the error is that of the clock and of the waits under way at its ends. Without a reading at an edge the
 * nearest ones outside and inside bound the growth (`partInWindow`), and time that no reading speaks for may have been
 * anything, so the bounds stay hard however late a page answered.
 *
 * @param readings of one broker, ordered by time, all of which the meter can read.
 * @returns null when the readings speak for less than half of the window.
 */
export function meanIdle(
  readings: readonly BrokerReading[],
  window: Window,
  meter: CumulativeMeter,
): MeanIdle | null {
  const around = readingsAround(readings, window);
  const first = around[0];
  const last = around.at(-1);
  if (!first || !last || last.atMs <= first.atMs) return null;
  return isAtEdge(first, window.startAtMs) && isAtEdge(last, window.endAtMs)
    ? betweenEdges(first, last, meter)
    : acrossEdges(around, window, meter);
}

/** Both edges were read: the window is what lies between the two readings. */
function betweenEdges(first: BrokerReading, last: BrokerReading, meter: CumulativeMeter): MeanIdle | null {
  const idleMs = meter.growthMs(first, last);
  if (!idleMs) return null;
  const ownMs = meter.ownElapsedMs(first, last);
  const elapsedMs = ownMs ?? last.atMs - first.atMs;
  const clockErrorMs = ownMs === null ? (first.scrapeMs + last.scrapeMs) / 2 : 0;
  const waitErrorMs = meter.waitErrorMs(first, last, idleMs.estimate);
  const estimate = idleMs.estimate / elapsedMs;
  const low = Math.max(0, idleMs.low - waitErrorMs) / (elapsedMs + clockErrorMs);
  const high = (idleMs.high + waitErrorMs) / Math.max(1, elapsedMs - clockErrorMs);
  return {
    estimate,
    low: Math.min(low, estimate),
    high: Math.max(high, estimate),
    isSelfClocked: ownMs !== null,
  };
}

/** An edge was missed: what lies around it bounds what lay inside. */
function acrossEdges(
  around: readonly BrokerReading[],
  window: Window,
  meter: CumulativeMeter,
): MeanIdle | null {
  const knots = knotsOf(around, window);
  const first = knots[0];
  const last = knots.at(-1);
  if (!first || !last) return null;
  const lastsMs = window.endAtMs - window.startAtMs;
  let total = addParts(
    unknownPart(instantOf(first).high - window.startAtMs, meter.full),
    unknownPart(window.endAtMs - instantOf(last).low, meter.full),
  );
  for (const [i, to] of knots.entries()) {
    const from = knots[i - 1];
    if (!from) continue;
    const idleMs = meter.growthMs(from, to);
    if (!idleMs) return null;
    const stretch = { fromMs: instantOf(from), toMs: instantOf(to), idleMs };
    total = addParts(total, partInWindow(stretch, window, meter.full));
  }
  if (total.coveredMs < LEAST_COVERED_SHARE * lastsMs) return null;
  const waitErrorMs = meter.waitErrorMs(first, last, total.estimate);
  const low = Math.max(0, total.low - waitErrorMs) / lastsMs;
  const high = Math.min(meter.full, (total.high + waitErrorMs) / lastsMs);
  const estimate = Math.min(high, Math.max(low, total.estimate / total.coveredMs));
  return { estimate, low, high, isSelfClocked: false };
}

/** First and last reading, and those between that are the first and the last inside the window. */
function knotsOf(around: readonly BrokerReading[], window: Window): BrokerReading[] {
  const inside = around.filter(({ atMs }) => atMs >= window.startAtMs && atMs <= window.endAtMs);
  const knots = [around[0], inside[0], inside.at(-1), around.at(-1)];
  return [...new Set(knots.flatMap((knot) => (knot ? [knot] : [])))];
}

function instantOf({ atMs, scrapeMs }: BrokerReading): Range {
  return { low: atMs - scrapeMs / 2, high: atMs + scrapeMs / 2 };
}
