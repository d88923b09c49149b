import { type Ceiling, largestLoad } from '../largest-load.ts';
import { MAX_INVALID_REPEATS } from '../next-load.ts';
import type { FormerLimit, SearchConfig } from '../search.ts';
import { loadOf, type SizeState, type StoredTrial, validTrials } from './adaptive-state.ts';
import type { SizeAnalysis } from './analyse.ts';
import { type ConfirmedBounds, confirmedBounds, isSustained } from './confirmed-bounds.ts';
import { type FormerStanding, isTelling } from './former-limits.ts';
import { halfWidth } from './limit-estimate.ts';

/** A size as the plan sees it: what its trials and the model say, and whether it is over. */
export interface SizeView {
  readonly index: number;
  readonly size: SizeState;
  readonly analysis: SizeAnalysis;
  /** Half of the 95 % interval over the estimate. */
  readonly halfWidth: number;
  readonly bounds: ConfirmedBounds;
  /** Largest load that may be offered, and whether something of the run has set it; messages per second. */
  readonly ceiling: Ceiling;
  readonly ending: Ending | null;
  /** How the former limit stands; null where there is none. */
  readonly former: FormerStanding | null;
  /** A former limit that stands, is narrow enough to need no more than a check, and is not left open by one. */
  readonly isCheck: boolean;
  /** Whether the model fits; where it does not, verdicts alone count. */
  readonly isModelled: boolean;
}

/** Why a size gets no more trials though it may lack something. */
export interface Ending {
  readonly kind: 'at least' | 'at most' | 'given up' | 'effort';
  readonly note: string;
}

/** A generator that fell short is not asked for this share of that load again. */
const GENERATOR_ROOM = 0.9;
/** Less than this, messages per second of the cluster, is no load. */
export const LEAST_LOAD = 1;
/**
 * Trials near the limit of a size, at a precision of 5 %; a finer one takes more, by its square. With noise as measured a
 * steep curve needs two or three, a shallow one would need a dozen: from here on each narrows the interval by a tenth.
 */
const USUAL_TRIALS = 4;
const USUAL_PRECISION = 0.05;
/** Trials that confirm a former limit, unless they disagree so much that they tell nothing. */
export const CHECK_TRIALS = 3;
/** Trials this close to the estimate count, ln(load). */
const NEAR = 0.2;
/** Half widths aim a little under the precision: they grow again when other sizes show more noise. */
const GOAL_SHARE = 0.95;
/** So many outliers, and such a share of the readings, are a model that does not fit. */
const MISFIT_OUTLIERS = 3;
const MISFIT_SHARE = 0.5;
/** A load is the largest one when it is within this of the ceiling. */
const AT_CEILING = 0.02;
const SURE_CHANCE = 0.975;

/** Looks at one size. */
export function viewSize(
  index: number,
  size: SizeState,
  analysis: SizeAnalysis,
  former: FormerStanding | null,
  config: SearchConfig,
): SizeView {
  const view = {
    index,
    size,
    analysis,
    halfWidth: halfWidth(analysis.estimate),
    bounds: confirmedBounds(size, config, analysis.probabilityAbove),
    ceiling: ceilingOf(size, config),
    former,
    isCheck: former !== null && isCheckOf(former, size, config),
  };
  const { readings, outliers } = analysis;
  const isModelled = !(outliers >= MISFIT_OUTLIERS && outliers >= MISFIT_SHARE * readings);
  return { ...view, ending: endingOf(view, config), isModelled };
}

/** A check that its trials leave open goes on as a search does, until they tell. */
function isCheckOf(former: FormerStanding, size: SizeState, config: SearchConfig): boolean {
  if (former.isDropped || !isNarrowFormer(former.limit, config)) return false;
  return validTrials(size).length < CHECK_TRIALS || isTelling(former);
}

/** A former limit wider than this, over the precision, is a start and no answer. */
const FORMER_WIDTH = 3;

function isNarrowFormer({ low, high }: FormerLimit, config: SearchConfig): boolean {
  return Math.log(high / low) / 2 <= FORMER_WIDTH * precisionOf(config);
}

/** The half width that a size aims at. */
export function widthGoal(config: SearchConfig): number {
  return GOAL_SHARE * precisionOf(config);
}

/** The precision that is asked for; about one producer when it is 0. */
export function precisionOf(config: SearchConfig): number {
  return config.precision > 0 ? config.precision : 1 / config.targetNp;
}

/** Whether half an interval is within the precision. */
export function isPrecise(halfWidth: number, config: SearchConfig): boolean {
  return halfWidth <= precisionOf(config);
}

/** Trials near the limit after which more would tell little, at this precision. */
export function usualTrials(config: SearchConfig): number {
  return USUAL_TRIALS * Math.max(1, (USUAL_PRECISION / precisionOf(config)) ** 2);
}

function ceilingOf(size: SizeState, config: SearchConfig): Ceiling {
  const allowed = largestLoad(size.messageBytes, config);
  const short = size.trials.filter(
    ({ verdict }) => verdict.kind === 'invalid' && verdict.reason === 'generator-limited',
  );
  const least = short.reduce((least, trial) => Math.min(least, loadOf(trial)), Number.POSITIVE_INFINITY);
  const atLeast = short.filter((trial) => loadOf(trial) <= least * (1 + AT_CEILING)).length;
  // Once may be chance; the same load falls short again and again when the generator has no more.
  // What came through may be far less than what was asked for.
  const carried = Math.max(...short.map(({ ackedPerSecond }) => ackedPerSecond), 0);
  const room = Math.max(LEAST_LOAD, Math.min(least, carried > 0 ? carried : least) * GENERATOR_ROOM);
  if (atLeast > MAX_INVALID_REPEATS && room < allowed.load) {
    return {
      load: room,
      why: `the generator falls short at ${Math.round(least)} messages/s`,
    };
  }
  return allowed;
}

function endingOf(view: Omit<SizeView, 'ending' | 'isModelled'>, config: SearchConfig): Ending | null {
  const { size, ceiling, analysis } = view;
  const { trials } = size;
  if (trials.length >= config.maxTrials) {
    return { kind: 'given up', note: `ended after ${trials.length} trials, as asked` };
  }
  const spoilt = lastInvalid(trials);
  if (spoilt && spoilt.count > MAX_INVALID_REPEATS && !hasRoomBelow(spoilt.last, ceiling)) {
    const { np, verdict } = spoilt.last;
    const why = verdict.kind === 'invalid' ? `${verdict.reason} (${verdict.detail})` : '';
    return { kind: 'at least', note: `np ${np} stays invalid: ${why}` };
  }
  const atTop = validTrials(size).filter(
    (trial) => isSustained(trial) && loadOf(trial) >= ceiling.load * (1 - AT_CEILING),
  );
  const isAboveTop = analysis.probabilityAbove(Math.log(ceiling.load)) >= SURE_CHANCE;
  if (atTop.length > 1 || (atTop.length === 1 && isAboveTop)) {
    return { kind: 'at least', note: `the largest load is sustained: ${ceiling.why}` };
  }
  const atBottom = validTrials(size).filter(
    (trial) => !isSustained(trial) && loadOf(trial) <= LEAST_LOAD * (1 + AT_CEILING),
  );
  if (atBottom.length > 1) return { kind: 'at most', note: 'even the smallest load overloads' };
  if (view.isCheck && validTrials(size).length >= CHECK_TRIALS) {
    return { kind: 'effort', note: 'its trials agree with the former limit: more would tell little' };
  }
  const usual = usualTrials(config);
  if (nearTrials(size, analysis).length >= usual) {
    return {
      kind: 'effort',
      note: 'wider than asked for after the usual trials; a finer precision allows more',
    };
  }
  return null;
}

/** Valid trials close enough to the limit to tell where it is. */
export function nearTrials(size: SizeState, { estimate }: SizeAnalysis): readonly StoredTrial[] {
  return validTrials(size).filter((trial) => Math.abs(Math.log(loadOf(trial)) - estimate.median) < NEAR);
}

/** The invalid trials that the size ends with; null when the last one was valid. */
function lastInvalid(
  trials: readonly StoredTrial[],
): { readonly last: StoredTrial; readonly count: number } | null {
  const last = trials.at(-1);
  if (last?.verdict.kind !== 'invalid') return null;
  const lastValid = trials.findLastIndex(({ verdict }) => verdict.kind !== 'invalid');
  return { last, count: trials.length - 1 - lastValid };
}

/** A generator that falls short may still do for a smaller load. */
function hasRoomBelow(last: StoredTrial, ceiling: Ceiling): boolean {
  return (
    last.verdict.kind === 'invalid' &&
    last.verdict.reason === 'generator-limited' &&
    loadOf(last) > ceiling.load
  );
}
