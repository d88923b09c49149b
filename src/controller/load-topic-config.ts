import type { Properties } from '../config/properties.ts';

/** What a trial needs of its topic, unless the user says otherwise: it needs no history, and its own time in each message. */
const DEFAULTS = {
  'retention.bytes': 134_217_728,
  'segment.bytes': 33_554_432,
  'retention.ms': 3_600_000,
  // Latencies are told from the time that the producer gave a message.
  'message.timestamp.type': 'CreateTime',
} as const;

/** The configuration of a run's topic, by Kafka's names. */
export function loadTopicConfig(wanted: Readonly<Properties>): Record<string, string> {
  const all = Object.entries({ ...DEFAULTS, ...wanted });
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]));
}

/**
 * The most that one replica of a partition keeps on its disk in the end, bytes: what retention lets stay, and the open
 * segment. Without end when the user took the bound away.
 */
export function keptBytesPerPartition(wanted: Readonly<Properties>): number {
  const config = loadTopicConfig(wanted);
  const retentionBytes = Number(config['retention.bytes']);
  return retentionBytes < 0 ? Number.POSITIVE_INFINITY : retentionBytes + Number(config['segment.bytes']);
}
