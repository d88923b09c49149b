import type { BrokerPoll } from './broker-reading.ts';
import { isHard, windowedIdle } from './idle/windowed-idle.ts';
import { isrChurn } from './isr-churn.ts';
import { readingsByBroker } from './polls.ts';
import { readingsInWindow } from './readings-around.ts';
import type { Window } from './trial.ts';
import type { Thresholds } from './verdict.ts';

/** What is known in the middle of a window. */
export interface TrialSoFar {
  /** The window as planned. */
  readonly window: Window;
  readonly nowMs: number;
  readonly polls: readonly BrokerPoll[];
  readonly pollIntervalMs: number;
  readonly underReplicatedBefore: Readonly<Record<string, number>>;
  /** A shard that is gone, and the largest throttle time so far, ms. */
  readonly hasLostShard: boolean;
  readonly throttleMs: number;
}

/**
 * Why the trial may stop now: because nothing that can still happen in the window changes its verdict. A low idle so
 * far is certain only when even fully idle handlers for the rest could not lift the mean over the limit. Missing metrics
 * end no trial: the page that answers after the load may still show the overload that kept it silent, over the whole
 * window but not over a part.
 *
 * @returns one phrase for the journal, or null to go on.
 */
export function reasonToStopEarly(so: TrialSoFar, thresholds: Thresholds): string | null {
  if (so.hasLostShard) return 'a load shard is lost';
  if (so.throttleMs > 0) return 'a quota throttles the producers';
  return certainIdle(so, thresholds) ?? certainChurn(so, thresholds);
}

function certainIdle(so: TrialSoFar, thresholds: Thresholds): string | null {
  const plannedMs = so.window.endAtMs - so.window.startAtMs;
  for (const [brokerId, readings] of readingsByBroker(so.polls)) {
    const last = readingsInWindow(readings, so.window).at(-1);
    if (!last) continue;
    const soFar: Window = { startAtMs: so.window.startAtMs, endAtMs: Math.min(last.atMs, so.window.endAtMs) };
    const idle = windowedIdle(readings, soFar);
    if (!idle || !isHard(idle)) continue;
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
