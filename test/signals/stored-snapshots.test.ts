import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredSeries } from '../../src/signals/prometheus-api.ts';
import { addedLabels, groupScrapes, intervalOf } from '../../src/signals/stored-snapshots.ts';

function stored(name: string, labels: Record<string, string>, ...points: [number, number][]): StoredSeries {
  return {
    labels: { __name__: name, ...labels },
    samples: points.map(([stampMs, value]) => ({ stampMs, value })),
  };
}

const TARGET = { instance: 'b1:7071', job: 'kafka' };
const ADDED = new Set(['instance', 'job']);

/** Scrapes as text: stamp, duration and samples. */
const textOf = (series: readonly StoredSeries[], afterMs = Number.NEGATIVE_INFINITY, added = ADDED) =>
  groupScrapes(series, added, 1_000, afterMs).map(
    ({ stampMs, durationMs, samples }) =>
      `${stampMs} ${durationMs}: ${samples.map(({ name, labels, value }) => `${name}${[...labels]}=${value}`).join(' ')}`,
  );

describe('groupScrapes', () => {
  it.each<{ why: string; series: StoredSeries[]; afterMs?: number; scrapes: string[] }>([
    {
      why: 'samples of one stamp together, in order of time',
      series: [
        stored('b', TARGET, [2_000, 4], [1_000, 3]),
        stored('a', TARGET, [1_000, 1], [2_000, 2]),
        stored('scrape_duration_seconds', TARGET, [1_000, 0.25], [2_000, 0.5]),
      ],
      scrapes: ['1000 250: b=3 a=1', '2000 500: b=4 a=2'],
    },
    {
      why: 'stamps that differ by a little, where replicas are merged',
      series: [stored('a', TARGET, [1_000, 1], [2_000, 2]), stored('b', TARGET, [1_040, 3], [2_040, 4])],
      scrapes: ['1000 null: a=1 b=3', '2000 null: a=2 b=4'],
    },
    {
      why: 'only what is newer',
      series: [stored('a', TARGET, [1_000, 1], [2_000, 2])],
      afterMs: 1_000,
      scrapes: ['2000 null: a=2'],
    },
    {
      why: 'no stale marker, which is no value',
      series: [stored('a', TARGET, [1_000, 1], [2_000, Number.NaN])],
      scrapes: ['1000 null: a=1'],
    },
    {
      why: "the page's own labels, one that the server renamed under its name",
      series: [stored('a', { ...TARGET, topic: 't', exported_job: 'mine', exported_x: 'y' }, [1_000, 1])],
      scrapes: ['1000 null: atopic,t,job,mine,exported_x,y=1'],
    },
    { why: 'nothing of nothing', series: [], scrapes: [] },
  ])('keeps $why', ({ series, afterMs, scrapes }) => {
    expect(textOf(series, afterMs)).toEqual(scrapes);
  });

  it('gives out every sample once, whatever the order', () => {
    const series = fc.array(fc.array(fc.nat(50), { maxLength: 20 }), { maxLength: 6 });
    fc.assert(
      fc.property(series, fc.integer({ min: -1, max: 50 }), (seconds, afterSeconds) => {
        const all = seconds.map((stamps, index) =>
          stored(`s${index}`, TARGET, ...[...new Set(stamps)].map((s): [number, number] => [s * 1_000, s])),
        );
        const scrapes = groupScrapes(all, ADDED, 1_000, afterSeconds * 1_000);
        const expected = all.flatMap(({ samples }) => samples).filter(({ value }) => value > afterSeconds);
        expect(scrapes.flatMap(({ samples }) => samples)).toHaveLength(expected.length);
        for (const { stampMs, samples } of scrapes) {
          expect(samples.every(({ value }) => value * 1_000 === stampMs)).toBe(true);
        }
        expect(scrapes.map(({ stampMs }) => stampMs)).toEqual(
          [...new Set(expected.map(({ stampMs }) => stampMs))].sort((a, b) => a - b),
        );
      }),
    );
  });
});

describe('addedLabels', () => {
  it.each([
    {
      why: "the server's word about the target has all of them",
      series: [stored('a', { ...TARGET, az: 'b', topic: 't' }), stored('up', { ...TARGET, az: 'b' })],
      added: ['instance', 'job', 'az'],
    },
    {
      why: 'without it the usual two',
      series: [stored('a', { ...TARGET, az: 'b' })],
      added: ['instance', 'job'],
    },
  ])('$why', ({ series, added }) => {
    expect([...addedLabels(series)]).toEqual(added);
  });
});

it.each([
  { stamps: [0, 15, 30, 60], intervalMs: 15, why: 'one was missed' },
  { stamps: [0, 15, 29, 45], intervalMs: 15, why: 'a little early once' },
  { stamps: [0, 0, 15], intervalMs: 15, why: 'a stamp twice' },
  { stamps: [7], intervalMs: null, why: 'nothing to compare with' },
  { stamps: [], intervalMs: null, why: 'nothing at all' },
])('tells the interval of $stamps: $why', ({ stamps, intervalMs }) => {
  expect(intervalOf(stamps)).toBe(intervalMs);
});
