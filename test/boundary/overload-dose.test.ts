import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import { overloadDose } from '../../boundary/overload-dose.ts';
import type { TrialRecord } from '../../boundary/run-document.ts';
import type { Verdict } from '../../boundary/verdict.ts';
import { verdictOf } from './search/oracle.ts';

function trial(
  messageBytes: number,
  offeredPerSecond: number,
  windowSeconds: number,
  kind: Verdict['kind'] = 'overloaded',
): TrialRecord {
  return {
    sequence: 1,
    plan: {
      trialId: '1-1',
      messageBytes,
      np: 50,
      unitRate: offeredPerSecond / 50,
      warmUpMs: 3_000,
      windowMs: 15_000,
      purpose: 'bisect',
    },
    verdict: verdictOf(kind),
    startedAtMs: 0,
    endedAtMs: 0,
    windowSeconds,
    offeredPerSecond,
    acceptedPerSecond: offeredPerSecond,
    ackedPerSecond: offeredPerSecond,
    bytesInPerSecond: null,
    idleByBroker: {},
    isrChurnShare: null,
    roundTripP99Ms: null,
    generatorCpuCores: 0,
    scrapeMs: null,
  };
}

function point(messageBytes: number, estimate: number | null): BoundaryPoint {
  return {
    messageBytes,
    estimate,
    interval: null,
    lower: null,
    upper: null,
    quality: 'wide',
    limit: null,
    notes: [],
    trials: 1,
    seconds: 1,
  };
}

describe('the overload dose', () => {
  it.each<[string, TrialRecord[], number]>([
    ['under the limit nothing is overload', [trial(1_000, 900, 15)], 0],
    ['at the limit neither', [trial(1_000, 1_000, 15)], 0],
    ['18 s with warm-up, half above', [trial(1_000, 1_500, 15)], 9],
    ['a window that ended early counts for what it lasted', [trial(1_000, 2_000, 6)], 9],
    ['trials add up, light ones take nothing off', [trial(1_000, 1_500, 15), trial(1_000, 500, 15)], 9],
    ['an invalid trial was offered all the same', [trial(1_000, 1_500, 15, 'invalid')], 9],
    ['a sustained trial above the estimate is above it', [trial(1_000, 1_100, 17, 'sustained')], 2],
    ['no trials, no dose', [], 0],
  ])('%s', (_, trials, seconds) => {
    const dose = overloadDose({ trials, points: [point(1_000, 1_000)] });
    expect(dose.seconds).toBeCloseTo(seconds, 9);
  });

  it('is not known at a size whose limit is not known, and so not in total', () => {
    const trials = [trial(100, 2_000, 15), trial(1_000, 1_500, 15)];
    const dose = overloadDose({ trials, points: [point(100, null), point(1_000, 1_000)] });
    expect(dose).toEqual({
      seconds: null,
      sizes: [
        { messageBytes: 100, seconds: null },
        { messageBytes: 1_000, seconds: 9 },
      ],
    });
  });

  it('is not known of a size that has trials and no point; a size without trials takes none', () => {
    expect(overloadDose({ trials: [trial(100, 10, 15)], points: [] }).seconds).toBeNull();
    expect(overloadDose({ trials: [], points: [point(100, null)] }).seconds).toBe(0);
  });

  it('holds the trials of a fresh cluster against its own bound, and holds against what lasts', () => {
    const drops = [{ messagesPerSecond: 1_500, afterSeconds: 200, rule: 'request-handler idle' as const }];
    const held = { ...point(1_000, 1_000), hold: { plannedSeconds: 600, lasted: null, drops } };
    const before = trial(1_000, 1_650, 17);
    const hold = trial(1_000, 1_500, 27);
    const trials = [before, { ...hold, plan: { ...hold.plan, purpose: 'hold' as const } }];
    // 20 s a tenth above 1,500/s, 30 s half above 1,000/s
    expect(overloadDose({ trials, points: [held] }).seconds).toBeCloseTo(2 + 15, 9);
  });

  it('is never negative, and the same for a cluster ten times as large', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 1, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 60 }))),
        fc.double({ min: 1, max: 1e6, noNaN: true }),
        (loads, estimate) => {
          const doseAt = (factor: number) =>
            overloadDose({
              trials: loads.map(([offered, seconds]) => trial(1_000, factor * offered, seconds)),
              points: [point(1_000, factor * estimate)],
            }).seconds ?? Number.NaN;
          expect(doseAt(1)).toBeGreaterThanOrEqual(0);
          expect(Math.abs(doseAt(10) - doseAt(1))).toBeLessThan(1e-9 * (1 + doseAt(1)));
        },
      ),
    );
  });
});
