import type { AckLatency, AckLatencySummary, ConsumeLatencySummary } from './latency.ts';
import { mergeLatencies, summarizeLatency } from './latency-histogram.ts';
import type { ReaderReport, ShardReport, TrialEvidence } from './trial.ts';

/** The latency of all timed producers of a trial together; null when some shard timed none. */
export function ackLatencyOf(shards: readonly ShardReport[]): AckLatency | null {
  const parts = shards.flatMap(({ ackLatency }) => (ackLatency ? [ackLatency] : []));
  if (parts.length < shards.length || parts.length === 0) return null;
  return {
    timedProducers: parts.reduce((sum, part) => sum + part.timedProducers, 0),
    counts: mergeLatencies(parts.map((part) => part.counts)),
  };
}

/** What a trial's record tells of latencies; a field is missing when nothing was timed. */
export interface TrialLatencies {
  readonly ackLatency?: AckLatencySummary;
  readonly consumeLatency?: ConsumeLatencySummary;
}

/** Boils the latencies of a trial down to percentiles. */
export function measureLatencies(evidence: Pick<TrialEvidence, 'shards' | 'readers'>): TrialLatencies {
  return { ...ackSummary(evidence.shards), ...consumeSummary(evidence.shards, evidence.readers ?? []) };
}

function ackSummary(shards: readonly ShardReport[]): TrialLatencies {
  const latency = ackLatencyOf(shards);
  const summary = latency && summarizeLatency(latency.counts);
  return summary ? { ackLatency: { ...summary, timedProducers: latency.timedProducers } } : {};
}

function consumeSummary(shards: readonly ShardReport[], readers: readonly ReaderReport[]): TrialLatencies {
  const parts = readers.flatMap(({ consumeLatency }) => (consumeLatency ? [consumeLatency] : []));
  if (parts.length < readers.length) return {};
  const summary = summarizeLatency(mergeLatencies(parts));
  const clockErrorMs = sumOrNull(largestError(shards), largestError(readers));
  return summary ? { consumeLatency: { ...summary, clockErrorMs } } : {};
}

/** Clocks of different workers are apart by both their errors at most. */
function largestError(reports: readonly { readonly clockErrorMs?: number }[]): number | null {
  const errors = reports.flatMap(({ clockErrorMs }) => (clockErrorMs === undefined ? [] : [clockErrorMs]));
  return errors.length < reports.length || errors.length === 0 ? null : Math.max(...errors);
}

function sumOrNull(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
