import { fillRandom, seededRandom } from '../boundary/random.ts';

const SMALLEST_POOL_BYTES = 8 * 1_048_576;

/**
 * Message values cut out of one random pool. The pool is at least four batches and 8 MiB: a smaller one repeats
 * inside a codec's window and compresses away, and random bytes for each message would cost more than sending them.
 */
export interface PayloadPool {
  /** Next value of the pool's message size. librdkafka copies it, so slices may be shared. */
  next(): Buffer;
}

/** Makes a pool for one message size, bytes; equal seeds give equal values. */
export function makePayloadPool(messageBytes: number, batchBytes: number, seed: number): PayloadPool {
  const wanted = Math.max(SMALLEST_POOL_BYTES, 4 * batchBytes, 2 * messageBytes);
  const words = new Uint32Array(Math.ceil(wanted / 4));
  fillRandom(words, seededRandom(seed));
  const pool = Buffer.from(words.buffer);
  // Slices are made once: a view costs more than a produce() of a small message.
  const slices: Buffer[] = [];
  const count = Math.min(Math.floor(pool.length / messageBytes), 65_536);
  const strideBytes = Math.floor((pool.length - messageBytes) / count);
  for (let index = 0; index < count; index += 1) {
    const start = index * strideBytes;
    slices.push(pool.subarray(start, start + messageBytes));
  }
  let position = 0;
  return {
    next: () => {
      const slice = slices[position];
      position = (position + 1) % slices.length;
      if (!slice) throw new Error('the payload pool is empty');
      return slice;
    },
  };
}
