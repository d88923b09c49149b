import type { BrokerReading } from './broker-reading.ts';
import { hasRestarted } from './broker-restart.ts';
import { counted, hasIsrTrouble, type LevelsBefore, levelsBefore } from './isr-trouble.ts';
import { readingsAround } from './readings-around.ts';
import type { Window } from './trial.ts';

/**
 * What kind of trouble a broker's partitions had. A follower that comes back after a restart joins replica sets that no
 * leader shrank (the controller did); a slow one leaves and joins; one that only leaves is stuck.
 */
export type IsrTrouble = 'restart recovery' | 'flapping' | 'stuck';

export interface IsrChurn {
  /** Share of polled time in which some broker could not replicate in time, 0..1. */
  readonly share: number;
  /** The broker that churned most often; null when none did. */
  readonly brokerId: number | null;
  /** What kind of churn it was on that broker. */
  readonly trouble: IsrTrouble | null;
}

interface BrokerChurn {
  readonly brokerId: number;
  readonly troubledSlots: readonly number[];
  readonly polledSlots: readonly number[];
  readonly trouble: IsrTrouble;
}

/**
 * Share of the window with ISR trouble (Dropbox 2019: over 50 % of the time is overload). A stretch between two polls
 * counts when a broker has more partitions without all their replicas than before the trial, or a shrink or an expand
 * was counted in it; a stretch that is long because polls were missed counts for all the slots of the grid that it
 * covers. Brokers are joined by slot, so one shrink seen on two brokers is one slot of trouble, not two.
 *
 * @param byBroker readings per broker, ordered by time; those before the window tell the levels before.
 * @param before under-replicated partitions per broker id before the trial.
 */
export function isrChurn(
  byBroker: ReadonlyMap<number, readonly BrokerReading[]>,
  before: Readonly<Record<string, number>>,
  window: Window,
  pollIntervalMs: number,
): IsrChurn {
  const brokers = [...byBroker].map(([brokerId, readings]) =>
    brokerChurn(
      brokerId,
      readings,
      { ...levelsBefore(readings), underReplicated: before[String(brokerId)] ?? 0 },
      {
        window,
        pollIntervalMs,
      },
    ),
  );
  const polled = new Set(brokers.flatMap(({ polledSlots }) => polledSlots));
  const troubled = new Set(brokers.flatMap(({ troubledSlots }) => troubledSlots));
  const worst = brokers.reduce<BrokerChurn | null>(
    (most, broker) => (broker.troubledSlots.length > (most?.troubledSlots.length ?? 0) ? broker : most),
    null,
  );
  return {
    share: polled.size === 0 ? 0 : troubled.size / polled.size,
    brokerId: worst?.brokerId ?? null,
    trouble: worst?.trouble ?? null,
  };
}

function brokerChurn(
  brokerId: number,
  readings: readonly BrokerReading[],
  before: LevelsBefore,
  grid: { readonly window: Window; readonly pollIntervalMs: number },
): BrokerChurn {
  const around = readingsAround(readings, grid.window);
  const polledSlots: number[] = [];
  const troubledSlots: number[] = [];
  for (const [i, later] of around.entries()) {
    const earlier = around[i - 1];
    if (!earlier) continue;
    const slots = slotsBetween(earlier, later, grid);
    polledSlots.push(...slots);
    if (hasIsrTrouble(earlier, later, before)) troubledSlots.push(...slots);
  }
  return { brokerId, polledSlots, troubledSlots, trouble: troubleOf(around) };
}

/** Slots of the polling grid, from 1, that lie between two readings and in the window. */
function slotsBetween(
  earlier: BrokerReading,
  later: BrokerReading,
  { window, pollIntervalMs }: { readonly window: Window; readonly pollIntervalMs: number },
): number[] {
  const slotAt = (atMs: number) => Math.round((atMs - window.startAtMs) / pollIntervalMs);
  const first = Math.max(1, slotAt(earlier.atMs) + 1);
  const last = Math.min(slotAt(window.endAtMs), slotAt(later.atMs));
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

function troubleOf(readings: readonly BrokerReading[]): IsrTrouble {
  const steps = readings.slice(1).map((later, i) => ({ earlier: readings[i] ?? later, later }));
  const hasShrunk = steps.some(({ earlier, later }) =>
    counted(earlier, later, (reading) => reading.isrShrinks),
  );
  const hasExpanded = steps.some(({ earlier, later }) =>
    counted(earlier, later, (reading) => reading.isrExpands),
  );
  if (hasRestarted(readings) || (hasExpanded && !hasShrunk)) return 'restart recovery';
  return hasShrunk && hasExpanded ? 'flapping' : 'stuck';
}
