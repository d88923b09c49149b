import type { MessageRecipe } from '../../boundary/payload/message-recipe.ts';
import { formatBytes } from '../../boundary/units.ts';
import { DEFAULT_PRODUCER } from '../config/properties.ts';
import type { Config } from '../config/schema.ts';

/** Says, a sentence each, why the messages of a run may be compressed otherwise than real ones; nothing without a codec. */
export function messageDoubts(
  { payload }: Pick<MessageRecipe, 'payload'>,
  config: Pick<Config, 'producer' | 'topic'>,
): string[] {
  const codec = codecOf(config);
  if (codec === null) return [];
  if (payload.kind === 'random') {
    return [
      `${codec} is set, but random messages do not compress: --payload json, compressible:RATIO or file:FILE is nearer to real ones`,
    ];
  }
  if (payload.kind !== 'samples') return [];
  const bytes = payload.values.reduce((sum, value) => sum + Math.floor((value.length * 3) / 4), 0);
  const batchBytes = Number(config.producer['batch.size'] ?? DEFAULT_PRODUCER['batch.size']);
  if (bytes >= batchBytes) return [];
  return [
    `the messages of messages.payload are ${formatBytes(bytes)} in all, less than a batch (batch.size, ${formatBytes(batchBytes)}): ` +
      `they repeat within it, and ${codec} shortens them more than real ones; give more of them`,
  ];
}

/** The setting that has messages compressed, by producers or brokers; null when none has. */
function codecOf({ producer, topic }: Pick<Config, 'producer' | 'topic'>): string | null {
  const producers = producer['compression.codec'] ?? producer['compression.type'] ?? 'none';
  if (producers !== 'none') return `compression.codec ${producers}`;
  const brokers = topic.config['compression.type'] ?? 'producer';
  return brokers === 'producer' || brokers === 'uncompressed'
    ? null
    : `compression.type ${brokers} of the topic`;
}
