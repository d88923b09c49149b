import { describe, expect, it } from 'vitest';
import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import type { RunDocument } from '../../boundary/run-document.ts';
import type { TrueLimit } from '../../boundary/simulator/true-limit.ts';
import { truthText } from '../../src/simulate/truth-text.ts';

const LIMIT: TrueLimit = {
  messageBytes: 1_000,
  messagesPerSecond: 2_113,
  rule: 'request-handler idle',
  lasting: null,
};
const POINT: BoundaryPoint = {
  messageBytes: 1_000,
  estimate: 2_138,
  interval: { low: 2_050, high: 2_200 },
  lower: null,
  upper: null,
  quality: 'wide',
  limit: null,
  notes: [],
  trials: 3,
  seconds: 100,
};
const bound = (messagesPerSecond: number) => ({ np: 1, unitRate: 1, messagesPerSecond, trials: 1 });
const dropped = {
  plannedSeconds: 600,
  lasted: null,
  drops: [{ messagesPerSecond: 2_000, afterSeconds: 1, rule: 'delivery' as const }],
};

function said(point: Partial<BoundaryPoint>, limit: Partial<TrueLimit> = {}): string | undefined {
  const document = { points: [{ ...POINT, ...point }] } as unknown as RunDocument;
  return truthText(document, [{ ...LIMIT, ...limit }]).split('\n')[1];
}

describe('the truth beside the estimates', () => {
  it.each([
    { why: 'an estimate that holds', point: {}, says: ', estimate +1.2 %, inside its interval' },
    {
      why: 'one that is off',
      point: { estimate: 1_900, interval: { low: 1_800, high: 2_000 } },
      says: ', estimate -10.1 %, outside its interval',
    },
    {
      why: 'bounds where there is no interval',
      point: { estimate: 2_000, interval: null, lower: bound(2_000), upper: bound(2_200) },
      says: ', estimate -5.3 %, inside its bounds',
    },
    {
      why: 'one bound says nothing',
      point: { interval: null, lower: bound(2_000) },
      says: ', estimate +1.2 %',
    },
    { why: 'nothing found', point: { estimate: null, interval: null }, says: ', no estimate' },
    {
      why: 'a limit that lasts, to a search that saw no drop',
      point: {},
      limit: { lasting: 1_268 },
      says: ', estimate +1.2 %, inside its interval; 1,268/s lasts',
    },
    {
      why: 'a limit that lasts, to a hold that dropped',
      point: { estimate: 1_268, interval: null, hold: dropped },
      limit: { lasting: 1_268 },
      says: '; 1,268/s lasts, estimate +0.0 %',
    },
  ])('$why', ({ point, limit, says }) => {
    expect(said(point, limit)).toBe(`  1 kB  2,113/s  limit by request-handler idle${says}`);
  });
});
