import type { BoundaryPoint, LoadBound, PointQuality } from '../boundary-point.ts';
import { type Bracket, bracketOf, type LoadVotes } from './bracket.ts';
import { hasSeenIsr, isLowerConfirmed, isNarrow } from './next-load.ts';
import type { PointState } from './point-state.ts';
import type { SearchConfig } from './search.ts';

/** What the trials of a size amount to. `note` says why the search ended short; null when it ended by itself. */
export function pointResult(
  point: PointState,
  ending: { readonly note: string | null; readonly isGivenUp: boolean },
  config: SearchConfig,
): BoundaryPoint {
  const { note } = ending;
  const bracket = bracketOf(point.votes);
  const lower = bracket.lower ? boundOf(bracket.lower, true) : null;
  const limits = bracket.upper?.votes.flatMap((vote) => (vote.limit ? [vote.limit] : [])) ?? [];
  return {
    messageBytes: point.messageBytes,
    estimate: lower?.messagesPerSecond ?? null,
    interval: null,
    lower,
    upper: bracket.upper ? boundOf(bracket.upper, false) : null,
    quality: qualityOf(bracket, ending.isGivenUp, config),
    limit: limits.at(-1) ?? null,
    notes: notesOf(point, bracket, note, config),
    trials: point.trials,
    seconds: point.seconds,
  };
}

/** A bound from the trials that agree with it; messages per second are their mean. */
function boundOf(load: LoadVotes, isSustained: boolean): LoadBound {
  const agreeing = load.votes.filter((vote) => vote.isSustained === isSustained);
  const sum = agreeing.reduce((total, vote) => total + vote.messagesPerSecond, 0);
  return {
    np: load.np,
    unitRate: load.unitRate,
    messagesPerSecond: sum / agreeing.length,
    trials: agreeing.length,
  };
}

function qualityOf(bracket: Bracket, isGivenUp: boolean, config: SearchConfig): PointQuality {
  const { lower, upper } = bracket;
  if (!upper) return 'at least';
  if (!lower) return 'at most';
  if (isGivenUp) return bracket.isInverted || bracket.tied ? 'unstable' : 'at least';
  if (bracket.isInverted) return 'unstable';
  const isConfirmed = config.confirm === 0 || (isLowerConfirmed(lower, config) && upper.overloaded >= 2);
  const isPrecise = config.precision === 0 || isNarrow(lower.load, upper.load, config.precision);
  return isConfirmed && isPrecise ? 'converged' : 'wide';
}

function notesOf(point: PointState, bracket: Bracket, note: string | null, config: SearchConfig): string[] {
  const notes = note === null ? [] : [note];
  const against = contradictions(point, bracket);
  if (against > 0) notes.push(`${against} of ${point.votes.length} valid trials contradict the bounds`);
  if (bracket.isInverted) notes.push('a larger load was sustained twice; the cluster contradicts itself');
  if (config.confirm === 0 && bracket.lower) notes.push('bounds not repeated (confirm 0)');
  if (config.withoutSignals) notes.push("delivery only: the brokers' own signals were not read");
  else if (bracket.lower && !hasSeenIsr(bracket.lower, config)) notes.push('ISR not observed');
  return notes;
}

/** Trials that say otherwise than the bounds do: overloaded at or under the lower, sustained at or over the upper. */
function contradictions({ votes }: PointState, { lower, upper }: Bracket): number {
  return votes.filter(({ np, unitRate, isSustained }) =>
    isSustained
      ? upper !== null && np * unitRate >= upper.load
      : lower !== null && np * unitRate <= lower.load,
  ).length;
}
