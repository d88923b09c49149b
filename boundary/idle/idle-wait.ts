import type { BrokerReading, HandlerPool } from '../broker-reading.ts';

/** An idle handler waits at most this long before it books its idle time (KafkaRequestHandler: receiveRequest(300)), ms. */
export const LONGEST_WAIT_MS = 300;

/**
 * Waits between requests are close to exponential under load, so 7 mean waits bound one of them at 99.9 %. The page
 * does not tell the number of handler threads; Kafka's default of 8 is assumed, which is the cautious side for fewer.
 */
const WAITS_IN_BOUND = 7;
const ASSUMED_HANDLER_THREADS = 8;

/** Idle per time of a meter whose handlers have nothing to do: two pools that mark one meter reach 2. */
export function fullIdle(pool: HandlerPool): number {
  return pool === 'sum of broker and controller' ? 2 : 1;
}

/**
 * Idle time that the waits in progress at the two ends of a stretch book on its wrong side, ms. Idle is booked when a
 * wait ends; neighbouring stretches share their ends, so a chain of them is off by this much once, not once each.
 *
 * @param idleMs what the meter grew by between the two readings.
 */
export function waitErrorMs(
  first: BrokerReading,
  last: BrokerReading,
  pool: HandlerPool,
  idleMs: number,
): number {
  switch (pool) {
    case 'broker':
      return brokerWaitErrorMs(first, last, idleMs);
    case 'sum of broker and controller':
      return brokerWaitErrorMs(first, last, idleMs) + LONGEST_WAIT_MS;
    case 'mean of broker and controller':
      return LONGEST_WAIT_MS;
  }
}

function brokerWaitErrorMs(first: BrokerReading, last: BrokerReading, idleMs: number): number {
  if (first.requests === null || last.requests === null) return LONGEST_WAIT_MS;
  const requests = last.requests - first.requests;
  if (requests <= 0) return LONGEST_WAIT_MS;
  return Math.min(LONGEST_WAIT_MS, WAITS_IN_BOUND * ((idleMs * ASSUMED_HANDLER_THREADS) / requests));
}
