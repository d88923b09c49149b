import type { LoadBound } from '../../boundary-point.ts';
import type { SearchConfig } from '../search.ts';
import { loadOf, type SizeState, type StoredTrial, validTrials } from './adaptive-state.ts';

export interface ConfirmedBounds {
  readonly lower: ConfirmedBound | null;
  readonly upper: ConfirmedBound | null;
}

export interface ConfirmedBound {
  readonly bound: LoadBound;
  /** The trial that stands for it: an overloaded one names rule and broker. */
  readonly trial: StoredTrial;
  /** Whether a sustained trial at this load or above was long enough to see a follower leave the ISR. */
  readonly hasSeenIsr: boolean;
}

/** The model must not doubt a bound that two trials agree on ... */
const AGREED_CHANCE = 0.8;
/** ... and may confirm a single trial alone. */
const SURE_CHANCE = 0.975;

/**
 * Bounds from verdicts. A sustained trial speaks for its load and all below, an overloaded one for its load and all above.
 * A bound needs more trials for than against it, and either a second trial that agrees or a model that is sure of it: the
 * model knows the trials at all other loads and sizes. `lower` always lies under `upper`.
 *
 * @param chanceAbove chance that the limit lies above ln(load), of the model; null where no model fits.
 */
export function confirmedBounds(
  size: SizeState,
  config: Pick<SearchConfig, 'confirm' | 'isrHoldMs'>,
  chanceAbove: ((lnLoad: number) => number) | null,
): ConfirmedBounds {
  // In time, so that equal loads give the same bound whatever the order in which they are kept.
  const trials = [...validTrials(size)].sort((a, b) => a.atSeconds - b.atSeconds);
  const isConfirmed = (agreeing: number, opposing: number, chance: number | null): boolean => {
    if (agreeing <= opposing) return false;
    if (chance === null) return agreeing > opposing + config.confirm;
    if (chance >= SURE_CHANCE) return true;
    return agreeing > config.confirm && chance >= AGREED_CHANCE;
  };
  let lower: ConfirmedBound | null = null;
  let upper: ConfirmedBound | null = null;
  for (const trial of trials) {
    const load = loadOf(trial);
    const sustained = trials.filter((other) => isSustained(other) && loadOf(other) >= load);
    const overloaded = trials.filter((other) => !isSustained(other) && loadOf(other) <= load);
    const above = chanceAbove?.(Math.log(load)) ?? null;
    if (isSustained(trial)) {
      const isHigher = lower === null || load > loadOf(lower.trial);
      if (isHigher && isConfirmed(sustained.length, overloaded.length, above)) {
        const hasSeenIsr = sustained.some(({ windowSeconds }) => windowSeconds * 1_000 >= config.isrHoldMs);
        lower = { bound: boundOf(trial, sustained), trial, hasSeenIsr };
      }
    } else {
      const isLower = upper === null || load < loadOf(upper.trial);
      if (isLower && isConfirmed(overloaded.length, sustained.length, above === null ? null : 1 - above)) {
        upper = { bound: boundOf(trial, overloaded), trial, hasSeenIsr: false };
      }
    }
  }
  return { lower, upper };
}

export function isSustained({ verdict }: StoredTrial): boolean {
  return verdict.kind === 'sustained';
}

/** The load of a bound; messages per second are the mean over the trials of that very load. */
function boundOf(trial: StoredTrial, agreeing: readonly StoredTrial[]): LoadBound {
  const { np, unitRate } = trial;
  const same = agreeing.filter((other) => loadOf(other) === loadOf(trial));
  const sum = same.reduce(
    (total, { ackedPerSecond, offeredPerSecond }) =>
      total + (isSustained(trial) ? ackedPerSecond : offeredPerSecond),
    0,
  );
  return { np, unitRate, messagesPerSecond: sum / same.length, trials: agreeing.length };
}
