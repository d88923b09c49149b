import { marginText } from '../figure-text.ts';
import type { Need } from './choose-trial.ts';
import type { SizeView } from './size-view.ts';

/** A trial of a size, chosen and not yet explained. */
export interface ChosenTrial {
  readonly np: number;
  readonly unitRate: number;
  readonly windowMs: number;
  /** Sizes that need a trial. */
  readonly needy: number;
  /** Half width that the size likely has after the trial, ratio. */
  readonly halfWidthAfter: number;
}

/**
 * The sentence that tells why a trial is due: what is known, why this size, and what the trial is to bring. It does not name
 * the load: that stands beside it wherever it is shown.
 */
export function explainTrial(view: SizeView, need: Need, trial: ChosenTrial): string {
  const { size, analysis, halfWidth, isCheck } = view;
  const inNp = (ln: number) => String(Math.round(Math.exp(ln) / trial.unitRate));
  const { median, low, high } = analysis.estimate;
  const estimate = `limit near np ${inNp(median)} (${inNp(low)}-${inNp(high)})`;
  const window = `${Math.round(trial.windowMs / 1_000)} s`;
  if (isCheck) {
    const former = inNp(Math.log(view.former?.limit.estimate ?? 1));
    const isBelow = Math.log(trial.np * trial.unitRate) < median;
    const side = isBelow ? 'below must be sustained' : 'above must overload';
    return `${estimate}, the former run found np ${former}; what lies ${side} if that still holds`;
  }
  if (size.added !== undefined && size.trials.length === 0) return `a new size: ${size.added}; ${estimate}`;
  const widest = trial.needy > 1 ? `, least certain of ${trial.needy} sizes` : '';
  switch (need) {
    case 'location':
      return `${estimate}${widest}; a ${window} window locates it`;
    case 'width':
      return `${estimate}${widest}; a ${window} window ${narrowing(halfWidth, trial.halfWidthAfter)}`;
    case 'lower':
      return `${estimate}; a load sustained for ${window} is still missing below`;
    case 'upper':
      return `${estimate}; a load that overloads is still missing above`;
  }
}

function narrowing(before: number, after: number): string {
  if (before <= 0 || after >= before) return 'is the first of its own';
  if (after / before < 0.55) return `halves ${marginText(before)}`;
  return `narrows ${marginText(before)} to ${marginText(after)}`;
}
