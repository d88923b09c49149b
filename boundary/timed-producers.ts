/** Delivery reports per second that one load child takes in passing. */
const REPORTS_PER_SECOND = 2_000;

/** One producer up to this rate is timed all the same; beyond it, the reports would cost what is to be measured. */
export const FASTEST_TIMED_RATE = 20_000;

/**
 * How many producers of each shard are timed. All of few slow ones, else a share of each shard, the same of all: producers
 * are alike (one rate, each goes over all partitions), so some stand for all. At least one of each shard, since workers differ.
 *
 * @param producersOfShards producers of each shard.
 * @param unitRate messages per second of one producer.
 * @returns for each shard, in order; all 0 when one producer alone is too fast to be timed.
 */
export function timedProducers(producersOfShards: readonly number[], unitRate: number): number[] {
  if (unitRate > FASTEST_TIMED_RATE) return producersOfShards.map(() => 0);
  const most = Math.max(1, ...producersOfShards);
  const share = Math.min(1, Math.max(1, Math.floor(REPORTS_PER_SECOND / unitRate)) / most);
  return producersOfShards.map((producers) =>
    Math.min(producers, Math.max(1, Math.round(share * producers))),
  );
}
