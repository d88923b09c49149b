import type { ChosenSeries } from './choose-series.ts';
import type { WantedSignal } from './series-name.ts';
import type { SignalName } from './signal-series.ts';

/** One sentence about one signal, for people. */
export interface SignalExplanation {
  readonly signal: SignalName;
  readonly title: string;
  readonly isFound: boolean;
  /** `title: series = value (how it is known)`, or that it is not on the page. */
  readonly text: string;
  /** What to do about a missing one; null when it is found or nobody needs it. */
  readonly remedy: string | null;
}

/** Says for each signal where it comes from, or what to add when it is missing and of use. */
export function explainSignals(
  signals: readonly WantedSignal[],
  chosen: ReadonlyMap<SignalName, ChosenSeries>,
  rejected: ReadonlyMap<SignalName, readonly string[]>,
): readonly SignalExplanation[] {
  const hasIdle = [...chosen.keys()].some((signal) => isIdle(signal));
  return signals.flatMap(({ signal, wanted }): readonly SignalExplanation[] => {
    const { title, remedy } = wanted;
    const found = chosen.get(signal);
    if (found !== undefined) {
      const several = found.seriesCount > 1 ? ` and ${found.seriesCount - 1} more` : '';
      const text = `${title}: ${found.series}${several} = ${found.value} (${found.how})`;
      return [{ signal, title, isFound: true, text, remedy: null }];
    }
    const isReplaced = signals.some(
      (other) => other.wanted.standsInFor === signal && chosen.has(other.signal),
    );
    // The idle is judged as a whole, and there is a page only with one.
    if (remedy === null || isReplaced || (isIdle(signal) && hasIdle)) return [];
    const but = (rejected.get(signal) ?? []).map((reason) => `; ${reason}`).join('');
    return [{ signal, title, isFound: false, text: `${title}: not on the page${but}`, remedy }];
  });
}

function isIdle(signal: SignalName): boolean {
  return /^(brokerIdle|idle)/.test(signal);
}
