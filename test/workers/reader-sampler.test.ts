import { describe, expect, it } from 'vitest';
import { type ReaderSample, readerTickAt } from '../../workers/reader-sampler.ts';

const sample: ReaderSample = {
  elapsedMs: 2_000,
  takenAtMs: 50_010,
  cpuCores: 0.3,
  loopLagMs: 4,
  throttleMs: 0,
  committed: 60,
  groups: [{ group: 'g', consumed: 900, consumedBytes: 90_000, fetched: 5 }],
};
const told = (unread: number | null) => [{ group: 'g', unread: { at: () => unread } }];

describe('readerTickAt', () => {
  it('takes what was consumed from what the topic held at the same moment', () => {
    const asked: number[] = [];
    const groups = [{ group: 'g', unread: { at: (atMs: number) => asked.push(atMs) && 950.4 } }];
    expect(readerTickAt(sample, groups, { startAtMs: 1_000_000, nowMs: 50_100 })).toEqual({
      atMs: 1_002_000,
      cpuCores: 0.3,
      loopLagMs: 4,
      throttleMs: 0,
      committed: 60,
      groups: [{ group: 'g', consumed: 900, consumedBytes: 90_000, fetched: 5, lag: 50 }],
    });
    expect(asked).toEqual([50_010]);
  });

  it.each([
    ['a second later it may still become known', 51_000, null],
    ['three seconds later it is given up', 53_100, 'unknown'],
    ['at the end of the load too', Number.POSITIVE_INFINITY, 'unknown'],
  ])('waits for the end of the topic: %s', (_why, nowMs, expected) => {
    const tick = readerTickAt(sample, told(null), { startAtMs: 0, nowMs });
    if (expected === null) expect(tick).toBeNull();
    else expect(tick?.groups[0]).toMatchObject({ consumed: 900, lag: null });
  });
});
