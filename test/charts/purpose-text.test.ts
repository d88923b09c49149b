import { expect, it } from 'vitest';
import type { TrialPurpose } from '../../boundary/trial.ts';
import { PURPOSE_WORDS, PURPOSES, purposesSentence } from '../../charts/purpose-text.ts';
import { trial } from './sample-document.ts';

const asked = (purpose: TrialPurpose) => {
  const record = trial(1, 1_000, 50, 20, 0.3);
  return { ...record, plan: { ...record.plan, purpose } };
};

it('explains the purposes that occur, once each, and no others', () => {
  const sentence = purposesSentence([asked('hold'), asked('gallop'), asked('hold')]);
  expect(sentence).toBe(`gallop ${PURPOSE_WORDS.gallop}; hold ${PURPOSE_WORDS.hold}`);
  expect(purposesSentence([])).toBe('');
});

it('knows every purpose that a search has', () => {
  expect(PURPOSES).toEqual(expect.arrayContaining(['reference', 'hold', 'tie-break']));
});
