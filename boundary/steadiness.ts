import type { BrokerPoll, BrokerReading } from './broker-reading.ts';
import { readingsByBroker } from './polls.ts';
import { NS_PER_MS } from './units.ts';

/** Two stretches of warm-up whose mean idle differs by less than this are alike: one-second readings scatter by 0.05. */
const STEADY_DIFFERENCE = 0.1;

/** Mean idle between two readings of one broker by scrape time, 0..1; null when there are too few. */
export function idleBetween(
  earlier: BrokerReading | undefined,
  later: BrokerReading | undefined,
): number | null {
  if (!earlier || !later || later.atMs <= earlier.atMs) return null;
  return (later.idleCountNs - earlier.idleCountNs) / ((later.atMs - earlier.atMs) * NS_PER_MS);
}

/**
 * Whether the brokers have come to rest under the load: on every broker the idle of the last `stretch` polls is like
 * that of the stretch before.
 */
export function isSteady(polls: readonly BrokerPoll[], stretch: number): boolean {
  for (const readings of readingsByBroker(polls).values()) {
    const last = readings.at(-1);
    const middle = readings.at(-1 - stretch);
    const first = readings.at(-1 - 2 * stretch) ?? readings[0];
    const before = idleBetween(first, middle);
    const after = idleBetween(middle, last);
    if (before === null || after === null || Math.abs(after - before) > STEADY_DIFFERENCE) return false;
  }
  return true;
}

/** Idle of every broker over its last two readings, by broker id: what a live display shows. */
export function latestIdle(polls: readonly BrokerPoll[]): Record<string, number> {
  const idle: Record<string, number> = {};
  for (const [brokerId, readings] of readingsByBroker(polls)) {
    const ratio = idleBetween(readings.at(-2), readings.at(-1));
    if (ratio !== null) idle[String(brokerId)] = ratio;
  }
  return idle;
}
