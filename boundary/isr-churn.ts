import type { BrokerReading } from './broker-reading.ts';
import { readingsInWindow } from './idle-window.ts';
import type { Window } from './trial.ts';

export interface IsrChurn {
  /** Share of polled time in which some broker could not replicate in time, 0..1. */
  readonly share: number;
  /** The broker that churned most often; null when none did. */
  readonly brokerId: number | null;
}

/**
 * Share of the window with ISR trouble (Dropbox 2019: over 50 % of the time is overload). A stretch between two polls
 * counts when a broker has more under-replicated partitions than before the trial, or its shrink or expand counter
 * moved. Brokers are joined by poll number, so one shrink seen on two brokers is one stretch of trouble, not two.
 *
 * @param byBroker readings per broker, ordered by time.
 * @param before under-replicated partitions per broker id before the trial.
 */
export function isrChurn(
  byBroker: ReadonlyMap<number, readonly BrokerReading[]>,
  before: Readonly<Record<string, number>>,
  window: Window,
  pollIntervalMs: number,
): IsrChurn {
  const troubled = new Set<number>();
  const polled = new Set<number>();
  let worst: { brokerId: number; stretches: number } | null = null;
  for (const [brokerId, readings] of byBroker) {
    const inside = readingsInWindow(readings, window);
    let stretches = 0;
    for (let i = 1; i < inside.length; i++) {
      const earlier = inside[i - 1];
      const later = inside[i];
      if (!earlier || !later) continue;
      const slot = Math.round((later.atMs - window.startAtMs) / pollIntervalMs);
      polled.add(slot);
      if (!hasTrouble(earlier, later, before[String(brokerId)] ?? 0)) continue;
      troubled.add(slot);
      stretches += 1;
    }
    if (stretches > (worst?.stretches ?? 0)) worst = { brokerId, stretches };
  }
  return { share: polled.size === 0 ? 0 : troubled.size / polled.size, brokerId: worst?.brokerId ?? null };
}

function hasTrouble(earlier: BrokerReading, later: BrokerReading, levelBefore: number): boolean {
  return (
    (later.underReplicatedPartitions ?? 0) > levelBefore ||
    moved(earlier.isrShrinks, later.isrShrinks) ||
    moved(earlier.isrExpands, later.isrExpands)
  );
}

function moved(earlier: number | null, later: number | null): boolean {
  return earlier !== null && later !== null && later > earlier;
}
