import { describe, expect, it } from 'vitest';
import type { TrialRecord } from '../../boundary/run-document.ts';
import { curveJson, parseRunDocument } from '../../charts/curve-json.ts';
import { PURPOSES } from '../../charts/purpose-text.ts';
import { bound, estimatedPoint, point, sampleDocument, trial } from './sample-document.ts';

describe('curveJson', () => {
  it('reads back as it was', () => {
    const document = sampleDocument([
      point(100, 10_700, null, 'at least'),
      point(1_000, null, 4_230, 'at most'),
    ]);
    expect(parseRunDocument(curveJson(document))).toEqual({ kind: 'document', document });
  });

  it('keeps holds, former runs, the curve between sizes and why each trial ran', () => {
    const drop = { messagesPerSecond: 2_000, afterSeconds: 220, rule: 'delivery' } as const;
    const found = estimatedPoint(1_000, 2_000, 0.05, {
      hold: { plannedSeconds: 600, lasted: bound(1_500), drops: [drop] },
      former: { outcome: 'refuted', ratio: 0.69 },
      interpolation: 0.08,
    });
    const trials = PURPOSES.map((purpose, index): TrialRecord => {
      const record = trial(index + 1, 1_000, 50, 30, 0.3);
      return { ...record, plan: { ...record.plan, purpose }, why: 'np 50 next', heldSeconds: 220 };
    });
    const document = sampleDocument([found], trials);
    expect(parseRunDocument(curveJson(document))).toEqual({ kind: 'document', document });
  });

  it('keeps what consumer groups did', () => {
    const record = trial(1, 1_000, 50, 30, 0.3);
    const known = { lag: 12, lagGrowthPerSecond: -3.5 };
    const groups = [known, { lag: null, lagGrowthPerSecond: null }].map((lag, index) => ({
      group: `plimsoll-r-group-${index}`,
      consumedPerSecond: 1_500,
      consumedBytesPerSecond: 1_500_000,
      ...lag,
    }));
    const document = sampleDocument([point(1_000, 1_500, 1_600)], [{ ...record, consumers: groups }]);
    expect(parseRunDocument(curveJson(document))).toEqual({ kind: 'document', document });
  });

  it('reads a document from before consumer lag and latency had limits', () => {
    const document = sampleDocument();
    const { lagGrowthShare: _, latencyP99Ms: __, ...thresholds } = document.thresholds;
    const old = JSON.stringify({ ...JSON.parse(curveJson(document)), thresholds });
    expect(parseRunDocument(old)).toEqual({ kind: 'document', document });
  });

  it('does not depend on the order in which settings were gathered', () => {
    const document = sampleDocument();
    const shuffled = {
      ...document,
      configuration: Object.fromEntries(Object.entries(document.configuration).reverse()),
      environment: Object.fromEntries(Object.entries(document.environment).reverse()),
    };
    expect(curveJson(shuffled)).toBe(curveJson(document));
  });
});

describe('parseRunDocument', () => {
  const broken = (change: (copy: Record<string, never>) => void): string => {
    const copy = JSON.parse(curveJson(sampleDocument()));
    change(copy);
    return JSON.stringify(copy);
  };

  it.each([
    ['', /not JSON/, 'an empty file'],
    [curveJson(sampleDocument()).slice(0, 900), /not JSON/, 'a file cut off by a full disk'],
    ['[]', /the document/, 'something else'],
    [broken((copy) => Object.assign(copy, { format: 'plimsoll-curve/2' })), /^format: /, 'a later format'],
    [
      broken((copy) => Object.assign(copy.points?.[0] ?? {}, { quality: 'superb' })),
      /^points\.0\.quality: /,
      'a quality nobody knows',
    ],
    [
      broken((copy) => Object.assign(copy.trials?.[4] ?? {}, { windowSeconds: '15' })),
      /^trials\.4\.windowSeconds: /,
      'text where a number belongs',
    ],
  ])('says what is wrong, case %#: %s', (text, problem) => {
    const parsed = parseRunDocument(text);
    expect(parsed.kind).toBe('problem');
    if (parsed.kind === 'problem') {
      expect(parsed.problem).toMatch(problem);
      expect(parsed.problem).not.toContain('\n');
    }
  });
});
