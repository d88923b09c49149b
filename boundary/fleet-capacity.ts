/**
 * What the load generator can offer before it is the limit itself. A worker measures what one load child with one core
 * offers at a few sizes of message; everything else follows from that.
 */

/** Producers that a search aims at unless told otherwise. */
const USUAL_PRODUCERS = 50;

/**
 * A producer sends a request about this often at most: it fills a batch for twice its linger of 10 ms before it goes on to the
 * next partition. Each request costs this much CPU for the threads that it wakes, whatever it carries (measured: 50 producers
 * against 2 at the same load, 100 B to 100 kB).
 */
const WAKE_UPS_PER_SECOND = 50;
const WAKE_UP_SECONDS = 0.00012;

/** What a worker's machine can offer, by message size. */
export interface WorkerCapacity {
  /** Cores that load children may fill: what affinity, cgroup and memory leave of the machine's. */
  readonly cores: number;
  /** Ascending by size. */
  readonly rates: readonly CapacityRate[];
}

/** Messages per second at one size: of one load child with one core, or of a whole fleet. */
export interface CapacityRate {
  readonly messageBytes: number;
  readonly messagesPerSecond: number;
}

/** A worker as placement sees it. */
export interface FleetWorker {
  readonly workerId: string;
  /** Load children that it runs at once. */
  readonly slots: number;
  /** null: not measured, so that nobody knows. */
  readonly capacity: WorkerCapacity | null;
}

/** What all workers together can offer. */
export interface FleetCapacity {
  readonly workers: number;
  readonly rates: readonly CapacityRate[];
}

/**
 * Messages per second at any size: a straight line in logarithms between the measured sizes. Below the smallest the cost
 * of a message is taken to stay as it is, above the largest the cost of a byte: both are on the cautious side.
 * @param rates ascending by size, at least one.
 */
export function rateAt(rates: readonly CapacityRate[], messageBytes: number): number {
  const after = rates.findIndex((rate) => rate.messageBytes >= messageBytes);
  const larger = after < 0 ? undefined : rates[after];
  const smaller = after < 0 ? rates.at(-1) : rates[after - 1];
  if (larger && smaller && larger.messageBytes > messageBytes) {
    const share = Math.log(messageBytes / smaller.messageBytes);
    const width = Math.log(larger.messageBytes / smaller.messageBytes);
    const growth = Math.log(larger.messagesPerSecond / smaller.messagesPerSecond);
    return smaller.messagesPerSecond * Math.exp((share / width) * growth);
  }
  if (larger) return larger.messagesPerSecond;
  return smaller ? (smaller.messagesPerSecond * smaller.messageBytes) / messageBytes : 0;
}

/** Cores that load children of a worker may fill, each of them one at most. */
export function coresOf(slots: number, { cores }: WorkerCapacity): number {
  return Math.min(slots, cores);
}

/**
 * CPU of one producer, cores: what its messages cost, and what it costs to wake its threads for a request, which no longer
 * counts where requests follow each other on end.
 * @param unitRate messages per second of the producer.
 * @param rate messages per second of a child with one core.
 */
export function producerCores(unitRate: number, rate: number): number {
  return Math.min(unitRate, WAKE_UPS_PER_SECOND) * WAKE_UP_SECONDS + unitRate / rate;
}

/**
 * What all workers together can offer by np producers; null when there are no workers, or one of them has not measured
 * itself. Of workers that differ the mean core counts.
 */
export function fleetCapacity(
  workers: readonly FleetWorker[],
  np: number = USUAL_PRODUCERS,
): FleetCapacity | null {
  const measured = workers.flatMap(({ slots, capacity }) =>
    isMeasured(capacity) ? [{ cores: coresOf(slots, capacity), rates: capacity.rates }] : [],
  );
  if (workers.length === 0 || measured.length < workers.length) return null;
  const cores = measured.reduce((sum, worker) => sum + worker.cores, 0);
  const sizes = new Set(measured.flatMap(({ rates }) => rates.map(({ messageBytes }) => messageBytes)));
  const rates = [...sizes]
    .sort((a, b) => a - b)
    .map((messageBytes) => {
      const all = measured.reduce(
        (sum, worker) => sum + worker.cores * rateAt(worker.rates, messageBytes),
        0,
      );
      return { messageBytes, messagesPerSecond: loadOf(np, cores, all / cores) };
    });
  return { workers: workers.length, rates };
}

/** The load at which np producers fill so many cores, messages per second. */
function loadOf(np: number, cores: number, rate: number): number {
  const awake = np * WAKE_UPS_PER_SECOND;
  const load = (cores - awake * WAKE_UP_SECONDS) * rate;
  return load >= awake ? load : cores / (WAKE_UP_SECONDS + 1 / rate);
}

/** A worker of another version may have left out what this one needs. */
export function isMeasured(capacity: WorkerCapacity | null | undefined): capacity is WorkerCapacity {
  return capacity != null && capacity.rates.length > 0;
}
