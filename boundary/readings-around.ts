import type { BrokerReading } from './broker-reading.ts';
import type { Window } from './trial.ts';

/** A reading this far off an edge of the window still counts as that edge: polls are on a grid, never exactly on it. */
export const EDGE_TOLERANCE_MS = 500;

/** Readings of one broker that belong to the window, in order. */
export function readingsInWindow(readings: readonly BrokerReading[], window: Window): BrokerReading[] {
  return readings.filter(
    (reading) =>
      reading.atMs >= window.startAtMs - EDGE_TOLERANCE_MS &&
      reading.atMs <= window.endAtMs + EDGE_TOLERANCE_MS,
  );
}

/**
 * The readings that tell of a window, in order: from the one at its start to the one at its end. Where no reading
 * stands at an edge, the latest before the start and the earliest after the end take its place: a page that answers
 * late still tells what happened while it was silent.
 */
export function readingsAround(readings: readonly BrokerReading[], window: Window): BrokerReading[] {
  const start = edgeIndex(readings, window.startAtMs) ?? indexBefore(readings, window.startAtMs) ?? 0;
  const end = edgeIndex(readings, window.endAtMs) ?? indexAfter(readings, window.endAtMs);
  return readings.slice(start, end === null ? undefined : end + 1);
}

export function isAtEdge(reading: BrokerReading, edgeMs: number): boolean {
  return Math.abs(reading.atMs - edgeMs) <= EDGE_TOLERANCE_MS;
}

/** The reading nearest to an edge, when it is near enough to stand for it. */
function edgeIndex(readings: readonly BrokerReading[], edgeMs: number): number | null {
  let nearest: number | null = null;
  let nearestMs = EDGE_TOLERANCE_MS;
  for (const [i, reading] of readings.entries()) {
    const awayMs = Math.abs(reading.atMs - edgeMs);
    if (awayMs > nearestMs) continue;
    nearest = i;
    nearestMs = awayMs;
  }
  return nearest;
}

function indexBefore(readings: readonly BrokerReading[], atMs: number): number | null {
  const index = readings.findLastIndex((reading) => reading.atMs <= atMs);
  return index < 0 ? null : index;
}

function indexAfter(readings: readonly BrokerReading[], atMs: number): number | null {
  const index = readings.findIndex((reading) => reading.atMs >= atMs);
  return index < 0 ? null : index;
}
