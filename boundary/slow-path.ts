import type { BrokerReading } from './broker-reading.ts';
import { median } from './delivery.ts';
import { windowedIdle } from './idle/windowed-idle.ts';
import { readingsByBroker } from './polls.ts';
import { readingsInWindow } from './readings-around.ts';
import type { TrialEvidence, Window } from './trial.ts';

/** Of a round trip that is the brokers' doing, they spend more than this part on the request. */
const SMALL_PART = 0.25;
/** Handlers and network threads with this much idle have no backlog. */
const CALM_IDLE = 0.5;
/** Requests that wait for a handler. */
const CALM_QUEUE = 5;

/**
 * The most that any broker takes for a produce request, ms, when the way to the brokers must be what takes the rest of a long
 * round trip: all of them answer quickly once they have a request, and neither their network threads nor their handlers have
 * a backlog. Null when a broker shows otherwise, or does not show it all.
 *
 * @param stretch when the round trip took `roundTripMs`.
 */
export function produceMsOfCalmBrokers(
  { signals, polls, cluster }: Pick<TrialEvidence, 'signals' | 'polls' | 'cluster'>,
  stretch: Window,
  roundTripMs: number,
): number | null {
  if (signals === 'none') return null;
  const byBroker = readingsByBroker(polls);
  let mostMs = 0;
  for (const brokerId of cluster.expectedBrokerIds) {
    const all = byBroker.get(brokerId) ?? [];
    const produceMs = calmProduceMs(readingsInWindow(all, stretch));
    const idle = windowedIdle(all, stretch);
    if (produceMs === null || idle === null || idle.low < CALM_IDLE) return null;
    mostMs = Math.max(mostMs, produceMs);
  }
  return mostMs < SMALL_PART * roundTripMs ? mostMs : null;
}

function calmProduceMs(readings: readonly BrokerReading[]): number | null {
  const shown = (of: (reading: BrokerReading) => number | null) =>
    median(readings.flatMap((reading) => of(reading) ?? []));
  const networkIdle = shown((reading) => reading.networkIdle);
  const queue = shown((reading) => reading.requestQueueSize);
  const isCalm = networkIdle !== null && networkIdle >= CALM_IDLE && queue !== null && queue < CALM_QUEUE;
  return isCalm ? shown((reading) => reading.produceP99Ms) : null;
}
