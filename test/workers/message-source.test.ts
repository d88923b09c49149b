import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type MessageRecipe, PLAIN_MESSAGES } from '../../boundary/payload/message-recipe.ts';
import { type MessageSource, makeMessageSource } from '../../workers/message-source.ts';

const BATCH_BYTES = 131_072;

function sourceOf(recipe: Partial<MessageRecipe>, messageBytes: number, seed = 1): MessageSource {
  return makeMessageSource({ ...PLAIN_MESSAGES, ...recipe }, messageBytes, BATCH_BYTES, seed);
}

function digestOf({ values, keys }: MessageSource): string {
  const hash = createHash('sha256');
  for (const buffer of [...values, ...(keys ?? [])]) hash.update(buffer);
  return hash.digest('hex').slice(0, 16);
}

const isPowerOfTwo = (count: number) => Number.isInteger(Math.log2(count));

describe('makeMessageSource', () => {
  it('has plain messages of one size, without keys and headers', () => {
    const { values, keys, headers } = sourceOf({}, 1_000);
    expect(new Set(values.map(({ length }) => length))).toEqual(new Set([1_000]));
    expect([keys, headers]).toEqual([null, undefined]);
  });

  it.each([1, 100, 10_000, 9_000_000])('can be walked through with a mask, at %d B', (messageBytes) => {
    const { values, keys } = sourceOf({ keys: { kind: 'uniform', count: 1_000 } }, messageBytes);
    expect(isPowerOfTwo(values.length)).toBe(true);
    expect(isPowerOfTwo(keys?.length ?? 0)).toBe(true);
  });

  it('cuts all values out of one piece of memory, none over another', () => {
    const { values } = sourceOf({ sizes: { kind: 'lognormal', sigma: 0.8 } }, 1_000);
    expect(new Set(values.map(({ buffer }) => buffer)).size).toBe(1);
    let end = 0;
    for (const { byteOffset, length } of values) {
      expect(byteOffset).toBe(end);
      end += length;
    }
  });

  it('has the keys as texts, each made once', () => {
    const { keys } = sourceOf({ keys: { kind: 'round robin', count: 3 } }, 1_000);
    expect(keys?.slice(0, 4).map(String)).toEqual([
      'key-00000001',
      'key-00000002',
      'key-00000003',
      'key-00000001',
    ]);
    expect(new Set(keys).size).toBe(3);
  });

  it('has the headers as the client takes them', () => {
    expect(sourceOf({ headers: { tenant: 'acme', try: '1' } }, 1_000).headers).toEqual([
      { tenant: 'acme' },
      { try: '1' },
    ]);
  });

  it('is the same for a seed, here, there, and in the next version', () => {
    const recipe: Partial<MessageRecipe> = {
      payload: { kind: 'json' },
      sizes: { kind: 'lognormal', sigma: 0.8 },
      keys: { kind: 'zipfian', count: 100, exponent: 0.99 },
    };
    const digest = digestOf(sourceOf(recipe, 10_000));
    expect(digest).toBe('692a87f750f1ce40');
    expect(digestOf(sourceOf(recipe, 10_000, 2))).not.toBe(digest);
    expect(digestOf(sourceOf({}, 10_000))).toBe('9b80cb6fabcedeb1');
  });
});
