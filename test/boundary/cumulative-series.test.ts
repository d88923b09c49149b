import { describe, expect, it } from 'vitest';
import { cumulativeAt, levelAt } from '../../boundary/cumulative-series.ts';

// A load of 100 messages a second from 1000 to 4000 ms, read at 0.3 s past each second.
const readings = [
  { atMs: 300, count: 0 },
  { atMs: 1_300, count: 30 },
  { atMs: 2_300, count: 130 },
  { atMs: 3_300, count: 230 },
  { atMs: 4_300, count: 300 },
];
const span = { startMs: 1_000, stopMs: 4_000 };

describe('cumulativeAt', () => {
  it.each([
    [500, 0, 'before the start'],
    [1_000, 0, 'at the start, though the line from 300 to 1300 would say 21'],
    [1_150, 15, 'between start and first reading'],
    [2_000, 100, 'between readings'],
    [2_300, 130, 'on a reading'],
    [4_000, 300, 'at the stop: the pace goes on, though the line from 3300 to 4300 would say 279'],
    [4_200, 300, 'after the stop, no more than was counted'],
  ])('at %d ms is %d (%s)', (atMs, count) => {
    expect(cumulativeAt(readings, atMs, span)).toBeCloseTo(count, 6);
  });

  it('is unknown beyond the last reading', () => {
    expect(cumulativeAt(readings, 4_301, span)).toBeNull();
    expect(cumulativeAt([], 0, span)).toBeNull();
  });

  it('falls short at the stop when the reading after it says so', () => {
    const stalled = [...readings.slice(0, 4), { atMs: 4_300, count: 235 }];
    expect(cumulativeAt(stalled, 4_000, span)).toBe(235);
  });

  it('stays on the line while nothing has stopped', () => {
    expect(cumulativeAt(readings, 4_000, { startMs: 1_000, stopMs: null })).toBeCloseTo(279, 6);
  });
});

describe('levelAt', () => {
  const levels = [
    { atMs: 1_300, count: 10 },
    { atMs: 2_300, count: 30 },
    { atMs: 4_300, count: 0 },
  ];

  it.each([
    [1_000, 10, 'before the first reading'],
    [1_800, 20, 'between readings'],
    [3_900, 30, 'the reading after the stop does not count'],
  ])('at %d ms is %d (%s)', (atMs, level) => {
    expect(levelAt(levels, atMs, span)).toBeCloseTo(level, 6);
  });

  it('is unknown beyond the last reading', () => {
    expect(levelAt(levels, 5_000, span)).toBeNull();
  });
});
