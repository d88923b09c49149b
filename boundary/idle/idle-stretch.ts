import type { Window } from '../trial.ts';

/** The truth lies in here. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** A quantity with the bounds that its truth keeps. */
export interface Bounded extends Range {
  readonly estimate: number;
}

/** What a meter tells of a stretch of time: so much idle between two instants, each known within bounds. */
export interface IdleStretch {
  readonly fromMs: Range;
  readonly toMs: Range;
  readonly idleMs: Bounded;
}

/** Idle time inside a window, ms, and how much of the window it speaks for. */
export interface IdlePart extends Bounded {
  readonly coveredMs: number;
}

/** Less than this share of the window is no reading of the window. */
export const LEAST_COVERED_SHARE = 0.5;

export const NO_PART: IdlePart = { low: 0, high: 0, estimate: 0, coveredMs: 0 };

/**
 * The part of a stretch's idle that fell into the window. Where the stretch reaches over an edge, nobody knows on which
 * side the idle was; yet idle lasts no longer than time: of 2 s idle in 5 s, of which 4 s are inside, at least 1 s and at
 * most 2 s are inside.
 *
 * @param full idle per time when nothing is to do: 1, or 2 where two pools mark one meter.
 */
export function partInWindow(stretch: IdleStretch, window: Window, full: number): IdlePart {
  const { fromMs, toMs, idleMs } = stretch;
  const insideMs = overlapMs(fromMs.low, toMs.high, window);
  if (insideMs <= 0) return NO_PART;
  const outsideMs = Math.max(0, window.startAtMs - fromMs.low) + Math.max(0, toMs.high - window.endAtMs);
  const low = Math.max(0, idleMs.low - full * outsideMs);
  const high = Math.min(idleMs.high, full * insideMs);
  const fromMidMs = (fromMs.low + fromMs.high) / 2;
  const toMidMs = (toMs.low + toMs.high) / 2;
  const coveredMs = Math.max(0, overlapMs(fromMidMs, toMidMs, window));
  const estimate = toMidMs > fromMidMs ? (idleMs.estimate * coveredMs) / (toMidMs - fromMidMs) : 0;
  return { low: Math.min(low, high), high, estimate, coveredMs };
}

/** Idle in a stretch of the window that no reading speaks for: anything. */
export function unknownPart(lastsMs: number, full: number): IdlePart {
  return { low: 0, high: full * Math.max(0, lastsMs), estimate: 0, coveredMs: 0 };
}

export function addParts(a: IdlePart, b: IdlePart): IdlePart {
  return {
    low: a.low + b.low,
    high: a.high + b.high,
    estimate: a.estimate + b.estimate,
    coveredMs: a.coveredMs + b.coveredMs,
  };
}

function overlapMs(fromMs: number, toMs: number, window: Window): number {
  return Math.min(toMs, window.endAtMs) - Math.max(fromMs, window.startAtMs);
}

export function exactly(value: number): Bounded {
  return { low: value, high: value, estimate: value };
}
