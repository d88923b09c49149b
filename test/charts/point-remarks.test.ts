import { describe, expect, it } from 'vitest';
import type { HoldResult } from '../../boundary/boundary-point.ts';
import { formerText, holdText, pointRemarks } from '../../charts/point-remarks.ts';
import { bound, estimatedPoint, point } from './sample-document.ts';

const idle = 'request-handler idle' as const;
const drop = { messagesPerSecond: 2_100, afterSeconds: 220, rule: idle };

const HOLDS: [text: string, hold: HoldResult, reason: string][] = [
  ['held 2,100/s for 10 min', { plannedSeconds: 600, lasted: bound(2_100), drops: [] }, 'it lasted'],
  [
    'dropped after 3 min 40 s at 2,100/s (request-handler idle); 1,500/s lasted 10 min',
    { plannedSeconds: 600, lasted: bound(1_500), drops: [drop] },
    'a lower load lasted',
  ],
  [
    'dropped after 3 min 40 s at 2,100/s (request-handler idle); dropped at once at 1,500/s (delivery); no load lasted 1 min 30 s',
    {
      plannedSeconds: 90,
      lasted: null,
      drops: [drop, { messagesPerSecond: 1_500, afterSeconds: 0, rule: 'delivery' }],
    },
    'none lasted: every drop is told',
  ],
  [
    'no hold of 1 h could be judged',
    { plannedSeconds: 3_600, lasted: null, drops: [] },
    'all of them were invalid, which is not a hold that lasted',
  ],
];

describe('pointRemarks', () => {
  it.each(HOLDS)('%s', (text, hold) => {
    expect(holdText(hold)).toBe(text);
  });

  it.each([
    ['confirms the former run (+2 %)', 'confirmed', 1.02, 'a little more'],
    ['confirms the former run (+0 %)', 'confirmed', 0.998, 'never minus nothing'],
    ['refutes the former run (-31 %)', 'refuted', 0.69, 'less'],
  ] as const)('%s', (text, outcome, ratio, _reason) => {
    expect(formerText({ outcome, ratio })).toBe(text);
  });

  it('tells the hold, the former run and the notes, in this order, and nothing where there is nothing', () => {
    const told = pointRemarks({
      ...point(1, 2, 3),
      notes: ['ISR not observed', ''],
      former: { outcome: 'confirmed', ratio: 1 },
      hold: { plannedSeconds: 60, lasted: bound(5), drops: [] },
    });
    const dropped = { plannedSeconds: 60, lasted: null, drops: [drop], fresh: point(1, 2, 3) };
    const former = { outcome: 'confirmed', ratio: 1 } as const;
    expect(pointRemarks({ ...point(1, 2, 3), notes: [], former, hold: dropped })[1]).toBe(
      'when fresh: confirms the former run (+0 %)',
    );
    expect(told).toEqual(['held 5/s for 1 min', 'confirms the former run (+0 %)', 'ISR not observed']);
    expect(pointRemarks(point(1, 2, 3))).toEqual([]);
  });

  it('says when what was sustained is far under the limit, unless a hold tells', () => {
    const far = estimatedPoint(1_000, 685, 0.097, { lower: bound(452) });
    const text = 'sustained is 34 % under the limit: no load nearer to it is confirmed';
    expect(pointRemarks(far)).toEqual([text]);
    expect(pointRemarks({ ...far, lower: bound(600) })).toEqual([]);
    const hold = { plannedSeconds: 60, lasted: bound(452), drops: [] };
    expect(pointRemarks({ ...far, hold })).toEqual(['held 452/s for 1 min']);
  });
});
