import { coresOf, type FleetWorker, isMeasured, producerCores, rateAt } from './fleet-capacity.ts';

/** Producers of one shard, the worker that runs it, and the number of its first one within the trial. */
export interface ShardShare {
  readonly shard: number;
  readonly workerId: string;
  readonly producers: number;
  readonly firstProducer: number;
}

/** The load that is to be spread: np producers at one unit rate, the highest of the schedule. */
export interface PlacedLoad {
  readonly np: number;
  /** Messages per second of one producer. */
  readonly unitRate: number;
  readonly messageBytes: number;
}

/** A child process carries about this many producers in comfort, of 5 threads each. */
const COMFORTABLE_PRODUCERS = 60;

/** A child that is filled to its last does not keep its pace: of what it can offer, it is given this share. */
const COMFORTABLE_SHARE = 0.7;

/**
 * Spreads the producers of a trial over the fleet in proportion to what its workers can offer, and those of a worker evenly
 * over as many children as carry them in comfort. Equal workers get equal shares; of such that have not measured
 * themselves nothing is known, so they count as the mean of the others.
 *
 * @param workers at least one, each with a slot at least.
 * @returns shares of at least one producer, numbered from 0; a worker may get none.
 */
export function placeProducers(load: PlacedLoad, workers: readonly FleetWorker[]): ShardShare[] {
  const fleet = workers.filter(({ slots }) => slots > 0).sort((a, b) => (a.workerId < b.workerId ? -1 : 1));
  const shares: ShardShare[] = [];
  let firstProducer = 0;
  for (const [index, count] of producersByWorker(load, fleet).entries()) {
    const worker = fleet[index];
    if (!worker || count === 0) continue;
    const children = childrenOf(worker, count, load);
    for (let child = 0; child < children; child++) {
      const producers = Math.floor(count / children) + (child < count % children ? 1 : 0);
      shares.push({ shard: shares.length, workerId: worker.workerId, producers, firstProducer });
      firstProducer += producers;
    }
  }
  return shares;
}

/**
 * D'Hondt's rule: each producer goes where it fills the worker least. The fullest worker is then as empty as whole
 * producers allow, so none is over its capacity when any way to place them avoids that.
 */
function producersByWorker(load: PlacedLoad, fleet: readonly FleetWorker[]): number[] {
  const known = fleet.flatMap((worker) => producersOf(worker, load) ?? []);
  const usual = known.length === 0 ? 1 : known.reduce((sum, most) => sum + most, 0) / known.length;
  const room = fleet.map((worker) => producersOf(worker, load) ?? usual);
  const counts = fleet.map(() => 0);
  for (let producer = 0; producer < load.np && counts.length > 0; producer++) {
    let best = 0;
    for (let index = 1; index < counts.length; index++) {
      if (fullness(counts, room, index) < fullness(counts, room, best)) best = index;
    }
    counts[best] = (counts[best] ?? 0) + 1;
  }
  return counts;
}

/** How many producers of this load a worker can carry, a real number; null when it has not measured itself. */
export function producersOf({ slots, capacity }: FleetWorker, load: PlacedLoad): number | null {
  return isMeasured(capacity)
    ? coresOf(slots, capacity) / producerCores(load.unitRate, rateAt(capacity.rates, load.messageBytes))
    : null;
}

/** How full a worker is with one producer more. */
function fullness(counts: readonly number[], room: readonly number[], index: number): number {
  return ((counts[index] ?? 0) + 1) / (room[index] ?? 1);
}

function childrenOf({ slots, capacity }: FleetWorker, producers: number, load: PlacedLoad): number {
  const byCrowd = Math.ceil(producers / COMFORTABLE_PRODUCERS);
  const rate = isMeasured(capacity) ? rateAt(capacity.rates, load.messageBytes) : Number.POSITIVE_INFINITY;
  const byCpu = Math.ceil((producers * producerCores(load.unitRate, rate)) / COMFORTABLE_SHARE);
  return Math.min(slots, producers, Math.max(byCrowd, byCpu));
}
