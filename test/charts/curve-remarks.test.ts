import { describe, expect, it } from 'vitest';
import { betweenSizesText, doseText } from '../../charts/curve-remarks.ts';
import { estimatedPoint, trial } from './sample-document.ts';

describe('betweenSizesText', () => {
  const known = (messageBytes: number, interpolation: number) =>
    estimatedPoint(messageBytes, 1_000, 0.04, { interpolation });

  it('tells the widest gap, whatever the order of the points', () => {
    const points = [estimatedPoint(16_000, 1_000), known(1_000, 0.04), known(4_000, 0.0801)];
    expect(betweenSizesText(points)).toBe(
      'between the sizes the curve is known to ± 8.1 % or better (least between 4 kB and 16 kB)',
    );
  });

  it('says nothing where the search did not look, or nothing lies beyond', () => {
    expect(betweenSizesText([estimatedPoint(1_000, 5), estimatedPoint(4_000, 5)])).toBeNull();
    expect(betweenSizesText([known(1_000, 0.04)])).toBeNull();
    expect(betweenSizesText([])).toBeNull();
  });
});

describe('doseText', () => {
  const points = [estimatedPoint(1_000, 1_000)];

  it('is seconds above the limit times how far above, rounded up', () => {
    // (3 s warm-up + 15 s) x (1.3 - 1) = 5.4 s
    expect(doseText({ points, trials: [trial(1, 1_000, 65, 20, 0.1)] })).toBe(
      '6 s (seconds above the limit x how far above)',
    );
    expect(doseText({ points, trials: [trial(1, 1_000, 40, 20, 0.4)] })).toMatch(/^0 s /);
  });

  it('is not known where a limit is not: a part of the dose is not the dose', () => {
    expect(
      doseText({ points, trials: [trial(1, 1_000, 65, 20, 0.1), trial(2, 9_000, 65, 20, 0.1)] }),
    ).toBeNull();
  });
});
