import { type FleetWorker, isMeasured, rateAt, workerRate } from './fleet-capacity.ts';

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

/** A child process carries about this many producers in comfort: 5 threads each, 0.5 core of overhead (measured). */
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
function producersByWorker({ np, messageBytes }: PlacedLoad, fleet: readonly FleetWorker[]): number[] {
  const known = fleet.flatMap((worker) => workerRate(worker, messageBytes) ?? []);
  const usual = known.length === 0 ? 1 : known.reduce((sum, rate) => sum + rate, 0) / known.length;
  const rates = fleet.map((worker) => workerRate(worker, messageBytes) ?? usual);
  const counts = fleet.map(() => 0);
  for (let producer = 0; producer < np && counts.length > 0; producer++) {
    let best = 0;
    for (let index = 1; index < counts.length; index++) {
      if (fullness(counts, rates, index) < fullness(counts, rates, best)) best = index;
    }
    counts[best] = (counts[best] ?? 0) + 1;
  }
  return counts;
}

/** How full a worker is with one producer more. */
function fullness(counts: readonly number[], rates: readonly number[], index: number): number {
  return ((counts[index] ?? 0) + 1) / (rates[index] ?? 1);
}

function childrenOf({ slots, capacity }: FleetWorker, producers: number, load: PlacedLoad): number {
  const byCrowd = Math.ceil(producers / COMFORTABLE_PRODUCERS);
  const byCpu = isMeasured(capacity)
    ? Math.ceil((producers * load.unitRate) / (COMFORTABLE_SHARE * rateAt(capacity.rates, load.messageBytes)))
    : 1;
  return Math.min(slots, producers, Math.max(byCrowd, byCpu));
}
