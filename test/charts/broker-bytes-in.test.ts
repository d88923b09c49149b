import { expect, it } from 'vitest';
import type { TrialRecord } from '../../boundary/run-document.ts';
import { brokerBytesIn } from '../../charts/broker-bytes-in.ts';
import { point, trial } from './sample-document.ts';

const found = point(1_000, 1_000, 1_100);
const at = (np: number, bytesInPerSecond: number | null): TrialRecord => ({
  ...trial(1, 1_000, np, 20, 0.3),
  bytesInPerSecond,
});

it.each([
  [[at(50, 1_020_000), at(50, 1_040_000)], 1.03, 'the mean over the trials of the bound'],
  [[at(50, 1_020_000), at(60, 9_000_000)], 1.02, 'other loads do not count'],
  [[at(50, null)], null, 'a page without bytes-in'],
  [[], null, 'no trials'],
])('bytes-in %#: %s', (trials, expected, _why) => {
  const bytesIn = brokerBytesIn(found, trials);
  if (expected === null) expect(bytesIn).toBeNull();
  else expect(bytesIn).toBeCloseTo(expected, 6);
});
