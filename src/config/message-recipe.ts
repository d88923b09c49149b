import type { MessageRecipe } from '../../boundary/payload/message-recipe.ts';
import { PlimsollError } from '../errors.ts';
import { type Chosen, readKeys, readPayload, readSizeSpread } from './message-choices.ts';
import type { ReadResult } from './read-value.ts';
import type { Config } from './schema.ts';

/**
 * What the load workers make messages of. Reads the files that the settings name, once more: a resumed run must go on with the
 * messages that it began with.
 *
 * @throws PlimsollError CONFIG_INVALID when a file is gone or has changed.
 */
export function messageRecipe({ messages }: Pick<Config, 'messages'>): MessageRecipe {
  const headers = Object.entries(messages.headers).map(([name, value]) => [name, String(value)]);
  return {
    payload: recipeOf('payload', readPayload(messages.payload)),
    sizes: recipeOf('sizes', readSizeSpread(messages.sizes)),
    keys: recipeOf('keys', readKeys(messages.keys)),
    headers: Object.fromEntries(headers),
  };
}

function recipeOf<T>(name: string, read: ReadResult<Chosen<T>>): T {
  if (read.ok) return read.value.recipe;
  throw new PlimsollError('CONFIG_INVALID', `messages.${name} ${read.problem}`);
}
