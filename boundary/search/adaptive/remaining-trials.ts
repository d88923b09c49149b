import type { Remaining } from '../remaining.ts';
import type { SearchConfig } from '../search.ts';
import type { SizeState } from './adaptive-state.ts';
import { needOf, trialsNeeded } from './choose-trial.ts';
import { nearTrials, type SizeView, usualTrials, widthGoal } from './size-view.ts';

/** Trials of a size before anything is known of it, at a precision of 5 %. */
const USUAL_TRIALS = 4.5;
const USUAL_PRECISION = 0.05;
const LONGEST_WINDOW_FACTOR = 4;
const LOCATED = 0.15;
/** A bound that is missing takes this many trials: now and then the verdict is the other one. */
const BOUND_TRIALS = 1.3;
/** A size that goes by verdicts alone. */
const UNMODELLED_TRIALS = 3;

/** What is likely still to come: from the model once there is one. An estimate, not a promise. */
export function remainingOf(
  config: SearchConfig,
  sizes: readonly SizeState[],
  views: readonly SizeView[] | null,
): Remaining {
  const usual = USUAL_TRIALS * Math.max(1, USUAL_PRECISION / widthGoal(config)) ** 2;
  if (!views) {
    const probed = sizes.filter(({ probes }) => probes.length > 0).length;
    const trials = Math.round(usual * sizes.length);
    return {
      probes: config.known ? 0 : Math.max(0, Math.min(2, sizes.length) - probed),
      trials,
      windowSeconds: (trials * config.windowMs) / 1_000,
    };
  }
  const longestSeconds = (config.windowMs * LONGEST_WINDOW_FACTOR) / 1_000;
  const trials = views.reduce((sum, view) => {
    if (!view.isModelled) return sum + UNMODELLED_TRIALS;
    const need = needOf(view, config);
    if (need === null) return sum;
    const bounds = (view.bounds.lower ? 0 : BOUND_TRIALS) + (view.bounds.upper ? 0 : BOUND_TRIALS);
    if (need === 'lower' || need === 'upper') return sum + Math.max(1, bounds);
    const toLocate = view.halfWidth > LOCATED ? 1 : 0;
    const left = Math.max(1, usualTrials(config) - nearTrials(view.size, view.analysis).length);
    const narrowing = Math.min(left, trialsNeeded(view, longestSeconds, config));
    return sum + toLocate + Math.max(1, narrowing, bounds);
  }, 0);
  return { probes: 0, trials: Math.round(trials), windowSeconds: (trials * config.windowMs) / 1_000 };
}
