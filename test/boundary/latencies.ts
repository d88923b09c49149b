import type { AckLatency, LatencyCounts } from '../../boundary/latency.ts';
import { latencyCounts, makeLatencyCounter, recordLatency } from '../../boundary/latency-histogram.ts';

/** Counts of made-up messages: so many of each latency. */
export function countsOf(messagesByMs: Readonly<Record<number, number>>, missing = 0): LatencyCounts {
  const counter = makeLatencyCounter();
  for (const [latencyMs, messages] of Object.entries(messagesByMs)) {
    for (let message = 0; message < messages; message += 1) recordLatency(counter, Number(latencyMs) * 1_000);
  }
  return latencyCounts(counter, missing);
}

/** What a shard brings that timed four producers. */
export function ackLatency(messagesByMs: Readonly<Record<number, number>>, missing = 0): AckLatency {
  return { timedProducers: 4, counts: countsOf(messagesByMs, missing) };
}
