import { describe, expect, it } from 'vitest';
import { pointFinishedText, trialFinishedText } from '../../src/cli/progress-text.ts';
import { bound, estimatedPoint, point, trial } from '../charts/sample-document.ts';

describe('pointFinishedText', () => {
  it('leads with the limit and its interval where a model gave one', () => {
    const hold = { plannedSeconds: 600, lasted: bound(999), drops: [] };
    const found = estimatedPoint(1_000, 1_578, 0.0646, { lower: bound(999), upper: bound(1_800), hold });
    expect(pointFinishedText(found)).toBe(
      '1 kB: limit 1,578/s +/- 6.5 %, sustains 999/s, overloaded at 1,800/s, converged, limited by request-handler idle on broker 2; held 999/s for 10 min',
    );
  });

  it.each([
    [
      point(1_000, 4_000, 4_230),
      /^1 kB: sustains 4,000\/s, overloaded at 4,230\/s, \+\/- 2\.8 %, converged/,
      'bounds',
    ],
    [
      point(1_000, 4_000, null, 'at least'),
      /^1 kB: sustains 4,000\/s, limit not reached, at least;/,
      'one side',
    ],
    [
      point(1_000, null, null, 'at least'),
      /^1 kB: nothing sustained, limit not reached, at least/,
      'nothing',
    ],
  ])('%o: %s (%s)', (given, text) => {
    expect(pointFinishedText(given)).toMatch(text);
  });
});

it('tells of a hold how long it was sustained', () => {
  expect(trialFinishedText({ ...trial(7, 1_000, 48, 80, 0.1), heldSeconds: 220 })).toMatch(
    /overloaded \(request-handler idle 10\.0 % on broker 2, limit 20 %; held for 3 min 40 s\)$/,
  );
});

it('tells the p99 of a trial that timed its messages', () => {
  const ackLatency = {
    messages: 2_000,
    missing: 0,
    p50Ms: 4,
    p90Ms: 6,
    p99Ms: 11.5,
    p999Ms: 20,
    maxMs: 31,
    timedProducers: 4,
  };
  expect(trialFinishedText({ ...trial(7, 1_000, 48, 80, 0.3), ackLatency })).toContain(
    '/s  p99 12 ms  sustained (',
  );
});
