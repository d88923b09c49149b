import type { BrokerPoll, BrokerReading } from './broker-reading.ts';
import { cumulativeAt } from './cumulative-series.ts';
import { readingsByBroker } from './polls.ts';
import { readingsAround } from './readings-around.ts';
import type { ReaderReport, ShardReport, TrialEvidence } from './trial.ts';
import { formatBytes } from './units.ts';
import type { InvalidVerdict } from './verdict.ts';

/** What may be missing or too much before a trial does not count, of what was sent. */
const LARGEST_DIFFERENCE = 0.01;

/** Both counts are read at instants that are known to about this, beside the time that a scrape takes, ms. */
const EDGE_MS = 25;

/** A producer's count grows in steps of a message, not on the line between its statistics: three standard deviations. */
const STEPS_OF_A_PRODUCER = 3 / Math.sqrt(6);

/** A committed offset of a partition, with group and topic in its key and a share of its batch, at most. */
const COMMIT_BYTES = 400;

/** What was there before the run may grow this much before somebody else is said to load the brokers. */
const GROWTH_OF_OTHERS = 2;

/**
 * Compares what the producers say with what the brokers say, last of all rules, for a trial that would be sustained: what
 * was acknowledged must be in the topic, and the bytes that came in at the brokers must be those that were sent.
 * Null when all agrees, and where the brokers' pages do not tell.
 */
export function findUnreconciled(evidence: TrialEvidence): InvalidVerdict | null {
  const detail = offsetTrouble(evidence) ?? byteTrouble(evidence);
  return detail === null ? null : { kind: 'invalid', reason: 'not reconciled', detail };
}

/** acked <= growth of the end offsets <= acked + unknown fate. */
function offsetTrouble({ endOffsetGrowth: growth, shards }: TrialEvidence): string | null {
  if (growth === null) return 'the end offsets of the topic could not be read';
  const acked = shards.reduce((sum, shard) => sum + shard.acked, 0);
  const unknown = shards.reduce((sum, shard) => sum + shard.failed + shard.undelivered, 0);
  if (growth >= acked && growth <= acked + unknown) return null;
  return `${acked} messages acknowledged, but the topic grew by ${growth}`;
}

function byteTrouble(evidence: TrialEvidence): string | null {
  const balance = byteBalance(evidence);
  if (balance === null) return null;
  const { counted, sent, unsure, others, commits } = balance;
  const allowed = LARGEST_DIFFERENCE * sent + unsure;
  const isShort = counted < sent - allowed;
  if (!isShort && counted <= sent + allowed + GROWTH_OF_OTHERS * others + commits) return null;
  const difference = `${(100 * (counted / sent - 1)).toFixed(1)} %, ${formatBytes(Math.round(unsure))} unsure`;
  const because = isShort ? '' : ': somebody else sends to them';
  return `the brokers count ${formatBytes(counted)} in, the producers sent ${formatBytes(Math.round(sent))} (${difference})${because}`;
}

/** Bytes over the same stretch of time, about the window, of all brokers. */
export interface ByteBalance {
  /** As the brokers count them: record batches of producers. */
  readonly counted: number;
  /** As the producers do. */
  readonly sent: number;
  /** What may lie on the other side of the stretch's ends. */
  readonly unsure: number;
  /** What came from elsewhere in as much time before the run. */
  readonly others: number;
  /** What the consumers' offsets, which are records of a topic too, add at most. */
  readonly commits: number;
}

/**
 * Adds up over the brokers what came in between the two looks around the window, and what the producers sent in the same
 * time, the leaders being even. librdkafka's statistics tell the bytes of finished record batches, compressed, with their
 * headers and without those of requests: what BytesInPerSec counts (ReplicaManager.appendToLocalLog).
 *
 * @returns null when a page shows no such count (a one-minute rate is none), or a shard's producers tell no bytes.
 */
export function byteBalance(evidence: TrialEvidence): ByteBalance | null {
  const brokerIds = evidence.cluster.expectedBrokerIds;
  const byBroker = readingsByBroker(evidence.polls);
  const balance = { counted: 0, sent: 0, unsure: 0, others: 0, commits: 0 };
  for (const brokerId of brokerIds) {
    const span = countedSpan(readingsAround(byBroker.get(brokerId) ?? [], evidence.window));
    const sent = span && sentWithin(evidence.shards, span);
    if (!sent) return null;
    const spanMs = span.endAtMs - span.startAtMs;
    balance.counted += span.bytes;
    balance.sent += sent.bytes / brokerIds.length;
    balance.unsure += ((sent.bytes / spanMs) * span.unsureMs + sent.underWay) / brokerIds.length;
    balance.commits = Math.max(balance.commits, committedWithin(evidence.readers ?? [], span) * COMMIT_BYTES);
    balance.others += ((evidence.restingBytesInPerSecond ?? 0) * spanMs) / 1_000 / brokerIds.length;
  }
  return balance.sent > 0 ? balance : null;
}

/** Offsets that consumers committed in a span and a tick to either side, as they hear of it after the brokers. */
function committedWithin(readers: readonly ReaderReport[], { startAtMs, endAtMs }: CountedSpan): number {
  return readers.reduce((sum, { ticks }) => {
    const before = ticks.findLast(({ atMs }) => atMs < startAtMs)?.committed ?? 0;
    const after = ticks.findIndex(({ atMs }) => atMs > endAtMs);
    const last = after < 0 ? ticks.at(-1) : (ticks[after + 1] ?? ticks[after]);
    return sum + (last?.committed ?? 0) - before;
  }, 0);
}

interface CountedSpan {
  readonly startAtMs: number;
  readonly endAtMs: number;
  readonly bytes: number;
  /** How far the looks may be off the instants that they are noted with, ms. */
  readonly unsureMs: number;
}

/** What a broker counted between the first and the last of its readings. */
function countedSpan(readings: readonly BrokerReading[]): CountedSpan | null {
  // What other brokers than Kafka's count as bytes in, nobody has compared.
  const shown = readings.flatMap(({ idle, bytesIn, atMs, scrapeMs }) =>
    idle.kind === 'request handlers' && bytesIn?.count != null
      ? [{ atMs, scrapeMs, bytes: bytesIn.count }]
      : [],
  );
  const first = shown[0];
  const last = shown.at(-1);
  if (!first || !last || last.atMs <= first.atMs || last.bytes < first.bytes) return null;
  return {
    startAtMs: first.atMs,
    endAtMs: last.atMs,
    bytes: last.bytes - first.bytes,
    unsureMs: (first.scrapeMs + last.scrapeMs) / 2 + 2 * EDGE_MS,
  };
}

/** Bytes that all producers put into requests meanwhile, and those that were under way at the ends. */
function sentWithin(
  shards: readonly ShardReport[],
  { startAtMs, endAtMs }: CountedSpan,
): { readonly bytes: number; readonly underWay: number } | null {
  let bytes = 0;
  let underWay = 0;
  for (const { ticks, producers } of shards) {
    const counts = ticks.flatMap(({ atMs, sentBytes }) =>
      sentBytes === undefined ? [] : [{ atMs, count: sentBytes }],
    );
    const load = { startMs: ticks[0]?.atMs ?? 0, stopMs: null };
    const before = cumulativeAt(counts, startAtMs, load);
    const after = cumulativeAt(counts, endAtMs, load);
    const last = ticks.at(-1);
    if (counts.length < ticks.length || before === null || after === null || !last) return null;
    bytes += after - before;
    const messages = [startAtMs, endAtMs].map(
      (atMs) => queuedAt(ticks, atMs) + STEPS_OF_A_PRODUCER * Math.sqrt(producers),
    );
    const messageBytes = last.accepted > 0 ? (last.sentBytes ?? 0) / last.accepted : 0;
    underWay += messageBytes * messages.reduce((sum, count) => sum + count, 0);
  }
  return { bytes, underWay };
}

/** Messages in the clients at an instant, at most; those that wait for company have not been sent. */
function queuedAt(ticks: ShardReport['ticks'], atMs: number): number {
  return Math.max(
    0,
    ...ticks.filter((tick) => Math.abs(tick.atMs - atMs) <= 1_000).map(({ queued }) => queued),
  );
}

/**
 * What comes in at the brokers while the run sends nothing, bytes per second of all of them.
 * @returns null when one of them does not tell.
 */
export function restingBytesIn(polls: readonly BrokerPoll[], brokerIds: readonly number[]): number | null {
  const byBroker = readingsByBroker(polls);
  const rates = brokerIds.map((id) => {
    const span = countedSpan(byBroker.get(id) ?? []);
    return span === null ? null : (span.bytes / (span.endAtMs - span.startAtMs)) * 1_000;
  });
  return rates.reduce<number | null>((sum, rate) => (sum === null || rate === null ? null : sum + rate), 0);
}

/** Bytes of a message as brokers count them in, with its share of batches and compressed; null when nobody counted. */
export function sentBytesPerMessage(shards: readonly ShardReport[]): number | null {
  const last = shards.flatMap(({ ticks }) => ticks.at(-1) ?? []);
  const messages = last.reduce((sum, { acked }) => sum + acked, 0);
  const bytes = last.reduce((sum, { sentBytes }) => sum + (sentBytes ?? Number.NaN), 0);
  return messages > 0 && bytes > 0 ? bytes / messages : null;
}
