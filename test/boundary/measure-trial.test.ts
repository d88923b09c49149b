import { expect, it } from 'vitest';
import { measureTrial, type TrialCircumstances } from '../../boundary/measure-trial.ts';
import type { Verdict } from '../../boundary/verdict.ts';
import { sampleEvidence } from '../store/sample-trial.ts';

const VERDICT: Verdict = { kind: 'sustained', worst: null };
const AT = { sequence: 4, startedAtMs: 1_000, endedAtMs: 31_000 };

it.each<{ why: string; circumstances: TrialCircumstances }>([
  { why: 'number, times and reason of a trial', circumstances: { ...AT, why: 'np 51 of 1 kB next' } },
  { why: 'how long a hold lasted', circumstances: { ...AT, why: 'does it last?', heldSeconds: 600 } },
])('keeps with what was measured: $why', ({ circumstances }) => {
  const record = measureTrial(sampleEvidence(4), VERDICT, circumstances);
  expect(record).toMatchObject({ ...circumstances, verdict: VERDICT, windowSeconds: 15 });
  expect('heldSeconds' in record).toBe('heldSeconds' in circumstances);
});
