import { describe, expect, it } from 'vitest';
import { largestMessageBytes } from '../../../boundary/payload/largest-message.ts';
import { type MessageRecipe, PLAIN_MESSAGES } from '../../../boundary/payload/message-recipe.ts';

describe('largestMessageBytes', () => {
  it.each<{ recipe: Partial<MessageRecipe>; bytes: number; why: string }>([
    { recipe: {}, bytes: 1_000, why: 'the value alone' },
    { recipe: { sizes: { kind: 'uniform', spread: 0.5 } }, bytes: 1_500, why: 'the largest value' },
    { recipe: { keys: { kind: 'uniform', count: 5 } }, bytes: 1_012, why: 'and its key' },
    { recipe: { headers: { a: '12', ü: '3' } }, bytes: 1_006, why: 'and its headers, in UTF-8' },
  ])('counts $why', ({ recipe, bytes }) => {
    expect(largestMessageBytes({ ...PLAIN_MESSAGES, ...recipe }, 1_000)).toBe(bytes);
  });
});
