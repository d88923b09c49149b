import { gzipSync } from 'node:zlib';
import type { PayloadRecipe } from '../../../boundary/payload/message-recipe.ts';
import { makeValuePool, type ValuePool } from '../../../boundary/payload/value-pool.ts';
import { seededRandom } from '../../../boundary/random.ts';

/** A pool of values of one size for batches of 128 KiB. */
export function poolOf(payload: PayloadRecipe, messageBytes: number, seed = 1): ValuePool {
  const recipe = { payload, sizes: { kind: 'fixed' as const } };
  return makeValuePool(recipe, { messageBytes, batchBytes: 131_072 }, seededRandom(seed));
}

/** Whole values that follow one another, up to a batch, starting with value number `first`. */
export function batchOf(
  pool: ValuePool,
  messageBytes: number,
  batchBytes: number,
  first: number,
): Uint8Array {
  const values = Math.max(1, Math.floor(batchBytes / messageBytes));
  const start = (first % Math.max(1, pool.sizes.length - values)) * messageBytes;
  return pool.bytes.subarray(start, start + values * messageBytes);
}

/** What gzip leaves of a batch, as librdkafka calls it (zlib's default level). */
export function gzipRatio(batch: Uint8Array): number {
  return gzipSync(batch).length / batch.length;
}
