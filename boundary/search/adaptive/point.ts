import type { BoundaryPoint, LoadBound, PointQuality } from '../../boundary-point.ts';
import { marginText, rateText } from '../figure-text.ts';
import type { SearchConfig } from '../search.ts';
import { unknownPoint } from '../unknown-point.ts';
import { type SizeState, validTrials } from './adaptive-state.ts';
import { compareWithFormer } from './former-limits.ts';
import { halfWidth as halfWidthOf } from './limit-estimate.ts';
import { misfitNote } from './misfit-note.ts';
import { isPrecise, type SizeView } from './size-view.ts';
import { verdictPoint } from './verdict-search.ts';

/** The ISR is not observed near the limit when the lower bound lies this far under the interval, ln(load). */
const ISR_GAP = 0.1;
/** The drift that a run cannot see is worth a note when it widens the interval by this. */
const DRIFT_TELLS = 1.2;

/** Half of an interval, ln(load): a limit that may be ten times less, or more, is not known. */
const UNTOLD = Math.log(10);

/** What a size has come to. */
export function pointOf(
  size: SizeState,
  view: SizeView | null,
  config: SearchConfig,
  brokerIds: readonly string[],
): BoundaryPoint {
  const { messageBytes, trials, probes, seconds } = size;
  const counts = { messageBytes, trials: trials.length + probes.length, seconds };
  if (!view || validTrials(size).length === 0) {
    return unknownPoint(counts, view?.ending?.note ?? 'no probe could be read');
  }
  if (!view.isModelled) {
    return { ...verdictPoint(size, config, misfitNote(size, view.analysis)), ...counts };
  }
  const { estimate, lasting } = view.analysis;
  const { lower, upper } = view.bounds;
  const former = view.former && compareWithFormer(view.former, Math.exp(estimate.median));
  const known = isTold(view)
    ? {
        estimate: Math.exp(estimate.median),
        interval: { low: Math.exp(lasting.low), high: Math.exp(lasting.high) },
      }
    : { estimate: null, interval: null };
  return {
    ...counts,
    ...known,
    lower: lower?.bound ?? null,
    upper: upper?.bound ?? null,
    quality: qualityOf(view, config),
    limit: limitOf(view, brokerIds),
    ...(former ? { former } : {}),
    notes: notesOf(view, former !== null, config),
  };
}

/** Whether the limit itself is known, not only what it is above or below: where no load near it was tried, it is not. */
function isTold({ analysis, ending }: SizeView): boolean {
  return ending?.kind !== 'at most' && halfWidthOf(analysis.lasting) < UNTOLD;
}

function qualityOf({ halfWidth, bounds, ending }: SizeView, config: SearchConfig): PointQuality {
  if (ending?.kind === 'at least') return 'at least';
  if (ending?.kind === 'at most') return 'at most';
  if (isPrecise(halfWidth, config) && bounds.lower && bounds.upper) return 'converged';
  if (bounds.upper && !bounds.lower) return 'at most';
  if (bounds.lower && !bounds.upper) return 'at least';
  return 'wide';
}

/** The rule that stops a load at the estimate; on the broker of the upper bound's verdict, or the one likely the worst. */
function limitOf({ bounds, analysis }: SizeView, brokerIds: readonly string[]): BoundaryPoint['limit'] {
  const verdict = bounds.upper?.trial.verdict;
  if (verdict?.kind !== 'overloaded') return null;
  const { rule } = analysis.estimate;
  if (verdict.rule === rule) return { rule, brokerId: verdict.brokerId };
  const worst = analysis.worstBroker === null ? undefined : brokerIds[analysis.worstBroker];
  return { rule, brokerId: rule === 'request-handler idle' && worst !== undefined ? Number(worst) : null };
}

function notesOf(view: SizeView, isCompared: boolean, config: SearchConfig): string[] {
  const { former, bounds, ending, analysis, halfWidth } = view;
  const isShort = ending !== null && (ending.kind !== 'effort' || !isPrecise(halfWidth, config));
  const notes = isShort ? [ending.note] : [];
  if (former && !isCompared) {
    notes.push('too few trials to tell whether the former limit holds');
  }
  if (!bounds.lower) notes.push('no load is confirmed as sustained');
  if (!bounds.upper) notes.push('no load is confirmed as overloaded');
  const lasting = halfWidthOf(analysis.lasting);
  if (isTold(view) && lasting > DRIFT_TELLS * halfWidth) {
    notes.push(
      `the trials alone give ${marginText(halfWidth)}: the interval is wider for noise that few trials tell, and for the drift of an hour`,
    );
  }
  if (bounds.lower && !bounds.lower.hasSeenIsr) notes.push('ISR not observed');
  else if (bounds.lower && isTold(view)) notes.push(...isrNote(bounds.lower.bound, analysis.lasting.low));
  if (bounds.upper && analysis.estimate.rule === 'delivery')
    notes.push('deliveries fall behind before idle runs out');
  return notes;
}

/** A window that is too short for a follower to leave the ISR says nothing of loads above the one that was long enough. */
function isrNote({ messagesPerSecond }: LoadBound, lnLow: number): string[] {
  const isFar = Math.log(messagesPerSecond) < lnLow - ISR_GAP;
  return isFar ? [`ISR observed up to ${rateText(messagesPerSecond)} only`] : [];
}
