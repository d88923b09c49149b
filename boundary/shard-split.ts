/** Producers of one shard, and the number of its first one within the trial. */
export interface ShardShare {
  readonly shard: number;
  readonly producers: number;
  readonly firstProducer: number;
}

/** A child process carries about this many producers in comfort: 5 threads each, 0.5 core of overhead (measured). */
const COMFORTABLE_PRODUCERS = 60;

/**
 * Splits np producers over the fleet as evenly as whole producers allow: one shard per worker at least, more when a
 * worker runs several jobs at once and its share would crowd one child.
 *
 * @param np producers of the trial.
 * @param workers how many workers there are.
 * @param slots jobs that they run at once, together.
 */
export function splitProducers(np: number, workers: number, slots: number): ShardShare[] {
  const wanted = Math.max(workers, Math.ceil(np / COMFORTABLE_PRODUCERS));
  const shards = Math.max(1, Math.min(np, slots, wanted));
  const shares: ShardShare[] = [];
  let firstProducer = 0;
  for (let shard = 0; shard < shards; shard++) {
    const producers = Math.floor(np / shards) + (shard < np % shards ? 1 : 0);
    shares.push({ shard, producers, firstProducer });
    firstProducer += producers;
  }
  return shares;
}
