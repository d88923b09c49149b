import type { LatencyCounts } from './latency.ts';
import {
  addLatencies,
  type LatencyCounter,
  latencyCounts,
  makeLatencyCounter,
  recordLatency,
} from './latency-histogram.ts';
import type { Window } from './trial.ts';

const SLICE_MS = 1_000;

/** More slices than this are merged two by two, so that a hold of hours takes 6 MB at most. */
const MOST_SLICES = 512;

/**
 * Latencies by the second in which the messages were to be sent, counted from the common start, since a load learns only
 * at its end what the measured window was. Windows start and end on whole seconds of the load as a rule; of others the
 * seconds that lie wholly inside are taken.
 */
export class LatencySlices {
  readonly #startAtMs: number;
  #sliceMs = SLICE_MS;
  #slices: LatencyCounter[] = [];

  /** @param startAtMs common start of the load, run clock. */
  constructor(startAtMs: number) {
    // Messages tell their time in whole ms, rounded down.
    this.#startAtMs = Math.floor(startAtMs);
  }

  /** Counts a message. @param dueAtMs when it was to be sent, run clock. */
  record(dueAtMs: number, latencyUs: number): void {
    const elapsedMs = Math.max(0, dueAtMs - this.#startAtMs);
    while (elapsedMs >= MOST_SLICES * this.#sliceMs) this.#widen();
    const index = Math.floor(elapsedMs / this.#sliceMs);
    for (let next = this.#slices.length; next <= index; next += 1) this.#slices.push(makeLatencyCounter());
    const slice = this.#slices[index];
    if (slice) recordLatency(slice, latencyUs);
  }

  /** The part of a window that whole slices cover; null when not even one lies inside. */
  covered(window: Window): Window | null {
    const [first, end] = this.#inside(window);
    if (first >= end) return null;
    const atMs = (slice: number) => this.#startAtMs + slice * this.#sliceMs;
    return { startAtMs: atMs(first), endAtMs: atMs(end) };
  }

  /** Latencies of the messages that were to be sent in the covered part of a window; null when nothing is covered. */
  countsIn(window: Window): LatencyCounts | null {
    const [first, end] = this.#inside(window);
    if (first >= end) return null;
    const total = makeLatencyCounter();
    for (const slice of this.#slices.slice(first, end)) addLatencies(total, slice);
    return latencyCounts(total);
  }

  /** The slices inside a window: from the first one to before the second one. */
  #inside({ startAtMs, endAtMs }: Window): readonly [first: number, end: number] {
    const slicesTo = (atMs: number) => (Math.floor(atMs) - this.#startAtMs) / this.#sliceMs;
    return [Math.max(0, Math.ceil(slicesTo(startAtMs))), Math.floor(slicesTo(endAtMs))];
  }

  #widen(): void {
    const wide: LatencyCounter[] = [];
    for (const [index, slice] of this.#slices.entries()) {
      const into = wide[index >> 1];
      if (into) addLatencies(into, slice);
      else wide.push(slice);
    }
    this.#slices = wide;
    this.#sliceMs *= 2;
  }
}
