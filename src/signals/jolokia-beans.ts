import type { Sample } from './exposition.ts';

/** MBeans to read with one request, and which of their attributes. */
export interface BeanRead {
  /** Object name; may be a pattern, which then matches no bean with further keys (topics). */
  readonly mbean: string;
  readonly attributes: readonly string[];
  /** Attributes that are text: each becomes a series of value 1 with the text in a label of its name. */
  readonly texts?: readonly string[];
}

const METER = ['Count', 'OneMinuteRate'];
const IDLE_METER = ['Count', 'MeanRate', 'OneMinuteRate', 'FiveMinuteRate', 'FifteenMinuteRate'];

/** Without it nothing can be judged. */
export const IDLE_BEAN = 'kafka.server:type=KafkaRequestHandlerPool,name=*';

/** What is read from a broker, one request for all of it. To have more read, add it here. */
export const BEAN_READS: readonly BeanRead[] = [
  { mbean: IDLE_BEAN, attributes: IDLE_METER },
  { mbean: 'kafka.server:type=ReplicaManager,name=*', attributes: [...METER, 'Value'] },
  { mbean: 'kafka.server:type=BrokerTopicMetrics,name=*', attributes: METER },
  { mbean: 'kafka.network:type=RequestChannel,name=RequestQueueSize', attributes: ['Value'] },
  { mbean: 'kafka.network:type=SocketServer,name=NetworkProcessorAvgIdlePercent', attributes: ['Value'] },
  {
    mbean: 'kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Produce',
    attributes: ['99thPercentile'],
  },
  { mbean: 'kafka.controller:type=KafkaController,name=*', attributes: ['Value'] },
  { mbean: 'kafka.server:type=app-info,id=*', attributes: ['StartTimeMs'], texts: ['Version'] },
  { mbean: 'kafka.server:type=raft-metrics', attributes: [], texts: ['current-state'] },
  { mbean: 'java.lang:type=OperatingSystem', attributes: ['ProcessCpuTime', 'ProcessCpuLoad'] },
  { mbean: 'java.lang:type=Runtime', attributes: ['StartTime'] },
  { mbean: 'java.lang:type=GarbageCollector,name=*', attributes: ['CollectionTime'] },
];

/** The reads that can bring series of these names. */
export function readsFor(wanted: ReadonlySet<string>): readonly BeanRead[] {
  return BEAN_READS.flatMap((read) => {
    const isWanted = (attribute: string) => wanted.has(seriesName(read.mbean, attribute));
    const attributes = read.attributes.filter(isWanted);
    const texts = (read.texts ?? []).filter(isWanted);
    return attributes.length + texts.length === 0 ? [] : [{ mbean: read.mbean, attributes, texts }];
  });
}

/**
 * Writes the attributes of one bean as the series that the JMX exporter makes of them when it has no rules:
 * `kafka.server:type=T,name=N` and `Count` become `kafka_server_T_Count{name="N"}`. So one resolver serves both.
 */
export function seriesOf(
  mbean: string,
  attributes: Readonly<Record<string, unknown>>,
  texts: readonly string[],
): readonly Omit<Sample, 'line'>[] {
  const labels = new Map(keysOf(mbean).slice(1));
  return Object.entries(attributes).flatMap(([attribute, value]) => {
    const series = { name: seriesName(mbean, attribute), timestampMs: null };
    if (typeof value === 'number') return [{ ...series, labels, value }];
    // What could not be read is told in place of the value.
    if (typeof value !== 'string' || !texts.includes(attribute) || value.startsWith('ERROR: ')) return [];
    return [{ ...series, labels: new Map(labels).set(sanitized(attribute), value), value: 1 }];
  });
}

function seriesName(mbean: string, attribute: string): string {
  const domain = mbean.slice(0, mbean.indexOf(':'));
  const [first] = keysOf(mbean);
  return [domain, first?.[1] ?? '', attribute].map(sanitized).join('_');
}

/** Keys of an object name, the type first. Kafka quotes a value that has more than letters, digits and a few others. */
function keysOf(mbean: string): readonly (readonly [string, string])[] {
  const keys = mbean.slice(mbean.indexOf(':') + 1);
  const pairs = [...keys.matchAll(/([^=,]+)=("(?:[^"\\]|\\.)*"|[^,]*)/g)].map(
    ([, key = '', value = '']): readonly [string, string] => [key, unquoted(value)],
  );
  // Jolokia writes the keys in an order of its own.
  return pairs.sort(([a], [b]) => Number(b === 'type') - Number(a === 'type'));
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value;
}

function sanitized(text: string): string {
  return text.replace(/[^a-zA-Z0-9_:]/g, '_');
}
