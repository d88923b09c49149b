import type { Remaining } from '../remaining.ts';
import type { SearchConfig } from '../search.ts';
import type { SizeState } from './adaptive-state.ts';
import type { SizeAnalysis } from './analyse.ts';
import { sizesToCome } from './choose-size.ts';
import { isHoldShort, LONGEST_FACTOR, needOf, trialsFor } from './choose-trial.ts';
import { IDLE_MODEL_PRIORS } from './idle-model-types.ts';
import type { Outlook } from './look.ts';
import { CHECK_TRIALS, nearTrials, type SizeView, usualTrials } from './size-view.ts';

/** Trials and measured seconds. */
interface Work {
  readonly trials: number;
  readonly windowSeconds: number;
}

/** A size that goes by verdicts alone. */
const UNMODELLED_TRIALS = 3;
/** What the usual noise counts for in a forecast, readings. */
const USUAL_NOISE_DEGREES = 8;
/**
 * What sizes took in simulated searches of ten sizes at half, once and twice the usual noise. `effort` is how many of the
 * longest windows tell a limit to the goal, had it no others to lean on. A size takes the usual trials, less of them where
 * one window is enough, and where many sizes tell of each other; a bound that is missing more with the logarithm of the effort, since verdicts near the limit are
 * then a matter of chance.
 */
const MEASURED = {
  oneWindow: 0.1,
  oneWindowByEffort: 0.5,
  locating: 0.2,
  unforeseen: 0.2,
  boundByLnEffort: 0.3,
  boundAlone: 1.2,
  again: 0.15,
  ofCheck: 0.7,
  windowsOfCheck: 2.5,
  shortestWindows: { withHold: 1.3, without: 1 },
  windowsByLnEffort: 1,
} as const;

/** What is likely still to come: from the model once there is one. An estimate, not a promise. */
export function remainingOf(
  config: SearchConfig,
  sizes: readonly SizeState[],
  outlook: Outlook | null,
): Remaining {
  const toCome = sizesToCome(config, sizes, outlook);
  const all = sizes.length + toCome;
  const fresh = freshWork(outlook, all, config);
  const works = outlook ? outlook.views.map((view) => workOf(view, all, config)) : sizes.map(() => fresh);
  const added = Array.from({ length: toCome }, () => fresh);
  const sum = (pick: (work: Work) => number) =>
    [...works, ...added].reduce((total, work) => total + pick(work), 0);
  const probed = sizes.filter(({ probes }) => probes.length > 0).length;
  return {
    probes: outlook || config.known ? 0 : Math.max(0, Math.min(2, sizes.length) - probed),
    trials: Math.max(outlook ? 1 : 0, Math.round(sum(({ trials }) => trials))),
    windowSeconds: sum(({ windowSeconds }) => windowSeconds),
  };
}

/** A size of which nothing is known: its curve is like those of the others, or as usual. */
function freshWork(outlook: Outlook | null, sizes: number, config: SearchConfig): Work {
  const seen = outlook?.analysis.sizes.filter(({ readings }) => readings > 0) ?? [];
  const { slope: usualSlope, noise: usualNoise, noiseDegrees: usualDegrees } = IDLE_MODEL_PRIORS;
  const slope = seen.length > 0 ? seen.reduce((sum, at) => sum + at.slope, 0) / seen.length : usualSlope;
  const { noise, noiseDegrees } = seen[0] ?? { noise: usualNoise, noiseDegrees: usualDegrees };
  const effort = effortOf({ slope, noise, noiseDegrees }, config);
  return modelledWork({ effort, near: 0, missing: 2, sizes }, config);
}

function workOf(view: SizeView, sizes: number, config: SearchConfig): Work {
  if (!view.isModelled) return inWindows(UNMODELLED_TRIALS, 1, config);
  const need = needOf(view, config);
  const effort = effortOf(view.analysis, config);
  const windows = windowsFor(effort, config);
  const missing = (view.bounds.lower ? 0 : 1) + (view.bounds.upper ? 0 : 1);
  if (view.isCheck) {
    const trials = need === null ? 0 : Math.max(1, missing + MEASURED.ofCheck);
    const left = Math.min(CHECK_TRIALS - view.size.trials.length, trials);
    return inWindows(left, Math.max(windows, MEASURED.windowsOfCheck), config);
  }
  const byBound = MEASURED.boundByLnEffort * Math.max(0, Math.log(effort));
  switch (need) {
    case null:
      return inWindows(view.ending ? 0 : MEASURED.again, windows, config);
    case 'location':
      return modelledWork({ effort, near: 0, missing, sizes }, config);
    case 'width':
      return modelledWork(
        { effort, near: nearTrials(view.size, view.analysis).length, missing, sizes },
        config,
      );
    case 'lower':
    case 'upper':
      return inWindows(MEASURED.boundAlone * Math.max(1, missing) + byBound, windows, config);
  }
}

function modelledWork(
  {
    effort,
    near,
    missing,
    sizes,
  }: { readonly effort: number; readonly near: number; readonly missing: number; readonly sizes: number },
  config: SearchConfig,
): Work {
  const { oneWindow, oneWindowByEffort } = MEASURED;
  const usual =
    Math.max(0, usualTrials(config) - near) * Math.min(1, oneWindow + oneWindowByEffort * effort + 1 / sizes);
  const bounds = missing * MEASURED.boundByLnEffort * Math.max(0, Math.log(effort));
  const locating = near === 0 ? MEASURED.locating : 0;
  const trials = Math.max(1, usual + bounds + MEASURED.unforeseen + locating);
  return inWindows(trials, windowsFor(effort, config), config);
}

/**
 * How many of the longest windows tell a limit to the goal. It goes with the square of a noise that few trials have taught:
 * for a forecast the usual noise counts for more than it does for an interval.
 */
function effortOf(
  { slope, noise, noiseDegrees }: Pick<SizeAnalysis, 'slope' | 'noise' | 'noiseDegrees'>,
  config: SearchConfig,
): number {
  const square = USUAL_NOISE_DEGREES * IDLE_MODEL_PRIORS.noise ** 2 + noiseDegrees * noise ** 2;
  const likely = { slope, noise: Math.sqrt(square / (USUAL_NOISE_DEGREES + noiseDegrees)) };
  return trialsFor(likely, (LONGEST_FACTOR * config.windowMs) / 1_000, Number.POSITIVE_INFINITY, config);
}

/** Windows over the shortest one, on average. */
function windowsFor(effort: number, config: SearchConfig): number {
  const { shortestWindows, windowsByLnEffort } = MEASURED;
  const least = isHoldShort(config) ? shortestWindows.withHold : shortestWindows.without;
  return Math.min(LONGEST_FACTOR, least + windowsByLnEffort * Math.log(1 + effort));
}

function inWindows(trials: number, windows: number, config: SearchConfig): Work {
  const count = Math.max(0, trials);
  return { trials: count, windowSeconds: (count * windows * config.windowMs) / 1_000 };
}
