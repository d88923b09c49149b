import { describe, expect, it } from 'vitest';
import { KEY_BYTES, keyOrder, keyText, MOST_KEYS } from '../../../boundary/payload/message-keys.ts';
import type { KeyRecipe } from '../../../boundary/payload/message-recipe.ts';
import { seededRandom } from '../../../boundary/random.ts';

const orderOf = (recipe: KeyRecipe, seed = 1) => keyOrder(recipe, seededRandom(seed)) ?? new Uint32Array();

function countsOf(order: Uint32Array, keys: number): number[] {
  const counts = new Array<number>(keys).fill(0);
  for (const key of order) counts[key - 1] = (counts[key - 1] ?? 0) + 1;
  return counts;
}

describe('keyOrder', () => {
  it('is nothing without keys', () => {
    expect(keyOrder({ kind: 'none' }, seededRandom(1))).toBeNull();
  });

  it.each<{ recipe: KeyRecipe; why: string }>([
    { recipe: { kind: 'round robin', count: 3 }, why: 'few keys' },
    { recipe: { kind: 'uniform', count: 10_000 }, why: 'many' },
    { recipe: { kind: 'zipfian', count: MOST_KEYS, exponent: 1 }, why: 'the most there may be' },
  ])('has places for a mask, several for each key: $why', ({ recipe }) => {
    const places = orderOf(recipe).length;
    expect(Math.log2(places) % 1).toBe(0);
    expect(places).toBeGreaterThanOrEqual('count' in recipe ? 8 * recipe.count : 0);
  });

  it('goes round the keys in turn', () => {
    expect([...orderOf({ kind: 'round robin', count: 3 }).slice(0, 7)]).toEqual([1, 2, 3, 1, 2, 3, 1]);
  });

  it('gives uniform keys alike, in no order', () => {
    const order = orderOf({ kind: 'uniform', count: 1_000 });
    const counts = countsOf(order, 1_000);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    const rising = order.slice(1).filter((key, index) => key > (order[index] ?? 0)).length;
    expect(rising / order.length).toBeCloseTo(0.5, 1);
  });

  it.each([
    { count: 100, exponent: 0.99 },
    { count: 5_000, exponent: 1.3 },
    { count: 100, exponent: 0.5 },
  ])('weighs key k of $count with 1 / k^$exponent', ({ count, exponent }) => {
    const order = orderOf({ kind: 'zipfian', count, exponent });
    const weights = Array.from({ length: count }, (_, index) => (index + 1) ** -exponent);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const expected = weights.map((weight) => (weight / total) * order.length);
    const chiSquare = countsOf(order, count).reduce((sum, seen, index) => {
      const wanted = expected[index] ?? 0;
      return sum + (seen - wanted) ** 2 / wanted;
    }, 0);
    // Drawn at random it would be about count - 1; the places are dealt out by weight and miss by less than one each.
    expect(chiSquare).toBeLessThan(count);
    countsOf(order, count).forEach((seen, index) => {
      expect(Math.abs(seen - (expected[index] ?? 0))).toBeLessThanOrEqual(1);
    });
  });

  it('mixes keys over any stretch of messages', () => {
    const order = orderOf({ kind: 'zipfian', count: 100, exponent: 0.99 });
    const shareOfFirst = (part: Uint32Array) => part.filter((key) => key === 1).length / part.length;
    const whole = shareOfFirst(order);
    for (let start = 0; start < order.length; start += 8_192) {
      expect(shareOfFirst(order.slice(start, start + 8_192)) / whole).toBeCloseTo(1, 0);
    }
  });

  it('repeats for a seed', () => {
    const recipe: KeyRecipe = { kind: 'uniform', count: 50 };
    expect(orderOf(recipe, 2)).toEqual(orderOf(recipe, 2));
    expect(orderOf(recipe, 2)).not.toEqual(orderOf(recipe, 3));
  });
});

describe('keyText', () => {
  it('is of one length for all keys', () => {
    expect(keyText(17)).toBe('key-00000017');
    expect(keyText(1)).toHaveLength(KEY_BYTES);
    expect(keyText(MOST_KEYS)).toHaveLength(KEY_BYTES);
  });
});
