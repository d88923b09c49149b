import type { BrokerReading } from './broker-reading.ts';
import { hasRestarted } from './broker-restart.ts';
import { windowedIdle } from './idle/windowed-idle.ts';
import { readingsByBroker } from './polls.ts';
import { readingsAround, readingsInWindow } from './readings-around.ts';
import type { TrialEvidence } from './trial.ts';
import type { InvalidVerdict, Thresholds } from './verdict.ts';

/** What is known of the brokers' signals over a window. */
export interface SeenSignals
  extends Pick<TrialEvidence, 'signals' | 'polls' | 'window' | 'pollIntervalMs' | 'underReplicatedBefore'> {
  readonly cluster: Pick<TrialEvidence['cluster'], 'expectedBrokerIds'>;
}

/**
 * Rule 1, as far as it is about metrics: a broker whose signals nobody knows. A poll that was answered late is no gap:
 * what its page counts is late, not lost. Null when all is known, and when the run does not read signals.
 */
export function findBlindness(evidence: SeenSignals, thresholds: Thresholds): InvalidVerdict | null {
  if (evidence.signals === 'none') return null;
  const byBroker = readingsByBroker(evidence.polls);
  for (const brokerId of evidence.cluster.expectedBrokerIds) {
    const unknown = unknownOf(evidence, brokerId, byBroker.get(brokerId) ?? [], thresholds);
    if (unknown)
      return { kind: 'invalid', reason: 'metrics missing', detail: `broker ${brokerId}: ${unknown}` };
  }
  return null;
}

/** A broker whose process started anew around the window, or whose page became another's: its load went elsewhere, and its counts began again. */
export function findRestart(evidence: TrialEvidence): InvalidVerdict | null {
  if (evidence.signals === 'none') return null;
  const restarted = [...readingsByBroker(evidence.polls)].flatMap(([brokerId, readings]) =>
    hasRestarted(readingsAround(readings, evidence.window)) ? [brokerId] : [],
  );
  return restarted.length > 0
    ? {
        kind: 'invalid',
        reason: 'broker restarted',
        detail: `broker ${restarted.join(', ')} restarted in the window, or another answers in its place`,
      }
    : null;
}

function unknownOf(
  evidence: SeenSignals,
  brokerId: number,
  readings: readonly BrokerReading[],
  thresholds: Thresholds,
): string | null {
  const gaps = gapsOf(evidence, brokerId, readings);
  const because = gaps.reason ? ` (${gaps.reason})` : '';
  if (gaps.share > thresholds.missedPollShare)
    return `${gaps.missing} of ${gaps.expected} polls missing${because}`;
  if (!windowedIdle(readings, evidence.window))
    return `its readings do not tell the idle of the window${because}`;
  // A level that nobody read is not 0: what was behind before would count as churn of the trial.
  if (evidence.underReplicatedBefore[String(brokerId)] === undefined)
    return 'under-replicated partitions before the trial unknown';
  const around = readingsAround(readings, evidence.window);
  return around.some((reading) => reading.underReplicatedPartitions === null && reading.isrShrinks === null)
    ? 'no in-sync-replica series'
    : null;
}

interface Gaps {
  readonly missing: number;
  readonly expected: number;
  readonly share: number;
  /** Why the last poll that was missed was missed. */
  readonly reason: string | null;
}

/**
 * Polls of the window that brought nothing. Those said to be missed count, and those that nobody spoke of: a window of n
 * intervals has at least n polls, one more when they stand on its edges.
 */
function gapsOf(
  { polls, window, pollIntervalMs }: SeenSignals,
  brokerId: number,
  readings: readonly BrokerReading[],
): Gaps {
  const intervals = Math.floor((window.endAtMs - window.startAtMs) / pollIntervalMs);
  const inWindow = polls.filter(
    (poll) => poll.brokerId === brokerId && poll.atMs >= window.startAtMs && poll.atMs <= window.endAtMs,
  );
  const missed = inWindow.flatMap((poll) => (poll.kind === 'missed' ? [poll] : []));
  const lost = missed.filter((poll) => !poll.isAnsweredLate);
  const known = readingsInWindow(readings, window).length + (missed.length - lost.length);
  const missing = Math.max(lost.length, intervals - known);
  const expected = Math.max(intervals, known + missing);
  return {
    missing,
    expected,
    share: expected > 0 ? missing / expected : 1,
    reason: lastReason(polls, brokerId),
  };
}

function lastReason(polls: SeenSignals['polls'], brokerId: number): string | null {
  const last = polls.findLast((poll) => poll.kind === 'missed' && poll.brokerId === brokerId);
  return last?.kind === 'missed' ? last.reason : null;
}
