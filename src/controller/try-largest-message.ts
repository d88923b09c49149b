import { largestMessageBytes } from '../../boundary/payload/largest-message.ts';
import type { MessageRecipe } from '../../boundary/payload/message-recipe.ts';
import { formatBytes } from '../../boundary/units.ts';
import { largestSize } from '../config/message-sizes.ts';
import type { Config } from '../config/schema.ts';
import { PlimsollError } from '../errors.ts';
import type { KafkaConnection } from '../kafka/kafka-connection.ts';

/**
 * Sends one message as large as any of the run, with the settings of its load: a size or acks that cannot be had are told
 * before the first trial.
 *
 * @throws PlimsollError MESSAGE_TOO_LARGE, TOPIC_FAILED
 */
export async function tryLargestMessage(
  kafka: Pick<KafkaConnection, 'sendOne'>,
  topic: string,
  messages: MessageRecipe,
  { bpm, producer }: Pick<Config, 'bpm' | 'producer'>,
): Promise<void> {
  const valueBytes = largestSize(bpm);
  const bytes = largestMessageBytes(messages, valueBytes);
  try {
    await kafka.sendOne(topic, bytes, producer);
  } catch (error) {
    const isTooLarge = error instanceof PlimsollError && error.code === 'MESSAGE_TOO_LARGE';
    if (!isTooLarge || bytes === valueBytes) throw error;
    const text = `${error.message} (messages of ${formatBytes(valueBytes)} get so large by messages.sizes, keys and headers)`;
    throw new PlimsollError('MESSAGE_TOO_LARGE', text, { cause: error });
  }
}
