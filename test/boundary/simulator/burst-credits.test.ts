import { describe, expect, it } from 'vitest';
import { BurstCredits } from '../../../boundary/simulator/burst-credits.ts';

const BURST = { afterSeconds: 100, share: 0.6 };

describe('burst credits', () => {
  it('are spent by loads that need them, and come back in rests, never beyond the full', () => {
    const credits = new BurstCredits(BURST);
    credits.spend(0.5, 1_000);
    expect(credits.share).toBe(1);
    credits.spend(0.9, 100);
    expect(credits.share).toBe(0.6);
    credits.rest(1_000);
    credits.spend(0.9, 99);
    expect(credits.share).toBe(1);
    credits.spend(0.9, 1);
    expect(credits.share).toBe(0.6);
  });

  it('carry a part of a load that outlasts them', () => {
    const credits = new BurstCredits(BURST);
    expect(credits.meanShare(0.9, 50)).toBe(1);
    expect(credits.meanShare(0.9, 200)).toBeCloseTo(0.5 + 0.5 * 0.6, 12);
    expect(credits.meanShare(0.6, 200)).toBe(1);
  });

  it('are none when there is no burst, or no time of it', () => {
    expect(new BurstCredits(null).meanShare(2, 1e6)).toBe(1);
    const empty = new BurstCredits({ afterSeconds: -1, share: 0.6 });
    empty.rest(1_000);
    expect(empty.share).toBe(0.6);
  });
});
