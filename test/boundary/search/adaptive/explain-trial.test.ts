import { describe, expect, it } from 'vitest';
import type { Need } from '../../../../boundary/search/adaptive/choose-trial.ts';
import { explainTrial } from '../../../../boundary/search/adaptive/explain-trial.ts';
import type { SizeView } from '../../../../boundary/search/adaptive/size-view.ts';

const ln = (np: number) => Math.log(np * 10);

function viewOf(options: { added?: string; isCheck?: boolean } = {}): SizeView {
  const { added, isCheck = false } = options;
  const estimate = { median: ln(51), low: ln(44), high: ln(58), cautious: ln(48), rule: 'delivery' };
  return {
    size: { messageBytes: 1_000, trials: [], probes: [], seconds: 0, ...(added ? { added } : {}) },
    analysis: { estimate },
    halfWidth: 0.138,
    isCheck,
    former: isCheck ? { limit: { messageBytes: 1_000, estimate: 500, low: 480, high: 520 } } : null,
  } as unknown as SizeView;
}

const trial = { np: 48, unitRate: 10, windowMs: 30_000, needy: 6, halfWidthAfter: 0.069 };

describe('explainTrial', () => {
  it.each<[Need, string]>([
    ['location', 'limit near np 51 (44-58), least certain of 6 sizes; a 30 s window locates it'],
    ['width', 'limit near np 51 (44-58), least certain of 6 sizes; a 30 s window halves +-13.8 %'],
    ['lower', 'limit near np 51 (44-58); a load sustained for 30 s is still missing below'],
    ['upper', 'limit near np 51 (44-58); a load that overloads is still missing above'],
  ])('%s', (need, expected) => {
    expect(explainTrial(viewOf(), need, trial)).toBe(expected);
  });

  it('says by how much a window narrows, and leaves out a comparison of one', () => {
    expect(explainTrial(viewOf(), 'width', { ...trial, needy: 1, halfWidthAfter: 0.1 })).toBe(
      'limit near np 51 (44-58); a 30 s window narrows +-13.8 % to +-10.0 %',
    );
  });

  it('says what a check of a former limit expects on its side', () => {
    const below = explainTrial(viewOf({ isCheck: true }), 'width', trial);
    expect(below).toMatch(/the former run found np 50; what lies below must be sustained/);
    const above = explainTrial(viewOf({ isCheck: true }), 'upper', { ...trial, np: 55 });
    expect(above).toMatch(/what lies above must overload/);
  });

  it('says why a new size is there', () => {
    const why = 'the curve between 100 B and 10 kB is known to +-12 % only';
    expect(explainTrial(viewOf({ added: why }), 'width', trial)).toBe(
      `a new size: ${why}; limit near np 51 (44-58)`,
    );
  });
});
