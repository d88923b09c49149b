/**
 * What the load generator can offer before it is the limit itself. A worker measures what one load child with one core
 * offers at a few sizes of message; everything else follows from that.
 */

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

/** What a worker can offer, messages per second: a core for each of its children, as far as there are any. Null when not known. */
export function workerRate({ slots, capacity }: FleetWorker, messageBytes: number): number | null {
  return isMeasured(capacity) ? Math.min(slots, capacity.cores) * rateAt(capacity.rates, messageBytes) : null;
}

/** What all workers together can offer; null when there are none, or one of them has not measured itself. */
export function fleetCapacity(workers: readonly FleetWorker[]): FleetCapacity | null {
  const sizes = new Set<number>();
  for (const { capacity } of workers) {
    if (!isMeasured(capacity)) return null;
    for (const { messageBytes } of capacity.rates) sizes.add(messageBytes);
  }
  if (workers.length === 0) return null;
  const rates = [...sizes]
    .sort((a, b) => a - b)
    .map((messageBytes) => ({
      messageBytes,
      messagesPerSecond: workers.reduce((sum, worker) => sum + (workerRate(worker, messageBytes) ?? 0), 0),
    }));
  return { workers: workers.length, rates };
}

/** A worker of another version may have left out what this one needs. */
export function isMeasured(capacity: WorkerCapacity | null | undefined): capacity is WorkerCapacity {
  return capacity != null && capacity.rates.length > 0;
}
