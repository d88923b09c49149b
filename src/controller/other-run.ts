import { setTimeout as sleep } from 'node:timers/promises';
import { PlimsollError } from '../errors.ts';
import type { KafkaConnection, KafkaTopic } from '../kafka/kafka-connection.ts';
import { LOAD_TOPIC_PREFIX } from '../kafka/load-topic.ts';
import type { RunObserver } from './run-event.ts';

const METADATA_TIMEOUT_MS = 5_000;

/** Long enough for a loaded topic to grow, ms. */
const LOOK_MS = 1_500;

export interface OtherRunRequest {
  readonly kafka: Pick<KafkaConnection, 'metadata' | 'endOffsets'>;
  /** Topics that this home's database knows: their runs are told apart there. */
  readonly knownTopics: ReadonlySet<string>;
  readonly observe: RunObserver;
}

/**
 * Looks for a run of another home or machine, of which the database cannot know: its topic grows. A topic that stands
 * still may be a leftover, and is left alone with a warning.
 * @throws PlimsollError CLUSTER_BUSY
 */
export async function refuseOtherRun({ kafka, knownTopics, observe }: OtherRunRequest): Promise<void> {
  const { topics } = await kafka.metadata(METADATA_TIMEOUT_MS);
  const strange = topics.filter(({ name }) => name.startsWith(LOAD_TOPIC_PREFIX) && !knownTopics.has(name));
  if (strange.length === 0) return;
  const before = await Promise.all(strange.map((topic) => messagesIn(kafka, topic)));
  await sleep(LOOK_MS);
  const after = await Promise.all(strange.map((topic) => messagesIn(kafka, topic)));
  for (const [i, { name }] of strange.entries()) {
    const [was, is] = [before[i] ?? null, after[i] ?? null];
    // Deleted meanwhile: no leftover, and no run any more.
    if (was === null || is === null) continue;
    if (is > was) {
      throw new PlimsollError(
        'CLUSTER_BUSY',
        `topic ${name} of another home or machine is being loaded: two runs would measure each other; wait until that one ends`,
      );
    }
    const text = `topic ${name} is of another home or machine; if no run is measuring this cluster it is a leftover: delete it`;
    observe({ type: 'warning', text });
  }
}

/** null when it cannot be read, for example because the topic has just been deleted. */
async function messagesIn(
  kafka: OtherRunRequest['kafka'],
  { name, partitions }: KafkaTopic,
): Promise<number | null> {
  try {
    const offsets = await kafka.endOffsets(name, partitions.length);
    return offsets.reduce((sum, offset) => sum + offset, 0);
  } catch {
    return null;
  }
}
