import { keyOrder, keyText } from '../boundary/payload/message-keys.ts';
import type { KeyRecipe, MessageRecipe } from '../boundary/payload/message-recipe.ts';
import { makeValuePool, type ValuePool } from '../boundary/payload/value-pool.ts';
import { type RandomSource, seededRandom } from '../boundary/random.ts';

/**
 * What the producers of a load child send. Values and keys are powers of two in number; each producer starts at its own place
 * and starts over at the end. librdkafka copies what it is given, so all producers share them.
 */
export interface MessageSource {
  readonly values: readonly Buffer[];
  readonly keys: readonly Buffer[] | null;
  /** The same for every message: an object for each name and value, as node-rdkafka takes them. */
  readonly headers: readonly Readonly<Record<string, string>>[] | undefined;
}

/**
 * Makes the messages of a load; equal seeds give equal messages.
 *
 * @param messageBytes mean size of the values
 * @param batchBytes `batch.size` of the producers
 */
export function makeMessageSource(
  recipe: MessageRecipe,
  messageBytes: number,
  batchBytes: number,
  seed: number,
): MessageSource {
  const random = seededRandom(seed);
  const values = viewsOf(makeValuePool(recipe, { messageBytes, batchBytes }, random));
  const headers = Object.entries(recipe.headers).map(([name, value]) => ({ [name]: value }));
  return { values, keys: keysOf(recipe.keys, random), headers: headers.length > 0 ? headers : undefined };
}

/** Views are made once: one costs more than a produce() of a small message. */
function viewsOf({ bytes, sizes }: ValuePool): Buffer[] {
  let at = bytes.byteOffset;
  return sizes.map((size) => {
    const view = Buffer.from(bytes.buffer, at, size);
    at += size;
    return view;
  });
}

function keysOf(recipe: KeyRecipe, random: RandomSource): Buffer[] | null {
  const order = keyOrder(recipe, random);
  if (order === null) return null;
  const made = new Map<number, Buffer>();
  return Array.from(order, (key) => {
    const buffer = made.get(key) ?? Buffer.from(keyText(key));
    made.set(key, buffer);
    return buffer;
  });
}
