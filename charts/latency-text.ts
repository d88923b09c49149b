import type { LatencySummary } from '../boundary/latency.ts';
import type { TrialRecord } from '../boundary/run-document.ts';
import { formatCount } from './number-text.ts';

/** Writes a latency in whole ms, rounded up: what is measured is good to a few. */
export function formatLatency(latencyMs: number): string {
  return `${formatCount(Math.ceil(latencyMs))} ms`;
}

/** A percentile; null lies among the messages that had no answer. */
export function percentileText(latencyMs: number | null): string {
  return latencyMs === null ? 'no answer' : formatLatency(latencyMs);
}

/** The p99 of a summary as a cell: `-` when nothing was timed. */
export function p99Text(latency: LatencySummary | undefined): string {
  return latency ? percentileText(latency.p99Ms) : '-';
}

/** What the line of a finished trial says of its latency, with the gap before it; empty when nothing was timed. */
export function trialLatencyText({ ackLatency }: TrialRecord): string {
  return ackLatency ? `  p99 ${percentileText(ackLatency.p99Ms)}` : '';
}

/** How much of the load was timed: `4 of 50 producers, 24,000 messages`. */
export function timedText({ ackLatency, plan }: TrialRecord): string {
  if (!ackLatency) return '-';
  const { timedProducers, messages } = ackLatency;
  const producers =
    timedProducers === plan.np ? 'all producers' : `${timedProducers} of ${plan.np} producers`;
  return `${producers}, ${formatCount(messages)} messages`;
}
