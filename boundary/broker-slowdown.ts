import { type Delivery, median } from './delivery.ts';
import { readingsInWindow } from './idle-window.ts';
import { readingsByBroker } from './polls.ts';
import type { TrialEvidence } from './trial.ts';
import type { Thresholds } from './verdict.ts';

/** A request queue this short is not a queue, whatever its growth. */
const QUEUE_FLOOR_REQUESTS = 5;

export interface Slowdown {
  readonly brokerId: number | null;
  readonly detail: string;
}

/**
 * Whether the brokers' part slowed during the window: the round trip of the second half is 1.5 x the first and above
 * 50 ms, or a broker's request queue grew likewise. Null when neither did.
 */
export function hasBrokerSlowed(
  evidence: TrialEvidence,
  delivery: Delivery,
  thresholds: Thresholds,
): Slowdown | null {
  const { roundTripFirstMs: first, roundTripSecondMs: second } = delivery;
  if (first !== null && second !== null && hasGrown(first, second, thresholds.roundTripFloorMs, thresholds)) {
    return { brokerId: null, detail: `round trip ${Math.round(first)} ms, then ${Math.round(second)} ms` };
  }
  const middleMs = (evidence.window.startAtMs + evidence.window.endAtMs) / 2;
  for (const [brokerId, readings] of readingsByBroker(evidence.polls)) {
    const inside = readingsInWindow(readings, evidence.window);
    const queueOf = (half: typeof inside) =>
      median(half.flatMap((r) => (r.requestQueueSize === null ? [] : [r.requestQueueSize])));
    const before = queueOf(inside.filter((reading) => reading.atMs <= middleMs));
    const after = queueOf(inside.filter((reading) => reading.atMs > middleMs));
    if (before !== null && after !== null && hasGrown(before, after, QUEUE_FLOOR_REQUESTS, thresholds)) {
      return { brokerId, detail: `request queue of broker ${brokerId} ${before}, then ${after}` };
    }
  }
  return null;
}

function hasGrown(first: number, second: number, floor: number, thresholds: Thresholds): boolean {
  return second > floor && second >= thresholds.roundTripGrowth * first;
}
