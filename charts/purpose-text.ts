import type { TrialRecord } from '../boundary/run-document.ts';
import type { TrialPurpose } from '../boundary/trial.ts';

/** What a trial was for; the order in which a search comes to it. */
export const PURPOSE_WORDS: Readonly<Record<TrialPurpose, string>> = {
  gallop: 'locates the limit, up or down in large steps',
  bisect: 'narrows down where the limit lies',
  'confirm-lower': 'tries a load below the limit, as a bound that is sustained',
  'confirm-upper': 'tries a load above the limit, as a bound that is overloaded',
  'tie-break': 'decides between two trials that contradict each other',
  reference: 'repeats an earlier load, to tell a trend of the cluster from noise',
  hold: 'keeps a load up for long: what holds for one window need not last',
};

/** Every purpose there is, for checks of what is read. */
export const PURPOSES = Object.keys(PURPOSE_WORDS) as TrialPurpose[];

/** Explains the purposes that occur in these trials, in one sentence. */
export function purposesSentence(trials: readonly TrialRecord[]): string {
  const occurring = PURPOSES.filter((purpose) => trials.some(({ plan }) => plan.purpose === purpose));
  return occurring.map((purpose) => `${purpose} ${PURPOSE_WORDS[purpose]}`).join('; ');
}
