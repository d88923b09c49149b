import type { TrialPurpose } from '../../trial.ts';
import { formatBytes } from '../../units.ts';
import type { SearchConfig } from '../search.ts';
import { roundRate, scaleNp } from '../unit-rate.ts';
import { loadOf, type SizeState, validTrials } from './adaptive-state.ts';
import { isSustained } from './confirmed-bounds.ts';
import { explainTrial } from './explain-trial.ts';
import { isTelling } from './former-limits.ts';
import { IDLE_MODEL_PRIORS } from './idle-model-types.ts';
import { INTERVAL } from './limit-estimate.ts';
import { NOISE_SECONDS } from './observation.ts';
import { CHECK_TRIALS, LEAST_LOAD, precisionOf, type SizeView, usualTrials, widthGoal } from './size-view.ts';
import { verdictStep } from './verdict-search.ts';

/** The next trial, and the sentence that explains it. */
export interface TrialChoice {
  readonly size: number;
  readonly np: number;
  readonly unitRate: number;
  readonly windowMs: number;
  readonly purpose: TrialPurpose;
  readonly why: string;
}

/** What a size still needs. */
export type Need = 'location' | 'width' | 'lower' | 'upper';

/** Wider than this, half of the interval, and the limit is not located yet, ln(load). */
const LOCATED = 0.15;
/** So wide that the trial goes to the cautious side. */
const UNSURE = 0.3;
/** Windows over the shortest one. */
const WINDOW_FACTORS = [1, 4 / 3, 2, 3, 4] as const;
/** The longest of them: but for a look at the ISR, no window is planned to be longer. */
export const LONGEST_FACTOR = WINDOW_FACTORS[4];
/** The first trials only locate: longer than the shortest window tells no more while half the interval is over this. */
const SHORT_UNTIL = 0.25;
/**
 * Trials go this share of the precision to a side: near enough to tell of the limit whatever the slope, far enough for a
 * verdict that can stand as a bound.
 */
const SIDE_SHARE = 0.8;
/** A check goes so many deviations of a verdict's place to a side. */
const CHECK_SPREADS = 1.5;
const CHECK_SIDES = 2;
/** ... in windows of at least this many shortest ones: a check is there to tell a change. */
const CHECK_WINDOW = 2;
/** One producer may be half of the precision, with some slack, or the unit rate is chosen anew. */
const COARSE_SHARE = 0.8;
/** Trials that look for a bound alone, per size ... */
const BOUND_TRIALS = 3;
/** ... and how often a side may give the other side's verdict before it is left without a bound. */
const MOST_MISSED = 4;
/** A load is never raised by more than this over the largest one that was held. */
const LARGEST_RISE = 2;

/** What the size lacks, worst first; null when it has all it can get. */
export function needOf(view: SizeView, config: SearchConfig): Need | null {
  const { bounds, ending } = view;
  if (ending && ending.kind !== 'effort') return null;
  if (!ending && view.halfWidth > LOCATED) return 'location';
  const isWide = view.halfWidth > widthGoal(config);
  if (!ending && (isWide || validTrials(view.size).length === 0)) return 'width';
  const most = view.isCheck ? CHECK_TRIALS : usualTrials(config) + BOUND_TRIALS;
  if (validTrials(view.size).length >= most) return null;
  const hasLower = bounds.lower?.hasSeenIsr || (bounds.lower && !isHoldShort(config));
  if (!hasLower && failed(view, 'lower') < MOST_MISSED) return 'lower';
  if (!bounds.upper && failed(view, 'upper') < MOST_MISSED) return 'upper';
  if (view.isCheck && view.former && !isTelling(view.former)) return 'width';
  return null;
}

/** Holds longer than the longest window are for the steady-state check, not for every size. */
export function isHoldShort(config: SearchConfig): boolean {
  return config.isrHoldMs <= longestWindowMs(config);
}

/** Picks the trial that the search needs most: both ends of the sizes are located first, then the widest size goes on. */
export function chooseTrial(views: readonly SizeView[], config: SearchConfig): TrialChoice | null {
  const unmodelled = views.find((view) => !view.isModelled && isStepLeft(view, config));
  if (unmodelled) return verdictChoice(unmodelled, config);
  const needy = views.flatMap((view) => {
    const need = view.isModelled ? needOf(view, config) : null;
    return need ? [{ view, need }] : [];
  });
  const bySize = [...needy].sort((a, b) => a.view.size.messageBytes - b.view.size.messageBytes);
  const ends = [bySize[0], bySize.at(-1)].filter((end) => end?.need === 'location' && isEnd(end.view, views));
  const first = ends[0] ?? needy.reduce<(typeof needy)[number] | null>(widest, null);
  return first ? placeTrial(first.view, first.need, needy.length, config) : null;
}

function isStepLeft(view: SizeView, config: SearchConfig): boolean {
  return view.size.trials.length < config.maxTrials && verdictStep(view.size, config).kind === 'trial';
}

function verdictChoice(view: SizeView, config: SearchConfig): TrialChoice | null {
  const step = verdictStep(view.size, config);
  if (step.kind !== 'trial') return null;
  const { np, unitRate, windowMs, purpose, why } = step;
  return {
    size: view.index,
    np,
    unitRate,
    windowMs,
    purpose,
    why: `np ${np} of ${formatBytes(Math.round(view.size.messageBytes))} next, by verdicts alone: ${why}`,
  };
}

function isEnd({ size }: SizeView, views: readonly SizeView[]): boolean {
  return (
    !views.some((other) => other.size.messageBytes < size.messageBytes) ||
    !views.some((other) => other.size.messageBytes > size.messageBytes)
  );
}

function widest<T extends { readonly view: SizeView }>(best: T | null, next: T): T {
  return best === null || next.view.halfWidth > best.view.halfWidth ? next : best;
}

function placeTrial(view: SizeView, need: Need, needy: number, config: SearchConfig): TrialChoice {
  const { size, analysis, ceiling } = view;
  const { estimate } = analysis;
  const side = sideOf(view, need);
  const isUnknown = view.halfWidth > UNSURE && validTrials(size).length === 0;
  const middle = isUnknown ? estimate.cautious : estimate.median;
  const aim = Math.exp(middle + (view.halfWidth > UNSURE ? 0 : offsetOf(view, side, config)));
  const held = validTrials(size).filter(isSustained).map(loadOf);
  const gentle = held.length > 0 ? LARGEST_RISE * Math.max(...held) : Number.POSITIVE_INFINITY;
  const load = Math.max(LEAST_LOAD, Math.min(aim, gentle, ceiling.load));
  const unitRate = unitRateFor(
    size,
    Math.min(ceiling.load, Math.max(Math.exp(middle), LEAST_LOAD)),
    load,
    config,
  );
  const most = Math.min(config.maxNp, Math.floor(ceiling.load / unitRate + 1e-9));
  const np = Math.max(1, Math.min(Math.round(load / unitRate), most));
  const windowMs = windowFor(view, need, side, config);
  const halfWidthAfter = widthAfter(view, windowMs / 1_000);
  return {
    size: view.index,
    np,
    unitRate,
    windowMs,
    purpose: PURPOSES[need],
    why: explainTrial(view, need, { np, unitRate, windowMs, needy, halfWidthAfter }),
  };
}

const PURPOSES: Readonly<Record<Need, TrialPurpose>> = {
  location: 'gallop',
  width: 'bisect',
  lower: 'confirm-lower',
  upper: 'confirm-upper',
};

/** Trials go to both sides of the estimate, so that they double as bounds; -1 below, 1 above. */
function sideOf(view: SizeView, need: Need): -1 | 1 {
  if (need === 'lower') return -1;
  if (need === 'upper') return 1;
  const { lower, upper } = view.bounds;
  if (!lower && upper) return -1;
  if (lower && !upper) return 1;
  const median = view.analysis.estimate.median;
  const below = validTrials(view.size).filter((trial) => Math.log(loadOf(trial)) < median).length;
  return below * 2 <= validTrials(view.size).length ? -1 : 1;
}

/** How far off the estimate: most of the precision, and farther each time a trial there gave the other verdict. */
function offsetOf(view: SizeView, side: -1 | 1, config: SearchConfig): number {
  const missed = failed(view, side < 0 ? 'lower' : 'upper');
  if (view.isCheck) return side * checkOffset(view, config) * (1 + 0.5 * missed);
  return side * SIDE_SHARE * precisionOf(config) * (1 + 0.5 * Math.min(missed, MOST_MISSED));
}

/**
 * A check has one trial for each side: as far off that its verdict is hardly a matter of chance, and that the model is
 * sure of the side.
 */
function checkOffset(view: SizeView, config: SearchConfig): number {
  const { slope, noise } = view.analysis;
  const spread = Math.hypot(
    (noise * Math.sqrt((NOISE_SECONDS * 1_000) / longestWindowMs(config))) / slope,
    IDLE_MODEL_PRIORS.runToRun,
    view.halfWidth / INTERVAL,
  );
  return Math.max(SIDE_SHARE * precisionOf(config), CHECK_SPREADS * spread);
}

/** Trials on a side of the estimate, near it, whose verdict is the other side's. */
function failed({ size, analysis }: SizeView, bound: 'lower' | 'upper'): number {
  const { median } = analysis.estimate;
  return validTrials(size).filter((trial) => {
    const distance = Math.log(loadOf(trial)) - median;
    return bound === 'lower'
      ? distance < 0 && distance > -UNSURE && !isSustained(trial)
      : distance > 0 && distance < UNSURE && isSustained(trial);
  }).length;
}

/** Keeps the unit rate unless one producer is too coarse a step there, or too many of them would be needed. */
function unitRateFor(size: SizeState, middle: number, load: number, config: SearchConfig): number {
  const np = scaleNp(config);
  const fresh = roundRate(middle / np);
  const unitRate = size.unitRate ?? fresh;
  const isTooCoarse = middle / unitRate < COARSE_SHARE * np;
  const isTooFine = Math.max(middle, load) / unitRate > Math.min(config.maxNp, 2 * np);
  return isTooCoarse || isTooFine ? fresh : unitRate;
}

function longestWindowMs(config: SearchConfig): number {
  return config.windowMs * LONGEST_FACTOR;
}

/** The shortest window that brings the size to its goal, alone or with others like it. */
function windowFor(view: SizeView, need: Need, side: -1 | 1, config: SearchConfig): number {
  const windows = WINDOW_FACTORS.map((factor) => Math.round(config.windowMs * factor));
  const longest = longestWindowMs(config);
  if (view.halfWidth > SHORT_UNTIL) return config.windowMs;
  const trials = trialsNeeded(view, longest / 1_000, config);
  const share = view.isCheck
    ? Math.max(1, CHECK_SIDES - validTrials(view.size).length)
    : Math.max(1, Math.ceil(trials - 0.05));
  const enough = windows.find((window) => trialsNeeded(view, window / 1_000, config) <= share) ?? longest;
  const least = view.isCheck ? config.windowMs * CHECK_WINDOW : config.windowMs;
  const holds = side < 0 && !view.bounds.lower?.hasSeenIsr && isHoldShort(config) && need !== 'location';
  return Math.max(enough, least, holds ? config.isrHoldMs : 0);
}

/** How many trials of this length bring the size's variance to its goal, had it no others to lean on. */
function trialsNeeded(view: SizeView, windowSeconds: number, config: SearchConfig): number {
  return trialsFor(view.analysis, windowSeconds, view.halfWidth, config);
}

/** The same for any curve, from a half width that is known. */
export function trialsFor(at: Curve, windowSeconds: number, halfWidth: number, config: SearchConfig): number {
  const goal = 1 / (widthGoal(config) / INTERVAL) ** 2;
  const known = 1 / (halfWidth / INTERVAL) ** 2;
  return Math.max(0, (goal - known) * readingVariance(at, windowSeconds));
}

/** The half width that a size likely has after one more trial. */
function widthAfter({ analysis, halfWidth }: SizeView, windowSeconds: number): number {
  const known = 1 / (halfWidth / INTERVAL) ** 2;
  return INTERVAL / Math.sqrt(known + 1 / readingVariance(analysis, windowSeconds));
}

interface Curve {
  readonly slope: number;
  readonly noise: number;
}

/** Variance of the limit that one trial tells, ln(load) squared. */
function readingVariance({ slope, noise }: Curve, windowSeconds: number): number {
  return (noise ** 2 * NOISE_SECONDS) / windowSeconds / slope ** 2 + IDLE_MODEL_PRIORS.runToRun ** 2;
}
