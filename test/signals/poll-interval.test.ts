import { expect, it } from 'vitest';
import { intervalFor } from '../../src/signals/poll-interval.ts';

function costsOf(...medians: readonly number[]) {
  return new Map(medians.map((medianMs, i) => [i + 1, { medianMs, bytes: 60_000, looks: 10 }]));
}

it.each<[why: string, medians: readonly number[], askedMs: number, intervalMs: number]>([
  ['nothing known: as asked', [], 1_000, 1_000],
  ['a tenth is allowed', [100], 1_000, 1_000],
  ['more is not', [101], 1_000, 2_000],
  ['the slowest broker counts', [10, 400, 20], 1_000, 5_000],
  ['half a second', [500], 1_000, 5_000],
  ['one second: exporter without includeObjectNames', [1_000], 1_000, 10_000],
  ['between', [1_200], 1_000, 15_000],
  ['two seconds', [2_000], 1_000, 30_000],
  ['beyond all', [23_000], 1_000, 30_000],
  ['never shorter than asked', [10], 5_000, 5_000],
  ['asked for something between', [500], 7_000, 7_000],
  ['asked too short', [40], 250, 1_000],
  ['asked too short for this', [800], 7_000, 10_000],
  ['asked for more than the longest', [23_000], 60_000, 60_000],
])('%s', (_, medians, askedMs, intervalMs) => {
  expect(intervalFor(costsOf(...medians), askedMs).intervalMs).toBe(intervalMs);
});

it('says why, and what the scrapes still take', () => {
  for (const ms of [80, 100]) expect(intervalFor(costsOf(ms), 1_000).why).toBeNull();
  expect(intervalFor(costsOf(20, 180), 1_000).why).toBe(
    'a scrape of broker 2 takes 180 ms: polled every 2 s, so that scraping takes at most 9 % of its time',
  );
  expect(intervalFor(costsOf(23_000), 1_000).why).toBe(
    "a scrape of broker 1 takes 23000 ms: polled every 30 s and still scraped for 77 % of its time; narrow the exporter's rules",
  );
});
