import { type DiskCeiling, diskBytes } from '../disk-budget.ts';
import { type FleetCapacity, rateAt } from '../fleet-capacity.ts';
import { byteRateText } from '../fleet-text.ts';
import { BYTES_PER_MB, formatBytes } from '../units.ts';
import type { SearchConfig } from './search.ts';

/** The largest load that a search may ask for at a size. */
export interface Ceiling {
  /** Messages per second. */
  readonly load: number;
  /** Why no more can be offered: one sentence. */
  readonly why: string;
}

/** The least of what the configuration allows, the workers can offer and the disks can take; none of them need be set. */
export function largestLoad(messageBytes: number, config: SearchConfig): Ceiling {
  const ceilings = [
    allowedLoad(messageBytes, config),
    ...(config.fleet ? [fleetLoad(messageBytes, config.fleet)] : []),
    ...(config.disk ? [diskLoad(messageBytes, config.disk)] : []),
  ];
  return ceilings.reduce((least, ceiling) => (ceiling.load < least.load ? ceiling : least));
}

function allowedLoad(messageBytes: number, config: SearchConfig): Ceiling {
  return config.maxMegabytesPerSecond === null
    ? { load: Number.POSITIVE_INFINITY, why: 'no largest load is set' }
    : {
        load: (config.maxMegabytesPerSecond * BYTES_PER_MB) / messageBytes,
        why: `${config.maxMegabytesPerSecond} MB/s is the largest load allowed`,
      };
}

function fleetLoad(messageBytes: number, fleet: FleetCapacity): Ceiling {
  const load = rateAt(fleet.rates, messageBytes);
  return { load, why: fleetText(load * messageBytes, fleet.workers) };
}

function diskLoad(messageBytes: number, { budgetBytes, seconds, shape }: DiskCeiling): Ceiling {
  const room = `a run keeps ${formatBytes(budgetBytes)} on each broker at most (topic.diskBudgetBytes)`;
  return {
    load: budgetBytes / (seconds * diskBytes(1, messageBytes, shape)),
    why: `${room}, which ${Math.round(seconds)} s of more would fill`,
  };
}

/** What a fleet can offer at a size, and what would be more. @param bytesPerSecond of all its workers. */
export function fleetText(bytesPerSecond: number, workers: number): string {
  const most = `${byteRateText(bytesPerSecond)} at this size`;
  const each = byteRateText(bytesPerSecond / workers);
  return workers === 1
    ? `the worker can offer ${most}; each more like it adds as much`
    : `the ${workers} workers can offer ${most}; each more like them adds ${each}`;
}
