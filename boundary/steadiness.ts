import type { BrokerPoll, BrokerReading } from './broker-reading.ts';
import { cumulativeIdle, recentIdle, tickIdles } from './idle/recent-idle.ts';
import { readingsByBroker } from './polls.ts';

/** Two stretches of warm-up whose mean idle differs by less than this are alike: one-second readings scatter by 0.05. */
const STEADY_DIFFERENCE = 0.1;

/**
 * Whether the brokers have come to rest under the load: on every broker the idle of the last `stretch` polls is like
 * that of the stretch before. Of a moving average the last two ticks are compared; too few to compare is not steady.
 */
export function isSteady(polls: readonly BrokerPoll[], stretch: number): boolean {
  for (const readings of readingsByBroker(polls).values()) {
    const [before, after] = idleOfStretches(readings, stretch) ?? tickIdles(readings).slice(-2);
    if (before === undefined || after === undefined) return false;
    if (Math.abs(after - before) > STEADY_DIFFERENCE) return false;
  }
  return true;
}

/** Idle of every broker as its readings last tell it, by broker id: what a live display shows. */
export function latestIdle(polls: readonly BrokerPoll[]): Record<string, number> {
  const idle: Record<string, number> = {};
  for (const [brokerId, readings] of readingsByBroker(polls)) {
    const ratio = recentIdle(readings);
    if (ratio !== null) idle[String(brokerId)] = ratio;
  }
  return idle;
}

/** Mean idle of the last stretch and of the one before, oldest first; null when the meter is not cumulative. */
function idleOfStretches(readings: readonly BrokerReading[], stretch: number): [number, number] | null {
  const before = cumulativeIdle(readings.slice(-1 - 2 * stretch, -stretch));
  const after = cumulativeIdle(readings.slice(-1 - stretch));
  return before === null || after === null ? null : [before, after];
}
