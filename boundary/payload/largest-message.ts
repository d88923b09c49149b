import { KEY_BYTES } from './message-keys.ts';
import type { MessageRecipe } from './message-recipe.ts';
import { largestValueBytes } from './value-sizes.ts';

/**
 * Value, key and headers of the largest message that is sent at a message size, bytes: what brokers and clients must let
 * through.
 */
export function largestMessageBytes(
  { sizes, keys, headers }: Pick<MessageRecipe, 'sizes' | 'keys' | 'headers'>,
  messageBytes: number,
): number {
  const text = Object.entries(headers).flat().join('');
  const headerBytes = new TextEncoder().encode(text).length;
  return largestValueBytes(sizes, messageBytes) + (keys.kind === 'none' ? 0 : KEY_BYTES) + headerBytes;
}
