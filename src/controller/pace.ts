import type { Remaining } from '../../boundary/search/remaining.ts';
import type { SearchConfig } from '../../boundary/search/search.ts';
import { fittedStepMs, fittedWindowMs, type SignalTiming } from './signal-timing.ts';

/** Connect, drain and settle around a window, and the steps of a usual probe; replaced by what is seen, seconds. */
const OVERHEAD_SECONDS = 7;
const PROBE_STEPS = 5;

/** How long trials and probes take in this run, for the ETA. */
export class Pace {
  #trials: number[] = [];
  #probes: number[] = [];
  readonly #plannedTrial: number;
  readonly #plannedProbe: number;

  constructor(config: SearchConfig, timing: SignalTiming) {
    this.#plannedTrial =
      (config.warmUpMs + fittedWindowMs(config.windowMs, timing)) / 1_000 + OVERHEAD_SECONDS;
    this.#plannedProbe = (PROBE_STEPS * fittedStepMs(config.probeStepMs, timing)) / 1_000 + OVERHEAD_SECONDS;
  }

  tookTrial(seconds: number): void {
    this.#trials.push(seconds);
  }

  tookProbe(seconds: number): void {
    this.#probes.push(seconds);
  }

  etaSeconds({ probes, trials }: Remaining): number {
    return probes * mean(this.#probes, this.#plannedProbe) + trials * mean(this.#trials, this.#plannedTrial);
  }
}

function mean(seen: readonly number[], planned: number): number {
  return seen.length === 0 ? planned : seen.reduce((sum, value) => sum + value, 0) / seen.length;
}
