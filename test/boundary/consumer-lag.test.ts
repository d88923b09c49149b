import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupReadings, isGrowing, lagStretch, readersKeepUp } from '../../boundary/consumer-lag.ts';
import { evidenceOf } from './evidence.ts';
import { type Readers, readerOf } from './readers.ts';

const { window, shards } = evidenceOf({ offered: 1_000 });
const offered = shards.map(({ ticks }) => ticks);

/** What is read of one group in the window of 10 s. */
function readingOf(...scenes: readonly Readers[]) {
  const [reading] = groupReadings(
    scenes.map((scene) => readerOf(scene).ticks),
    window,
  );
  if (!reading) throw new Error('no group');
  return reading;
}

describe('groupReadings', () => {
  it('tells consumed and lag of the window', () => {
    expect(readingOf({ lag: (second) => 100 + second })).toMatchObject({
      group: 'plimsoll-r-group-1',
      consumedPerSecond: 1_000,
      consumedBytesPerSecond: 1_000_000,
      lag: 110,
    });
  });

  it.each<[why: string, lag: (second: number) => number | null, perSecond: number | null]>([
    ['steady', () => 500, 0],
    ['grows evenly', (second) => 40 * second, 40],
    ['shrinks: a catch-up read', (second) => 9_000 - 300 * second, -300],
    ['grew in the first half only', (second) => Math.min(second, 5) * 100, 0],
    ['grows in the second half only', (second) => Math.max(0, second - 5) * 100, 100],
    ['one tick is missing: the line goes through the others', (s) => (s === 7 ? null : 40 * s), 40],
    ['half of the ticks are missing', (second) => (second > 7 ? null : 40), null],
    ['nobody knows', () => null, null],
  ])('%s', (_why, lag, perSecond) => {
    const { growth } = readingOf({ lag });
    if (perSecond === null) expect(growth).toBeNull();
    else expect(growth?.perSecond).toBeCloseTo(perSecond, 6);
  });

  it('adds up the members of a group over jobs, at the times that all of them tell of', () => {
    const grows = (second: number) => 10 * second;
    const both = readingOf({ lag: grows }, { lag: grows, shard: 2 });
    expect(both).toMatchObject({ consumedPerSecond: 2_000, lag: 200 });
    expect(both.growth?.perSecond).toBeCloseTo(20, 6);
    expect(readingOf({ lag: grows }, { lag: () => null, shard: 2 })).toMatchObject({
      lag: null,
      growth: null,
    });
    // The second job told nothing of the last three seconds.
    expect(readingOf({ lag: grows }, { lag: grows, seconds: 7, shard: 2 }).growth).toBeNull();
  });

  it('keeps groups apart, in the order of their numbers', () => {
    const groups = ['p-group-10', 'p-group-2', 'p-group-1'];
    const lag = (second: number, group: string) => (group === 'p-group-2' ? 50 * second : 0);
    const readings = groupReadings([readerOf({ groups, lag }).ticks], window);
    expect(readings.map(({ group }) => group)).toEqual(['p-group-1', 'p-group-2', 'p-group-10']);
    expect(readings.map(({ growth }) => Math.round(growth?.perSecond ?? -1))).toEqual([0, 50, 0]);
  });

  it('does not take swings for growth', () => {
    const swings = readingOf({ lag: (second) => ((second + 1) % 2) * 400 }).growth;
    expect(swings && isGrowing(swings, 10)).toBe(false);
    const both = readingOf({ lag: (second) => 400 * second + (second % 2) * 400 }).growth;
    expect(both && isGrowing(both, 10)).toBe(true);
  });

  it('reads the same growth from whatever level and however long the load went before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e9 }),
        fc.integer({ min: -5_000, max: 5_000 }),
        (level, slope) => {
          const { growth } = readingOf({ lag: (second) => level + slope * second });
          expect(growth?.perSecond).toBeCloseTo(slope, 3);
        },
      ),
    );
  });
});

describe('lagStretch', () => {
  it.each([
    [30, 15, 'half of a window'],
    [8, 5, 'five seconds at least'],
    [3, 3, 'all of a window that is shorter'],
  ])('of %i s is the last %i s: %s', (seconds, expected) => {
    const stretch = lagStretch({ startAtMs: 0, endAtMs: seconds * 1_000 });
    expect(stretch).toEqual({ startAtMs: (seconds - expected) * 1_000, endAtMs: seconds * 1_000 });
  });
});

describe('readersKeepUp', () => {
  const keepUp = (scene: Readers) =>
    readersKeepUp({ ticks: offered, readerTicks: [readerOf(scene).ticks] }, window, 0.01);

  it.each<[why: string, scene: Readers, expected: boolean | null]>([
    ['a steady lag', {}, true],
    ['a lag that grows by 0.9 % of 1,000/s', { lag: (second) => 9 * second }, true],
    ['... and by 1.1 %', { lag: (second) => 11 * second }, false],
    ['nobody knows', { lag: () => null }, null],
    ['the newest tick is two seconds old', { seconds: 8 }, true],
    ['no tick in the window', { seconds: -1 }, null],
  ])('%s', (_why, scene, expected) => {
    expect(keepUp(scene)).toBe(expected);
  });

  it('has nothing to ask without groups', () => {
    expect(readersKeepUp({ ticks: offered, readerTicks: [] }, window, 0.01)).toBe(true);
  });

  it('knows nothing while a job has told nothing', () => {
    expect(readersKeepUp({ ticks: offered, readerTicks: [readerOf().ticks, []] }, window, 0.01)).toBeNull();
  });
});
