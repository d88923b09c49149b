import type { LatencyCounts, LatencySummary } from './latency.ts';

/** Below this, every microsecond has a bucket of its own; above, each doubling is cut into half as many buckets. */
const EXACT_BELOW_US = 256;
const BUCKETS_PER_DOUBLING = EXACT_BELOW_US / 2;

/** Longer latencies count as this, ten minutes; the largest one is kept as it is. */
const LARGEST_US = 600_000_000;

/** A percentile is never under the true one, and over it by less than this share of it. */
export const LATENCY_ERROR = 1 / BUCKETS_PER_DOUBLING;

const BUCKETS = bucketOf(LARGEST_US) + 1;

/** Counts that grow message by message, without allocation. */
export interface LatencyCounter {
  readonly counts: Uint32Array;
  maxUs: number;
}

export function makeLatencyCounter(): LatencyCounter {
  return { counts: new Uint32Array(BUCKETS), maxUs: 0 };
}

/** Bucket of a latency in microseconds: log-linear, as HdrHistogram's; a negative one (clocks differ) counts as 0. */
export function bucketOf(latencyUs: number): number {
  const us = Math.max(0, Math.min(LARGEST_US, Math.floor(latencyUs)));
  if (us < EXACT_BELOW_US) return us;
  const doublings = 24 - Math.clz32(us);
  return doublings * BUCKETS_PER_DOUBLING + (us >>> doublings);
}

/** Largest latency that falls into a bucket, whole microseconds; the last one has no end. */
export function bucketTopUs(bucket: number): number {
  if (bucket >= BUCKETS - 1) return Number.POSITIVE_INFINITY;
  if (bucket < EXACT_BELOW_US) return bucket;
  const doublings = Math.floor(bucket / BUCKETS_PER_DOUBLING) - 1;
  return (bucket - doublings * BUCKETS_PER_DOUBLING + 1) * 2 ** doublings - 1;
}

/** Counts one message. */
export function recordLatency(counter: LatencyCounter, latencyUs: number): void {
  const bucket = bucketOf(latencyUs);
  counter.counts[bucket] = (counter.counts[bucket] ?? 0) + 1;
  if (latencyUs > counter.maxUs) counter.maxUs = Math.floor(latencyUs);
}

/** Adds the counts of `from` to those of `into`. */
export function addLatencies(into: LatencyCounter, from: LatencyCounter): void {
  for (const [bucket, messages] of from.counts.entries()) {
    into.counts[bucket] = (into.counts[bucket] ?? 0) + messages;
  }
  into.maxUs = Math.max(into.maxUs, from.maxUs);
}

/** The counts as JSON, buckets without a message left out. @param missing messages that fell due without an answer. */
export function latencyCounts(counter: LatencyCounter, missing = 0): LatencyCounts {
  const buckets: Record<string, number> = {};
  for (const [bucket, messages] of counter.counts.entries()) {
    if (messages > 0) buckets[bucket] = messages;
  }
  return { buckets, maxUs: counter.maxUs, missing };
}

/** The counts of all parts together, whatever their order. */
export function mergeLatencies(parts: readonly LatencyCounts[]): LatencyCounts {
  const buckets: Record<string, number> = {};
  let maxUs = 0;
  let missing = 0;
  for (const part of parts) {
    for (const [bucket, messages] of Object.entries(part.buckets)) {
      buckets[bucket] = (buckets[bucket] ?? 0) + messages;
    }
    maxUs = Math.max(maxUs, part.maxUs);
    missing += part.missing;
  }
  return { buckets, maxUs, missing };
}

/** Messages that were timed, those without an answer among them. */
export function messagesTimed({ buckets, missing }: LatencyCounts): number {
  return Object.values(buckets).reduce((sum, messages) => sum + messages, missing);
}

/** Messages slower than a latency, those without an answer among them; exact to the width of its bucket. */
export function messagesSlowerThan({ buckets, missing }: LatencyCounts, latencyUs: number): number {
  const limit = bucketOf(latencyUs);
  return Object.entries(buckets).reduce(
    (sum, [bucket, messages]) => (Number(bucket) > limit ? sum + messages : sum),
    missing,
  );
}

/**
 * The latency that `perMille` of 1,000 messages do not exceed, microseconds: the smallest with at least that share at or
 * under it (nearest rank), as the top of its bucket.
 * @returns null when there are no messages, or when it lies among those without an answer.
 */
export function latencyPercentileUs(counts: LatencyCounts, perMille: number): number | null {
  const rank = Math.max(1, Math.ceil((messagesTimed(counts) * perMille) / 1_000));
  let seen = 0;
  // Keys that are whole numbers come in ascending order.
  for (const [bucket, messages] of Object.entries(counts.buckets)) {
    seen += messages;
    if (seen >= rank) return Math.min(bucketTopUs(Number(bucket)), counts.maxUs);
  }
  return null;
}

/** Boils counts down to what tables show; null when no message was timed. */
export function summarizeLatency(counts: LatencyCounts): LatencySummary | null {
  const messages = messagesTimed(counts);
  if (messages === 0) return null;
  const atMs = (perMille: number) => {
    const us = latencyPercentileUs(counts, perMille);
    return us === null ? null : us / 1_000;
  };
  return {
    messages,
    missing: counts.missing,
    p50Ms: atMs(500),
    p90Ms: atMs(900),
    p99Ms: atMs(990),
    p999Ms: atMs(999),
    maxMs: atMs(1_000),
  };
}
