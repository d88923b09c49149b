import type { BrokerReading } from '../broker-reading.ts';
import { cumulativeIdle } from './recent-idle.ts';

/** Mean idle between two looks at a broker, 0..1. */
export interface IdleLook {
  readonly fromMs: number;
  readonly toMs: number;
  readonly idle: number;
}

/** The poll that opens the first look of a load or window may be taken this much before it, ms. */
export const LOOK_TOLERANCE_MS = 300;

/** Looks closer together than this are taken as one: their noise is that of a second, ms. */
const LEAST_LOOK_MS = 700;

/**
 * Idle of a broker look by look, for statistics on how it moves. Only a cumulative meter tells a look of its own: one
 * of a moving average would hold the looks before it.
 *
 * @param readings of one broker, ordered by time; those from `fromMs` on count.
 * @returns in order of time; empty when the meter is not cumulative.
 */
export function idleLooks(readings: readonly BrokerReading[], fromMs: number): IdleLook[] {
  const looks: IdleLook[] = [];
  let earlier: BrokerReading | undefined;
  for (const reading of readings) {
    if (reading.atMs < fromMs) continue;
    if (earlier && reading.atMs - earlier.atMs < LEAST_LOOK_MS) continue;
    if (earlier) {
      const idle = cumulativeIdle([earlier, reading]);
      if (idle === null) return [];
      looks.push({ fromMs: earlier.atMs, toMs: reading.atMs, idle });
    }
    earlier = reading;
  }
  return looks;
}
