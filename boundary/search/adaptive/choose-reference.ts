import { formatBytes } from '../../units.ts';
import type { SearchConfig } from '../search.ts';
import { type StoredTrial, validTrials } from './adaptive-state.ts';
import type { TrialChoice } from './choose-trial.ts';
import { nearTrials, type SizeView } from './size-view.ts';
import { isSuspect, isTold, type Trend } from './trend.ts';

/** Repeats of an early trial in a run: the first for a suspicion, the second for a doubt that is left. */
const MOST_REFERENCES = 2;
/** A repeat lasts at least this many shortest windows. */
const WINDOWS = 2;

/** The trial that is repeated to tell a trend, with its size. */
interface Reference {
  readonly view: SizeView;
  readonly trial: StoredTrial;
}

/**
 * The reference of a run: its earliest valid trial near a limit, where idle tells most, at a size that may take one more.
 * Stays the same once it has been repeated.
 */
export function referenceOf(views: readonly SizeView[], config: SearchConfig): Reference | null {
  const candidates = views.flatMap((view): Reference[] => {
    const mayGoOn = view.isModelled && (view.ending === null || view.ending.kind === 'effort');
    if (!mayGoOn || view.size.trials.length >= config.maxTrials) return [];
    return nearTrials(view.size, view.analysis).map((trial) => ({ view, trial }));
  });
  return candidates.reduce<Reference | null>(
    (first, next) => (first === null || next.trial.atSeconds < first.trial.atSeconds ? next : first),
    null,
  );
}

/** Repeats the reference when a trend is suspected; null when there is none, or when it is told already. */
export function chooseReference(
  views: readonly SizeView[],
  trend: Trend | null,
  config: SearchConfig,
): TrialChoice | null {
  if (!trend || !isSuspect(trend)) return null;
  const repeats = views.flatMap(({ size }) => validTrials(size)).filter(isReference).length;
  if (repeats >= MOST_REFERENCES || (repeats > 0 && isTold(trend))) return null;
  const reference = referenceOf(views, config);
  if (!reference) return null;
  const { np, unitRate, plannedWindowMs, atSeconds } = reference.trial;
  const { messageBytes } = reference.view.size;
  return {
    size: reference.view.index,
    np,
    unitRate,
    windowMs: Math.max(plannedWindowMs, config.windowMs * WINDOWS),
    purpose: 'reference',
    why:
      `np ${np} of ${formatBytes(Math.round(messageBytes))} ${repeats > 0 ? 'once more' : 'again'}, as in minute ${Math.round(atSeconds / 60)}: the ` +
      `cluster seems to have got ${trend.change < 0 ? 'slower' : 'faster'}, and one load at two times tells`,
  };
}

export function isReference({ purpose }: StoredTrial): boolean {
  return purpose === 'reference';
}
