import { isSteady } from '../../boundary/steadiness.ts';
import type { TrialPlan } from '../../boundary/trial.ts';
import { warmUpEndMs } from '../../boundary/warm-up.ts';
import { LOOK_MS, type LoadView } from './load-watch.ts';

/** Longest warm-up as a multiple of the planned one; after that the load is measured as it is. */
export const LONGEST_WARM_UP = 4;

/** A poll at a point of the grid is in by then, ms. */
const POLL_COMES_MS = 50;

export interface StartRequest {
  readonly plan: TrialPlan;
  /** Common start of the load on the run's clock. */
  readonly loadAtMs: number;
  readonly pollMs: number;
}

/** When a window starts at the earliest: after the planned warm-up, on the grid of the polls. */
export function plannedStartMs({ plan, loadAtMs, pollMs }: StartRequest): number {
  return loadAtMs + Math.ceil(plan.warmUpMs / pollMs) * pollMs;
}

/**
 * Moves the start of a window later while the brokers are not at rest under the load, up to `LONGEST_WARM_UP`: to where
 * the warm-up ends by what has been seen (`warmUpEndMs`), also when the window runs already and only now shows it. A
 * moving average tells no single looks: its window waits until two ticks are alike.
 *
 * @param startAtMs start so far; it never comes earlier.
 */
export function movedStartMs(startAtMs: number, request: StartRequest, seen: LoadView): number {
  const { plan, loadAtMs, pollMs } = request;
  const longestMs = LONGEST_WARM_UP * plan.warmUpMs;
  const ended = warmUpEndMs(seen.polls, loadAtMs, longestMs);
  if (ended !== null) {
    const onGridMs = loadAtMs + Math.ceil((ended - loadAtMs) / pollMs - 0.5) * pollMs;
    const latestMs = loadAtMs + Math.floor(longestMs / pollMs) * pollMs;
    return Math.max(startAtMs, Math.min(onGridMs, latestMs));
  }
  const isDue =
    seen.nowMs >= startAtMs + POLL_COMES_MS && seen.nowMs < startAtMs + Math.max(pollMs, 2 * LOOK_MS);
  if (!isDue || startAtMs + pollMs > loadAtMs + longestMs) return startAtMs;
  const stretch = Math.max(1, Math.round(plan.warmUpMs / 2 / pollMs));
  return isSteady(seen.polls, stretch) ? startAtMs : startAtMs + pollMs;
}
