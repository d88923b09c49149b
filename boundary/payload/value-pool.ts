import { fillRandom, type RandomSource } from '../random.ts';
import { makeCompressible } from './compressible-bytes.ts';
import type { MessageRecipe, PayloadRecipe } from './message-recipe.ts';
import { fillWithSamples } from './sample-values.ts';
import { writeShopEvent } from './shop-event.ts';
import { type ValueLoad, valueSizes } from './value-sizes.ts';

/** Values of messages that follow one another, for senders that start over at the end. */
export interface ValuePool {
  /** All values, behind one another. */
  readonly bytes: Uint8Array;
  /** Size of each value, bytes; a power of two of them. */
  readonly sizes: readonly number[];
}

/** Makes the values of a load once: random bytes for each message would cost more than sending them. */
export function makeValuePool(
  recipe: Pick<MessageRecipe, 'payload' | 'sizes'>,
  load: ValueLoad,
  random: RandomSource,
): ValuePool {
  const sizes = valueSizes(recipe.sizes, load, random);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const words = new Uint32Array(Math.ceil(total / 4));
  const bytes = new Uint8Array(words.buffer, 0, total);
  fill({ words, bytes, sizes }, recipe.payload, random);
  return { bytes, sizes };
}

function fill(
  { words, bytes, sizes }: ValuePool & { readonly words: Uint32Array },
  payload: PayloadRecipe,
  random: RandomSource,
): void {
  switch (payload.kind) {
    case 'random':
      fillRandom(words, random);
      return;
    case 'constant':
      bytes.fill(payload.character.charCodeAt(0));
      return;
    case 'compressible':
      fillRandom(words, random);
      makeCompressible(bytes, payload.ratio);
      return;
    case 'json': {
      let at = 0;
      for (const size of sizes) {
        writeShopEvent(bytes, at, size, random);
        at += size;
      }
      return;
    }
    case 'samples':
      fillWithSamples(bytes, sizes, payload.values, random);
  }
}
