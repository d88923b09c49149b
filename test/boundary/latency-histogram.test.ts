import { createHistogram } from 'node:perf_hooks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LatencyCounts } from '../../boundary/latency.ts';
import {
  bucketOf,
  bucketTopUs,
  LATENCY_ERROR,
  latencyCounts,
  latencyPercentileUs,
  makeLatencyCounter,
  mergeLatencies,
  messagesSlowerThan,
  messagesTimed,
  recordLatency,
  summarizeLatency,
} from '../../boundary/latency-histogram.ts';

const PER_MILLES = [1, 500, 900, 990, 999, 1_000] as const;
const TEN_MINUTES_US = 600_000_000;

/** Latencies as they come: spread over the orders of magnitude, from 1 us to ten minutes. */
const latencyUs = fc
  .double({ min: 0, max: Math.log(TEN_MINUTES_US), noNaN: true })
  .map((exponent) => Math.floor(Math.exp(exponent)));
const latencies = fc.array(latencyUs, { minLength: 1, maxLength: 400 });

function countsOf(values: readonly number[], missing = 0): LatencyCounts {
  const counter = makeLatencyCounter();
  for (const value of values) recordLatency(counter, value);
  return latencyCounts(counter, missing);
}

describe('buckets', () => {
  it('leave no gap, and none is wider than the stated error', () => {
    for (let bucket = 1; bucket < bucketOf(TEN_MINUTES_US); bucket += 1) {
      const bottomUs = bucketTopUs(bucket - 1) + 1;
      const topUs = bucketTopUs(bucket);
      expect([bucketOf(bottomUs), bucketOf(topUs)]).toEqual([bucket, bucket]);
      expect(topUs - bottomUs).toBeLessThan(Math.max(1, bottomUs * LATENCY_ERROR));
    }
  });

  it.each([
    [-3, 0, 'two clocks that differ'],
    [0.9, 0, 'less than a microsecond'],
    [255, 255, 'the last one that stands alone'],
    [257, 256, 'two microseconds to a bucket from here on'],
    [512, 384, 'and four from here'],
  ])('%d us is in bucket %i: %s', (us, bucket) => {
    expect(bucketOf(us)).toBe(bucket);
  });

  it('keep what is longer than ten minutes as ten minutes, and the longest as it was', () => {
    const counts = countsOf([TEN_MINUTES_US, 3 * TEN_MINUTES_US]);
    expect(Object.keys(counts.buckets)).toHaveLength(1);
    expect(latencyPercentileUs(counts, 1_000)).toBe(3 * TEN_MINUTES_US);
  });
});

describe('latencyPercentileUs', () => {
  it('is that of the sorted latencies, or above it by less than the stated error', () => {
    fc.assert(
      fc.property(latencies, (values) => {
        const sorted = [...values].sort((a, b) => a - b);
        const counts = countsOf(values);
        for (const perMille of PER_MILLES) {
          const exact = sorted[Math.max(1, Math.ceil((sorted.length * perMille) / 1_000)) - 1] ?? Number.NaN;
          const found = latencyPercentileUs(counts, perMille) ?? Number.NaN;
          expect(found).toBeGreaterThanOrEqual(exact);
          expect(found - exact).toBeLessThan(Math.max(1, exact * LATENCY_ERROR));
        }
        expect(latencyPercentileUs(counts, 1_000)).toBe(sorted.at(-1));
      }),
    );
  });

  it("agrees with Node's own HdrHistogram of three digits", () => {
    fc.assert(
      fc.property(latencies, (values) => {
        const theirs = createHistogram({ lowest: 1, highest: 2 * TEN_MINUTES_US, figures: 3 });
        for (const value of values) theirs.record(Math.max(1, value));
        const ours = countsOf(values.map((value) => Math.max(1, value)));
        for (const perMille of [500, 900, 990]) {
          // It rounds the rank to the nearest, so the exact rank is at most one value on.
          const near = [-0.5, 0, 0.5].map((step) =>
            theirs.percentile(Math.min(100, Math.max(0.001, perMille / 10 + (step * 100) / values.length))),
          );
          const found = latencyPercentileUs(ours, perMille) ?? Number.NaN;
          expect(found).toBeGreaterThanOrEqual(Math.min(...near) * (1 - 0.001) - 1);
          expect(found).toBeLessThanOrEqual(Math.max(...near) * (1 + LATENCY_ERROR) + 1);
        }
      }),
    );
  });

  it.each([
    [990, 99, 1, 99_000, 'one of a hundred without an answer is just not the p99'],
    [990, 98, 2, null, 'two of a hundred are: it is beyond all that was seen'],
    [500, 1, 1, 1_000, 'half of two'],
    [1_000, 99, 1, null, 'the slowest one never came'],
    [500, 0, 5, null, 'nothing came'],
    [500, 0, 0, null, 'nothing was timed'],
  ])(
    '%i per mille of %i answered and %i missing is %s: %s',
    (perMille, answered, missing, expected, _why) => {
      const counts = countsOf(
        Array.from({ length: answered }, (_, index) => (index + 1) * 1_000),
        missing,
      );
      const found = latencyPercentileUs(counts, perMille);
      if (expected === null) expect(found).toBeNull();
      else expect(Math.abs((found ?? 0) / expected - 1)).toBeLessThan(LATENCY_ERROR);
    },
  );

  it('does not trip over 0.07 x 100, which is more than 7 in floating point', () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(latencyPercentileUs(countsOf(values), 70)).toBe(7);
  });
});

describe('mergeLatencies', () => {
  const counts = fc.record({ values: fc.array(latencyUs, { maxLength: 50 }), missing: fc.nat(9) });
  const of = ({ values, missing }: { values: number[]; missing: number }) => countsOf(values, missing);

  it('does not depend on order or grouping, and is what counting all at once gives', () => {
    fc.assert(
      fc.property(counts, counts, counts, (a, b, c) => {
        const all = countsOf([...a.values, ...b.values, ...c.values], a.missing + b.missing + c.missing);
        expect(mergeLatencies([of(a), of(b), of(c)])).toEqual(all);
        expect(mergeLatencies([of(c), of(a), of(b)])).toEqual(all);
        expect(mergeLatencies([mergeLatencies([of(a), of(b)]), of(c)])).toEqual(all);
        expect(mergeLatencies([of(a), mergeLatencies([of(b), of(c)])])).toEqual(all);
      }),
    );
  });

  it('survives JSON, whatever order the keys come in', () => {
    const counts = countsOf([5, 70_000, 300]);
    const backwards = Object.fromEntries(Object.entries(counts.buckets).reverse());
    const read = JSON.parse(JSON.stringify({ ...counts, buckets: backwards })) as LatencyCounts;
    expect(latencyPercentileUs(read, 330)).toBe(5);
    expect(mergeLatencies([])).toEqual({ buckets: {}, maxUs: 0, missing: 0 });
  });
});

describe('what is told of a distribution', () => {
  it('gives percentiles in ms', () => {
    const values = Array.from({ length: 1_000 }, (_, index) => (index + 1) * 1_000);
    const summary = summarizeLatency(countsOf(values));
    expect(summary).toMatchObject({ messages: 1_000, missing: 0, maxMs: 1_000 });
    expect(summary?.p50Ms).toBeGreaterThanOrEqual(500);
    expect(summary?.p50Ms).toBeLessThan(504);
    expect(summary?.p999Ms).toBeGreaterThanOrEqual(999);
  });

  it('says nothing of no messages, and what it can of those with and without an answer', () => {
    expect(summarizeLatency(countsOf([]))).toBeNull();
    expect(summarizeLatency(countsOf([2_000], 1))).toMatchObject({
      messages: 2,
      missing: 1,
      p50Ms: 2,
      p99Ms: null,
    });
  });

  it('counts those slower than a limit, the missing ones too', () => {
    const counts = countsOf([100, 200, 150_000, 2_000_000], 3);
    expect(messagesSlowerThan(counts, 100)).toBe(6);
    expect(messagesSlowerThan(counts, 1_000_000)).toBe(4);
    expect(messagesTimed(counts)).toBe(7);
  });
});
