import type { BrokerReading, CoreIdle } from '../broker-reading.ts';
import type { Window } from '../trial.ts';
import { type CumulativeMeter, type MeanIdle, meanIdle } from './cumulative-idle.ts';

/** A reading of a broker that runs one event loop on each core. */
export type CoreReading = BrokerReading & { readonly idle: CoreIdle };

export function hasCores(reading: BrokerReading): reading is CoreReading {
  return reading.idle.kind === 'cores' && reading.idle.busySeconds.length > 0;
}

/**
 * Idle of the busiest core over the window: 1 - growth of its busy seconds / time (Redpanda's
 * redpanda_cpu_busy_seconds_total). The busiest counts, for a partition lives on one core and cannot move.
 */
export function coreIdle(readings: readonly CoreReading[], window: Window): MeanIdle | null {
  const cores = readings.at(-1)?.idle.busySeconds.length ?? 0;
  const idles = Array.from({ length: cores }, (_, core) => meanIdle(readings, window, coreMeter(core)));
  return idles.reduce((least, idle) =>
    least === null || idle === null
      ? null
      : {
          estimate: Math.min(least.estimate, idle.estimate),
          low: Math.min(least.low, idle.low),
          high: Math.min(least.high, idle.high),
          isSelfClocked: false,
        },
  );
}

function coreMeter(core: number): CumulativeMeter {
  return {
    full: 1,
    growthMs: (from, to) => {
      const before = busyMs(from, core);
      const after = busyMs(to, core);
      if (before === null || after === null || after < before) return null;
      const idleMs = to.atMs - from.atMs - (after - before);
      const clockMs = (from.scrapeMs + to.scrapeMs) / 2;
      return { estimate: Math.max(0, idleMs), low: idleMs - clockMs, high: Math.max(0, idleMs + clockMs) };
    },
    ownElapsedMs: () => null,
    waitErrorMs: () => 0,
  };
}

function busyMs({ idle }: BrokerReading, core: number): number | null {
  const busySeconds = idle.kind === 'cores' ? idle.busySeconds[core] : undefined;
  return busySeconds === undefined ? null : busySeconds * 1_000;
}
