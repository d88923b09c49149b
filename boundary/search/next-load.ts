import type { TrialPurpose } from '../trial.ts';
import { type Bracket, bracketOf, type LoadVotes, sameLoad } from './bracket.ts';
import { largestLoad } from './largest-load.ts';
import type { PointState } from './point-state.ts';
import type { SearchConfig } from './search.ts';
import { GALLOP_FACTOR, GALLOP_START, scaleNp } from './unit-rate.ts';

/** An invalid trial is repeated at most this often; then the point ends (verdict page). */
export const MAX_INVALID_REPEATS = 2;

/** No point takes more trials than this, whatever the answers. */
export const MAX_TRIALS_PER_POINT = 40;

/** What a point needs next: a probe, a trial, or nothing any more. */
export type NextLoad =
  | { readonly kind: 'probe' }
  | {
      readonly kind: 'trial';
      readonly np: number;
      readonly unitRate: number;
      readonly purpose: TrialPurpose;
      readonly windowMs: number;
      readonly why: string;
    }
  /** `isGivenUp`: trials stayed invalid or contradictory, so that less is known than both bounds say. */
  | { readonly kind: 'finished'; readonly note: string | null; readonly isGivenUp: boolean };

type Choice = {
  readonly np: number;
  readonly unitRate: number;
  readonly purpose: TrialPurpose;
  readonly why: string;
};

/**
 * Published method, on np: gallop until both sides are known, halve the bracket until it is narrow, then repeat each
 * bound (confirm = 1). Everything follows from the votes so far, so a replay decides alike.
 */
export function nextLoad(point: PointState, config: SearchConfig): NextLoad {
  if (point.unitRate === null) {
    return point.probes.length <= MAX_INVALID_REPEATS
      ? { kind: 'probe' }
      : { kind: 'finished', note: 'no probe could be read', isGivenUp: true };
  }
  if (point.trials >= MAX_TRIALS_PER_POINT) {
    return { kind: 'finished', note: `no agreement after ${MAX_TRIALS_PER_POINT} trials`, isGivenUp: true };
  }
  const bracket = bracketOf(point.votes);
  const choice = chooseLoad(point.unitRate, bracket, point, config);
  if (typeof choice === 'string') return { kind: 'finished', note: choice, isGivenUp: true };
  if (choice === null) return { kind: 'finished', note: null, isGivenUp: false };
  if (point.trials >= config.maxTrials && bracket.lower && bracket.upper) {
    return {
      kind: 'finished',
      note: `ended after ${point.trials} trials (maxTrials ${config.maxTrials})`,
      isGivenUp: false,
    };
  }
  const failures = point.invalid.filter((trial) => sameLoad(trial, choice));
  const last = failures.at(-1);
  if (last && failures.length > MAX_INVALID_REPEATS) {
    return {
      kind: 'finished',
      note: `np ${choice.np} stays invalid: ${last.reason} (${last.detail})`,
      isGivenUp: true,
    };
  }
  const holds = choice.purpose === 'confirm-lower' || choice.purpose === 'tie-break';
  return {
    kind: 'trial',
    ...choice,
    windowMs: holds ? Math.max(config.windowMs, config.isrHoldMs) : config.windowMs,
  };
}

/** The load to try; a sentence when the search must end short; null when the point is found. */
function chooseLoad(
  unitRate: number,
  bracket: Bracket,
  point: PointState,
  config: SearchConfig,
): Choice | string | null {
  if (bracket.tied) {
    return repeat(bracket.tied, 'tie-break', 'its trials contradict each other');
  }
  const knownNp = config.known?.overloadedNp ?? null;
  if (bracket.upper === null && knownNp === null) return gallopUp(unitRate, bracket, point, config);
  if (bracket.lower === null && knownNp === null) return gallopDown(unitRate, bracket);
  return bisect(unitRate, bracket, config) ?? confirmBounds(bracket, config);
}

function gallopUp(
  unitRate: number,
  bracket: Bracket,
  point: PointState,
  config: SearchConfig,
): Choice | string {
  const wantedLoad = bracket.lower
    ? bracket.lower.load * GALLOP_FACTOR
    : GALLOP_START * scaleNp(config) * unitRate;
  const ceiling = largestLoad(point.messageBytes, config);
  const npUnderCeiling = Math.floor(ceiling.load / unitRate);
  const largestNp = Math.min(config.maxNp, npUnderCeiling);
  const np = Math.min(largestNp, Math.max(1, Math.round(wantedLoad / unitRate)));
  if (np < 1 || (bracket.lower && np * unitRate <= bracket.lower.load)) {
    const why =
      config.maxNp < npUnderCeiling ? `${config.maxNp} producers are the most allowed` : ceiling.why;
    return `the largest load is sustained: ${why}`;
  }
  return { np, unitRate, purpose: 'gallop', why: 'no overload seen yet' };
}

function gallopDown(unitRate: number, bracket: Bracket): Choice | string {
  const np = Math.floor((bracket.upper?.load ?? 0) / GALLOP_FACTOR / unitRate);
  if (np < 1) return 'even the smallest load overloads';
  return { np, unitRate, purpose: 'gallop', why: 'nothing sustained yet' };
}

/** The middle of the bracket in whole producers; null when it is narrow enough, or no np lies inside. */
function bisect(unitRate: number, bracket: Bracket, config: SearchConfig): Choice | null {
  const knownLoad = config.known ? config.known.overloadedNp * config.known.unitRate : 0;
  const lowerLoad = bracket.lower?.load ?? 0;
  const upperLoad = bracket.upper?.load ?? knownLoad;
  if (isNarrow(lowerLoad, upperLoad, config.precision)) return null;
  const first = Math.floor(lowerLoad / unitRate + 1e-9) + 1;
  const last = Math.ceil(upperLoad / unitRate - 1e-9) - 1;
  if (first > last) return null;
  const middle = Math.floor((lowerLoad + upperLoad) / 2 / unitRate + 1e-9);
  const np = Math.min(last, Math.max(first, middle));
  return { np, unitRate, purpose: 'bisect', why: `halves ${first - 1}-${last + 1}` };
}

/** Whether the bracket is as narrow as asked: its width over its upper end. */
export function isNarrow(lowerLoad: number, upperLoad: number, precision: number): boolean {
  return upperLoad - lowerLoad <= precision * upperLoad;
}

function confirmBounds({ lower, upper }: Bracket, config: SearchConfig): Choice | null {
  if (config.confirm === 0) return null;
  if (lower && !isLowerConfirmed(lower, config)) {
    return repeat(lower, 'confirm-lower', 'a bound is reported only after a second trial agrees');
  }
  if (upper && upper.overloaded < 2) {
    return repeat(upper, 'confirm-upper', 'a bound is reported only after a second trial agrees');
  }
  return null;
}

/** Two trials agree, and one of them was long enough to see a follower leave the ISR. */
export function isLowerConfirmed(lower: LoadVotes, config: SearchConfig): boolean {
  return lower.sustained >= 2 && hasSeenIsr(lower, config);
}

/** Whether a sustained trial of this load was long enough to see a follower leave the ISR. */
export function hasSeenIsr(lower: LoadVotes, config: SearchConfig): boolean {
  return lower.votes.some((vote) => vote.isSustained && vote.windowMs >= config.isrHoldMs);
}

function repeat(load: LoadVotes, purpose: TrialPurpose, why: string): Choice {
  return { np: load.np, unitRate: load.unitRate, purpose, why };
}
