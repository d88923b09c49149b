import { KEY_BYTES } from './message-keys.ts';
import type { MessageRecipe } from './message-recipe.ts';
import { largestValueBytes } from './value-sizes.ts';

/**
 * Value, key and headers of the largest message that is sent at a message size, bytes: what brokers and clients must let
 * through.
 */
export function largestMessageBytes(
  recipe: Pick<MessageRecipe, 'sizes' | 'keys' | 'headers'>,
  messageBytes: number,
): number {
  return largestValueBytes(recipe.sizes, messageBytes) + bytesBesideValue(recipe);
}

/** Key and headers of every message, bytes: what comes on top of its value. */
export function bytesBesideValue({ keys, headers }: Pick<MessageRecipe, 'keys' | 'headers'>): number {
  const text = Object.entries(headers).flat().join('');
  return (keys.kind === 'none' ? 0 : KEY_BYTES) + new TextEncoder().encode(text).length;
}
