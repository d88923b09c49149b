import type { TrialRecord } from '../../boundary/run-document.ts';
import type { Remaining } from '../../boundary/search/remaining.ts';
import type { SearchConfig, SearchEvent, TrialFinished } from '../../boundary/search/search.ts';
import { fittedStepMs, fittedWindowMs, type SignalTiming } from './signal-timing.ts';

/** Connect, drain and settle around a window, and the steps of a usual probe; replaced by what is seen, seconds. */
const OVERHEAD_SECONDS = 7;
const PROBE_STEPS = 5;

/** How long trials and probes take in this run, for the ETA. */
export class Pace {
  readonly #config: SearchConfig;
  readonly #timing: SignalTiming;
  readonly #probes: number[] = [];
  /** What trials took besides their windows. */
  readonly #overheads: number[] = [];
  #windowSeconds = 0;
  #plannedWindowSeconds = 0;
  #spentSeconds = 0;

  constructor(config: SearchConfig, timing: SignalTiming) {
    this.#config = config;
    this.#timing = timing;
  }

  /** Takes in how long things took in the part of a run that is over. */
  catchUp(events: readonly SearchEvent[], trials: readonly Pick<TrialRecord, 'plan'>[]): void {
    const planned = new Map(trials.map(({ plan }) => [plan.trialId, plan.windowMs]));
    for (const event of events) {
      if (event.type === 'probeFinished') this.tookProbe(event.seconds);
      else this.tookTrial(event, planned.get(event.trialId) ?? this.#config.windowMs);
    }
  }

  /** @param plannedWindowMs the window that the search had asked for. */
  tookTrial(
    { seconds, windowSeconds, heldSeconds }: Pick<TrialFinished, 'seconds' | 'windowSeconds' | 'heldSeconds'>,
    plannedWindowMs: number,
  ): void {
    const isHold = heldSeconds !== undefined;
    this.#overheads.push(Math.max(0, seconds - Math.max(windowSeconds, heldSeconds ?? 0)));
    this.#spentSeconds += seconds;
    // A hold that dropped, or was spoilt, does not make the next one shorter.
    if (isHold) return;
    this.#windowSeconds += windowSeconds;
    this.#plannedWindowSeconds += plannedWindowMs / 1_000;
  }

  tookProbe(seconds: number): void {
    this.#probes.push(seconds);
    this.#spentSeconds += seconds;
  }

  /**
   * Seconds that the rest of a search takes: what lies around its windows takes as long as before, the windows are cut short
   * or lengthened as much as before, holds last as long as asked. Never more than the time budget leaves.
   */
  etaSeconds({ probes, trials, windowSeconds, holdSeconds = 0 }: Remaining): number {
    const { warmUpMs, windowMs, probeStepMs, timeBudgetSeconds } = this.#config;
    const usualProbe = (PROBE_STEPS * fittedStepMs(probeStepMs, this.#timing)) / 1_000 + OVERHEAD_SECONDS;
    const usualOverhead = warmUpMs / 1_000 + OVERHEAD_SECONDS;
    const stretch =
      this.#plannedWindowSeconds > 0
        ? this.#windowSeconds / this.#plannedWindowSeconds
        : fittedWindowMs(windowMs, this.#timing) / windowMs;
    const work =
      probes * mean(this.#probes, usualProbe) +
      trials * mean(this.#overheads, usualOverhead) +
      (windowSeconds - holdSeconds) * stretch +
      holdSeconds;
    return timeBudgetSeconds == null
      ? work
      : Math.min(work, Math.max(0, timeBudgetSeconds - this.#spentSeconds));
  }
}

function mean(seen: readonly number[], planned: number): number {
  return seen.length === 0 ? planned : seen.reduce((sum, value) => sum + value, 0) / seen.length;
}
