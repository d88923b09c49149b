/**
 * Latencies of many messages as counts of buckets, in whole microseconds: the layout of HdrHistogram (G. Tene), as sparse
 * JSON. Always from the intended send time, so that a generator or broker that pauses is not forgiven the messages it
 * delays (coordinated omission).
 */
export interface LatencyCounts {
  /** Index of a bucket (see bucketOf) -> messages. */
  readonly buckets: Readonly<Record<string, number>>;
  readonly maxUs: number;
  /** Messages that fell due but had no answer when the counting ended: slower than all that are in the buckets. */
  readonly missing: number;
}

/** Send time asked for to acknowledgement, of the messages of a shard's timed producers. */
export interface AckLatency {
  /** Producers that were timed, of those of the shard. */
  readonly timedProducers: number;
  readonly counts: LatencyCounts;
}

/**
 * What is told of a distribution, ms. A percentile that lies among the messages without an answer is null: it is beyond
 * everything that was seen.
 */
export interface LatencySummary {
  /** Messages that were timed, those without an answer among them. */
  readonly messages: number;
  readonly missing: number;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
  readonly maxMs: number | null;
}

/** Of a trial: send time asked for to acknowledgement, on the clock of each worker alone. */
export interface AckLatencySummary extends LatencySummary {
  /** Producers that were timed, of all np; they are alike, so some stand for all. */
  readonly timedProducers: number;
}

/** Of a trial: send time asked for to consumption. */
export interface ConsumeLatencySummary extends LatencySummary {
  /** How far the clocks of producers' and consumers' workers may be apart, ms; null when it is not known. */
  readonly clockErrorMs: number | null;
}
