import type { BoundaryPoint, FreshLimit, LoadBound } from '../../boundary-point.ts';
import { durationText, rateText, roughRateText } from '../figure-text.ts';
import type { SearchConfig } from '../search.ts';
import { COARSEST_GAP, holdStep } from './hold-step.ts';
import { type DroppedHold, dropOf, type HoldTrial, holdBracketOf } from './hold-trial.ts';

/**
 * A point with what its holds have shown, whether they are over or not.
 *
 * A bound that lasted leaves the point as it was, but for the trials and seconds of its hold. The safe load, a part of
 * the bound, needs no hold of its own then: it is carried a fortiori. Where the bound dropped, the point becomes that of
 * a cluster under lasting load: `lower` is the load that lasted, `upper` the smallest that did not, the estimate their
 * geometric middle, so that whatever plans with `lower` is right; what the fresh cluster took stays in the notes.
 */
export function heldPoint(
  point: BoundaryPoint,
  trials: readonly HoldTrial[],
  config: SearchConfig,
): BoundaryPoint {
  if (!point.lower) return point;
  const plannedSeconds = (config.holdMs ?? 0) / 1_000;
  const bracket = holdBracketOf(trials);
  const ending = endingOf(point, trials, config);
  const counted = {
    ...point,
    trials: point.trials + trials.length,
    seconds: trials.reduce((sum, { seconds }) => sum + seconds, point.seconds),
  };
  if (bracket.valid === 0) return { ...counted, notes: [...point.notes, ...ending] };
  const lasted = bracket.lasted && lastedBound(bracket.lasted);
  const hold = { plannedSeconds, lasted, drops: bracket.drops.map(dropOf) };
  // Whoever looked on for so long has seen the ISR.
  const isIsrSeen = (config.holdMs ?? 0) >= config.isrHoldMs;
  const notes = point.notes.filter((note) => !(isIsrSeen && note === 'ISR not observed'));
  if (!bracket.dropped) return { ...counted, notes: [...notes, ...farNote(point), ...ending], hold };
  const caveats = [freshNote(point), ...notes.map((note) => `when fresh: ${note}`), ...ending];
  return {
    ...counted,
    ...lastingLimit(lasted, bracket.dropped),
    notes: caveats,
    hold: { ...hold, fresh: freshLimit(point) },
  };
}

function freshLimit({ estimate, interval, lower, upper, quality }: BoundaryPoint): FreshLimit {
  return { estimate, interval, lower, upper, quality };
}

function lastingLimit(
  lower: LoadBound | null,
  dropped: DroppedHold,
): Pick<BoundaryPoint, 'estimate' | 'interval' | 'lower' | 'upper' | 'quality' | 'limit'> {
  const { np, unitRate, offeredPerSecond, verdict } = dropped;
  const { rule, brokerId } = verdict;
  return {
    estimate: lower && Math.sqrt(lower.messagesPerSecond * offeredPerSecond),
    interval: null,
    lower,
    upper: { np, unitRate, messagesPerSecond: offeredPerSecond, trials: 1 },
    quality: lower ? 'wide' : 'at most',
    limit: { rule, brokerId },
  };
}

function lastedBound({ np, unitRate, ackedPerSecond }: HoldTrial): LoadBound {
  return { np, unitRate, messagesPerSecond: ackedPerSecond, trials: 1 };
}

/** Why the holds are not all there, if they are not. */
function endingOf(point: BoundaryPoint, trials: readonly HoldTrial[], config: SearchConfig): string[] {
  const step = holdStep(point, trials, config);
  if (step.kind === 'finished') return step.note === null ? [] : [step.note];
  return trials.some(({ verdict }) => verdict.kind === 'overloaded')
    ? ['the search for a load that lasts is not at its end']
    : [`not held for ${durationText((config.holdMs ?? 0) / 1_000)}: the bound may not last`];
}

/** A bound far under the limit may last where the limit does not. */
function farNote({ estimate, lower }: BoundaryPoint): string[] {
  if (estimate === null || !lower) return [];
  const under = 1 - lower.messagesPerSecond / estimate;
  return under > COARSEST_GAP
    ? [
        `the limit itself was not held: ${rateText(lower.messagesPerSecond)} is ${Math.round(100 * under)} % under it`,
      ]
    : [];
}

/** The drops themselves are in `hold`. */
function freshNote({ estimate, lower }: BoundaryPoint): string {
  return `the limit of a fresh cluster was about ${roughRateText(estimate ?? lower?.messagesPerSecond ?? 0)}`;
}
