import { shardShortfall } from './generator-shortfall.ts';
import { stallDelayMs } from './generator-stalls.ts';
import type { AckLatency } from './latency.ts';
import { latencyPercentileUs, messagesSlowerThan, messagesTimed } from './latency-histogram.ts';
import { FASTEST_TIMED_RATE } from './timed-producers.ts';
import type { ShardReport, TrialEvidence } from './trial.ts';
import { ackLatencyOf } from './trial-latency.ts';
import type { InvalidVerdict, Thresholds, Verdict } from './verdict.ts';

/** The share of the messages that may be slower than the limit, and as per mille the percentile that this makes. */
const SLOW_SHARE = 0.01;
const PER_MILLE = 990;

/** Of fewer messages even the slowest one says nothing about one in a hundred. */
const FEWEST_MESSAGES = 100;

/**
 * Rule 5, only when a limit is set: p99 from the intended send time to the acknowledgement above it. Messages that were
 * never acknowledged are slower than any limit. A delay of the generator's own making is not the brokers': where one of
 * its shards fell short the rule is silent (rule 6 speaks), and what its stalls explain is no overload.
 */
export function judgeLatency(evidence: TrialEvidence, thresholds: Thresholds): Verdict | null {
  const { shards, window } = evidence;
  const limitMs = thresholds.latencyP99Ms;
  const latency = ackLatencyOf(shards);
  if (limitMs === null || latency === null || messagesTimed(latency.counts) === 0) return null;
  const p99Us = latencyPercentileUs(latency.counts, PER_MILLE);
  if (p99Us !== null && p99Us <= limitMs * 1_000) return null;
  if (shards.some((shard) => shardShortfall(shard, window, thresholds) !== null)) return null;
  const detail = detailOf(latency, p99Us, limitMs);
  const ownMs = Math.max(...shards.map((shard) => stallDelayMs(shard, window, SLOW_SHARE)));
  if (p99Us !== null && p99Us / 1_000 - ownMs <= limitMs) {
    return {
      kind: 'invalid',
      reason: 'generator-limited',
      detail: `${detail}; stalls of a load process alone make ${Math.ceil(ownMs)} ms of it`,
    };
  }
  // What was never acknowledged has no latency; the slowest that was, or the limit, is then the least it can be.
  const value = p99Us === null ? Math.max(limitMs, latency.counts.maxUs / 1_000) : p99Us / 1_000;
  return { kind: 'overloaded', rule: 'latency', brokerId: null, value, limit: limitMs, detail };
}

function detailOf({ counts }: AckLatency, p99Us: number | null, limitMs: number): string {
  const slow = messagesSlowerThan(counts, limitMs * 1_000) / messagesTimed(counts);
  const never = counts.missing === 0 ? '' : `, ${counts.missing} never acknowledged`;
  const p99 = p99Us === null ? 'more than 1 % never acknowledged' : `p99 ${Math.ceil(p99Us / 1_000)} ms`;
  return `${p99}, limit ${limitMs} ms; ${(slow * 100).toFixed(1)} % of ${messagesTimed(counts)} timed messages were slower${never}`;
}

/** When a limit is set, a latency that was not measured is no sustained one. Looked at when no other rule applied. */
export function requireLatency(
  { plan, shards }: TrialEvidence,
  thresholds: Thresholds,
): InvalidVerdict | null {
  if (thresholds.latencyP99Ms === null) return null;
  const why = whyUnknown(plan.unitRate, shards);
  return why === null ? null : { kind: 'invalid', reason: 'latency not measured', detail: why };
}

function whyUnknown(unitRate: number, shards: readonly ShardReport[]): string | null {
  if (unitRate > FASTEST_TIMED_RATE)
    return `${tooFastText(unitRate)}: use more producers at a lower unit rate`;
  const latency = ackLatencyOf(shards);
  if (latency === null) return 'a shard brought no latencies of the window';
  const messages = messagesTimed(latency.counts);
  return messages < FEWEST_MESSAGES
    ? `only ${messages} messages were timed, too few for a p99: make the window longer`
    : null;
}

/** Why producers of this rate are not timed. */
export function tooFastText(unitRate: number): string {
  return `a producer sends ${Math.round(unitRate)} messages/s, more than the ${FASTEST_TIMED_RATE} up to which each is timed`;
}
