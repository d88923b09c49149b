import { describe, expect, it } from 'vitest';
import type { SizeState } from '../../../../boundary/search/adaptive/adaptive-state.ts';
import type { SizeAnalysis } from '../../../../boundary/search/adaptive/analyse.ts';
import { misfitNote } from '../../../../boundary/search/adaptive/misfit-note.ts';
import { verdictOf } from '../oracle.ts';

const ANALYSIS = { outliers: 3, readings: 5 } as SizeAnalysis;

function sizeOf(idleByNp: readonly (readonly [number, number | null])[]): SizeState {
  const trials = idleByNp.map(([np, idle], i) => ({
    np,
    unitRate: 10,
    purpose: 'bisect' as const,
    verdict: verdictOf('sustained'),
    offeredPerSecond: np * 10,
    ackedPerSecond: np * 10,
    idleByBroker: { 1: idle, 2: idle === null ? null : idle + 0.1 },
    plannedWindowMs: 30_000,
    windowSeconds: 30,
    atSeconds: i * 60,
  }));
  return { messageBytes: 1_000, unitRate: 10, probes: [], trials, seconds: 0 };
}

describe('misfitNote', () => {
  it('names the loads between which idle rises', () => {
    const note = misfitNote(
      sizeOf([
        [40, 0.3],
        [50, 0.15],
        [60, 0.35],
      ]),
      ANALYSIS,
    );
    expect(note).toMatch(/3 of 5 readings are off it: it rises from 0.15 at 500 to 0.35 at 600 messages\/s/);
  });

  it.each([
    [
      'idle falls all along',
      [
        [40, 0.3],
        [60, 0.1],
      ],
    ],
    [
      'it rises within the noise',
      [
        [40, 0.3],
        [60, 0.33],
      ],
    ],
    [
      'the loads are the same',
      [
        [40, 0.1],
        [40, 0.4],
      ],
    ],
    [
      'nothing was read',
      [
        [40, null],
        [60, null],
      ],
    ],
  ] as const)('calls it changing when %s', (_, idleByNp) => {
    expect(misfitNote(sizeOf(idleByNp), ANALYSIS)).toMatch(/keeps changing/);
  });
});
