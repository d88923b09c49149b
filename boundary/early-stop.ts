import type { BrokerPoll } from './broker-reading.ts';
import { readingsInWindow, windowedIdle } from './idle-window.ts';
import { isrChurn } from './isr-churn.ts';
import { readingsByBroker } from './polls.ts';
import type { Window } from './trial.ts';
import type { Thresholds } from './verdict.ts';

/** What is known in the middle of a window. */
export interface TrialSoFar {
  /** The window as planned. */
  readonly window: Window;
  readonly nowMs: number;
  readonly polls: readonly BrokerPoll[];
  readonly pollIntervalMs: number;
  readonly brokerIds: readonly number[];
  readonly underReplicatedBefore: Readonly<Record<string, number>>;
  /** A shard that is gone, and the largest throttle time so far, ms. */
  readonly hasLostShard: boolean;
  readonly throttleMs: number;
}

/**
 * Why the trial may stop now: because nothing that can still happen in the window changes its verdict. A low idle so
 * far is certain only when even fully idle handlers for the rest could not lift the mean over the limit.
 *
 * @returns one phrase for the journal, or null to go on.
 */
export function reasonToStopEarly(so: TrialSoFar, thresholds: Thresholds): string | null {
  if (so.hasLostShard) return 'a load shard is lost';
  if (so.throttleMs > 0) return 'a quota throttles the producers';
  return tooManyMissed(so, thresholds) ?? certainIdle(so, thresholds) ?? certainChurn(so, thresholds);
}

function tooManyMissed(so: TrialSoFar, thresholds: Thresholds): string | null {
  const planned = Math.floor((so.window.endAtMs - so.window.startAtMs) / so.pollIntervalMs) + 1;
  for (const brokerId of so.brokerIds) {
    const missed = so.polls.filter(
      (poll) => poll.kind === 'missed' && poll.brokerId === brokerId && poll.atMs >= so.window.startAtMs,
    ).length;
    if (missed > thresholds.missedPollShare * planned) return `metrics of broker ${brokerId} are missing`;
  }
  return null;
}

function certainIdle(so: TrialSoFar, thresholds: Thresholds): string | null {
  const plannedMs = so.window.endAtMs - so.window.startAtMs;
  for (const [brokerId, readings] of readingsByBroker(so.polls)) {
    const last = readingsInWindow(readings, so.window).at(-1);
    if (!last) continue;
    const soFar: Window = { startAtMs: so.window.startAtMs, endAtMs: Math.min(last.atMs, so.window.endAtMs) };
    const idle = windowedIdle(readings, soFar);
    if (!idle) continue;
    const elapsedMs = soFar.endAtMs - soFar.startAtMs;
    const highestMean = (idle.high * elapsedMs + (plannedMs - elapsedMs)) / plannedMs;
    if (highestMean < thresholds.idleRatio) {
      return `broker ${brokerId} cannot get back to ${Math.round(thresholds.idleRatio * 1000) / 10} % idle in this window`;
    }
  }
  return null;
}

function certainChurn(so: TrialSoFar, thresholds: Thresholds): string | null {
  const elapsedMs = so.nowMs - so.window.startAtMs;
  const plannedMs = so.window.endAtMs - so.window.startAtMs;
  const churn = isrChurn(readingsByBroker(so.polls), so.underReplicatedBefore, so.window, so.pollIntervalMs);
  return (churn.share * elapsedMs) / plannedMs > thresholds.isrChurnShare
    ? 'in-sync replicas changed for more than the limit of the whole window'
    : null;
}
