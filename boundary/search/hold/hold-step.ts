import type { BoundaryPoint } from '../../boundary-point.ts';
import { formatBytes } from '../../units.ts';
import { durationText, rateText } from '../figure-text.ts';
import { isNarrow, MAX_INVALID_REPEATS } from '../next-load.ts';
import type { SearchConfig } from '../search.ts';
import { roundRate, scaleNp } from '../unit-rate.ts';
import { type DroppedHold, type HoldTrial, heldLoad, holdBracketOf } from './hold-trial.ts';

/** What a size needs next: a hold, or none any more. `note` says why they ended short; null when they did not. */
export type HoldStep =
  | { readonly kind: 'hold'; readonly np: number; readonly unitRate: number; readonly why: string }
  | { readonly kind: 'finished'; readonly note: string | null };

/** Holds are long: a size gets no more of them than this that are valid. */
export const MAX_HOLDS = 4;
/** Nor is a load that lasts found to better than this, over the one that dropped. */
export const COARSEST_GAP = 0.1;
/** The next load lies in here, over the one that dropped ... */
const LEAST_SHARE = 0.5;
const LARGEST_SHARE = 0.9;
/** ... and in the middle when the drop does not say how far above the limit it was. */
const UNTOLD_SHARE = Math.sqrt(LEAST_SHARE * LARGEST_SHARE);
/** Under this np one producer is too coarse a step: half of one must not reach the load that lasted or dropped. */
const FEWEST_NP = 2 / COARSEST_GAP;

interface Load {
  readonly np: number;
  readonly unitRate: number;
}

/**
 * The load to hold next. The bound comes first. When it drops, the load that its drop lets expect; once one load has
 * lasted, the geometric middle between it and the smallest that dropped, until they are near each other. No load is
 * ever larger than the bound, which was offered before.
 */
export function holdStep(point: BoundaryPoint, trials: readonly HoldTrial[], config: SearchConfig): HoldStep {
  const bracket = holdBracketOf(trials);
  const { lasted, dropped } = bracket;
  const last = trials.at(-1);
  if (!point.lower) return { kind: 'finished', note: null };
  if (last?.verdict.kind === 'invalid') {
    const { reason, detail } = last.verdict;
    return bracket.spoilt > MAX_INVALID_REPEATS
      ? { kind: 'finished', note: `${rateText(heldLoad(last))} could not be held: ${reason} (${detail})` }
      : hold(last, `once more, for the last one was invalid (${reason})`, point, config);
  }
  if (!last) return hold(point.lower, 'does the bound last?', point, config);
  if (!dropped || (lasted && isNear(lasted, dropped, config))) return { kind: 'finished', note: null };
  if (bracket.valid >= MAX_HOLDS) return { kind: 'finished', note: `ended after ${MAX_HOLDS} holds` };
  const wanted = lasted
    ? Math.sqrt(heldLoad(lasted) * heldLoad(dropped))
    : heldLoad(dropped) * shareAfter(dropped, config);
  const load = inProducers(wanted, last.unitRate, config);
  const end = `${rateText(heldLoad(dropped))} dropped after ${durationText(dropped.heldSeconds)}`;
  const why = lasted
    ? `${end}, ${rateText(heldLoad(lasted))} lasted`
    : `${end} (${dropped.verdict.rule}); this much should last`;
  return hold(load, why, point, config);
}

function hold({ np, unitRate }: Load, reason: string, point: BoundaryPoint, config: SearchConfig): HoldStep {
  const what = `hold np ${np} of ${formatBytes(point.messageBytes)} for ${durationText((config.holdMs ?? 0) / 1_000)}`;
  return { kind: 'hold', np, unitRate, why: `${what}: ${reason}` };
}

function isNear(lasted: HoldTrial, dropped: HoldTrial, { precision }: SearchConfig): boolean {
  return isNarrow(heldLoad(lasted), heldLoad(dropped), Math.max(2 * precision, COARSEST_GAP));
}

/** What is likely carried for long, over the load that dropped. */
function shareAfter(dropped: DroppedHold, { idleLimit }: SearchConfig): number {
  const told = toldShare(dropped, idleLimit);
  return told === null ? UNTOLD_SHARE : Math.min(LARGEST_SHARE, Math.max(LEAST_SHARE, told));
}

function toldShare(dropped: DroppedHold, idleLimit: number): number | null {
  const { verdict, worstIdle, ackedPerSecond, offeredPerSecond } = dropped;
  switch (verdict.rule) {
    case 'request-handler idle':
      // logit(idle) falls by 1 per ln(load) or faster: a flat curve, so that the next load is a cautious one.
      return worstIdle === null || worstIdle >= idleLimit ? null : odds(worstIdle) / odds(idleLimit);
    case 'delivery':
      return offeredPerSecond > 0 ? ackedPerSecond / offeredPerSecond : null;
    case 'consumer lag':
      return 1 - verdict.value;
    case 'isr churn':
    case 'latency':
      return null;
  }
}

function odds(ratio: number): number {
  return ratio / (1 - ratio);
}

/** The load in whole producers, at the rate at hand unless one of them is too coarse a step or it takes too many. */
function inProducers(load: number, unitRate: number, config: SearchConfig): Load {
  const np = Math.round(load / unitRate);
  if (np >= FEWEST_NP && np <= config.maxNp) return { np, unitRate };
  const fresh = scaleNp(config);
  return { np: fresh, unitRate: roundRate(load / fresh) };
}
