import { type RandomSource, shuffle } from '../random.ts';
import type { KeyRecipe } from './message-recipe.ts';

/**
 * Every load child holds all keys, and their order in which each key has several places: more of them would not fit.
 */
export const MOST_KEYS = 100_000;

/** Length of every key, bytes. */
export const KEY_BYTES = 12;

const FEWEST_PLACES = 65_536;
const PLACES_PER_KEY = 8;

/**
 * Writes key number k as `key-00000017`. Text of one length: a person recognises it in a console consumer, and it costs the
 * brokers the same whichever key it is.
 */
export function keyText(key: number): string {
  return `key-${String(key).padStart(8, '0')}`;
}

/**
 * Numbers (1 .. count) of the keys of messages that follow one another, for senders that start over at its end: a power of
 * two of them. Each key comes as often as its weight says, to within one place; uniform and zipfian in random order.
 *
 * @returns null without keys.
 */
export function keyOrder(recipe: KeyRecipe, random: RandomSource): Uint32Array | null {
  if (recipe.kind === 'none') return null;
  const { count } = recipe;
  const places = 2 ** Math.ceil(Math.log2(Math.max(FEWEST_PLACES, PLACES_PER_KEY * count)));
  switch (recipe.kind) {
    case 'round robin':
      return Uint32Array.from({ length: places }, (_, place) => (place % count) + 1);
    case 'uniform':
      return shuffled(
        byWeight(count, places, () => 1),
        random,
      );
    case 'zipfian':
      return shuffled(
        byWeight(count, places, (key) => key ** -recipe.exponent),
        random,
      );
  }
}

/** Gives each key its share of the places: place p goes to the key at (p + 1/2) / places of the summed weights. */
function byWeight(count: number, places: number, weightOf: (key: number) => number): Uint32Array {
  let total = 0;
  for (let key = 1; key <= count; key += 1) total += weightOf(key);
  const order = new Uint32Array(places);
  let key = 1;
  let reached = weightOf(key);
  for (let place = 0; place < places; place += 1) {
    const wanted = ((place + 0.5) / places) * total;
    while (reached < wanted && key < count) {
      key += 1;
      reached += weightOf(key);
    }
    order[place] = key;
  }
  return order;
}

function shuffled(order: Uint32Array, random: RandomSource): Uint32Array {
  shuffle(order, random);
  return order;
}
