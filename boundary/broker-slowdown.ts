import type { BrokerReading } from './broker-reading.ts';
import { median, roundTripMs } from './delivery.ts';
import { readingsByBroker } from './polls.ts';
import { readingsInWindow } from './readings-around.ts';
import { produceMsOfCalmBrokers } from './slow-path.ts';
import type { TrialEvidence, Window } from './trial.ts';
import type { Thresholds } from './verdict.ts';

/** A request queue this short is not a queue, whatever its growth. */
const QUEUE_FLOOR_REQUESTS = 5;

export interface Slowdown {
  readonly brokerId: number | null;
  readonly detail: string;
}

/** What a broker shows when it slows, and below which value it is nothing. */
interface SlowdownSign {
  readonly shown: (reading: BrokerReading) => number | null;
  readonly floor: number;
  readonly tell: (brokerId: number, before: number, after: number) => string;
}

/**
 * Whether the brokers' part slowed during the window: the round trip of the second half is 1.5 x the first and above
 * 50 ms and not that of the way to them, or a broker's request queue or the p99 of its produce time grew likewise. Null when none did. The broker's p99
 * remembers minutes, so it says less than it knows; never more. Without signals only the round trip is there. With
 * `pacedBy` the whole window is compared with that stretch: a hold ends when the brokers have been slow for long.
 */
export function hasBrokerSlowed(evidence: TrialEvidence, thresholds: Thresholds): Slowdown | null {
  const { earlier, later } = stretchesOf(evidence);
  const first = roundTripMs(evidence.shards, earlier);
  const second = roundTripMs(evidence.shards, later);
  const hasSlowed = hasGrown(
    first ?? Number.POSITIVE_INFINITY,
    second ?? 0,
    thresholds.roundTripFloorMs,
    thresholds,
  );
  if (hasSlowed && produceMsOfCalmBrokers(evidence, later, second ?? 0) === null) {
    return {
      brokerId: null,
      detail: `round trip ${Math.round(first ?? 0)} ms, then ${Math.round(second ?? 0)} ms`,
    };
  }
  if (evidence.signals === 'none') return null;
  const signs: readonly SlowdownSign[] = [
    {
      shown: (reading) => reading.requestQueueSize,
      floor: QUEUE_FLOOR_REQUESTS,
      tell: (id, before, after) => `request queue of broker ${id} ${before}, then ${after}`,
    },
    {
      shown: (reading) => reading.produceP99Ms,
      floor: thresholds.roundTripFloorMs,
      tell: (id, before, after) =>
        `produce p99 of broker ${id} ${Math.round(before)} ms, then ${Math.round(after)} ms`,
    },
  ];
  for (const [brokerId, readings] of readingsByBroker(evidence.polls)) {
    for (const sign of signs) {
      const before = medianOf(readingsInWindow(readings, earlier), sign);
      const after = medianOf(
        readingsInWindow(readings, later).filter(({ atMs }) => atMs > later.startAtMs),
        sign,
      );
      if (before === null || after === null || !hasGrown(before, after, sign.floor, thresholds)) continue;
      return { brokerId, detail: sign.tell(brokerId, before, after) };
    }
  }
  return null;
}

/** Why less was acknowledged than offered, though no broker slowed: one phrase. */
export function shortfallText(evidence: TrialEvidence): string {
  const { later } = stretchesOf(evidence);
  const totalMs = roundTripMs(evidence.shards, later) ?? 0;
  const produceMs = produceMsOfCalmBrokers(evidence, later, totalMs);
  if (produceMs === null) return 'yet the brokers answer as fast as before';
  return `a round trip takes ${Math.round(totalMs)} ms and the brokers ${Math.round(produceMs)} ms of it at most: look at the network`;
}

function stretchesOf({ window, pacedBy }: TrialEvidence): {
  readonly earlier: Window;
  readonly later: Window;
} {
  if (pacedBy) return { earlier: pacedBy, later: window };
  const middleMs = (window.startAtMs + window.endAtMs) / 2;
  return {
    earlier: { startAtMs: window.startAtMs, endAtMs: middleMs },
    later: { startAtMs: middleMs, endAtMs: window.endAtMs },
  };
}

function medianOf(readings: readonly BrokerReading[], { shown }: SlowdownSign): number | null {
  return median(readings.flatMap((reading) => shown(reading) ?? []));
}

function hasGrown(first: number, second: number, floor: number, thresholds: Thresholds): boolean {
  return second > floor && second >= thresholds.roundTripGrowth * first;
}
