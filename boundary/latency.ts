/**
 * Latencies of many messages as counts of buckets, in whole microseconds: what HdrHistogram (G. Tene) keeps, as sparse JSON.
 * Always from the intended send time, so that a generator or broker that pauses is not forgiven the messages it delays
 * (coordinated omission).
 */
export interface LatencyCounts {
  /** Index of a bucket (see bucketOf) -> messages. */
  readonly buckets: Readonly<Record<string, number>>;
  readonly maxUs: number;
}

/** What is told of a distribution, ms. */
export interface LatencySummary {
  readonly messages: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}
