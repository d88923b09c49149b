import { readFileSync } from 'node:fs';

const SAMPLE = new URL('../fixtures/pages/default-norules-1.at-0s.txt', import.meta.url);
const TOPICS = 150;
const PARTITIONS = 15;
/** Families that an exporter without rules shows for each topic or partition; the sample has one series of some. */
const PER_TOPIC = ['BytesInPerSec', 'BytesOutPerSec', 'BytesRejectedPerSec', 'FailedFetchRequestsPerSec']
  .concat(['FailedProduceRequestsPerSec', 'FetchMessageConversionsPerSec', 'InvalidMagicNumberRecordsPerSec'])
  .concat(['MessagesInPerSec', 'NoKeyCompactedTopicRecordsPerSec', 'ProduceMessageConversionsPerSec'])
  .concat(['TotalFetchRequestsPerSec', 'TotalProduceRequestsPerSec']);
const PER_PARTITION = new Map([
  [
    'kafka_cluster_Partition_Value',
    ['AtMinIsr', 'InSyncReplicasCount', 'LastStableOffsetLag', 'ReplicasCount'],
  ],
  ['kafka_log_Log_Value', ['LogEndOffset', 'LogStartOffset', 'NumLogSegments', 'Size']],
]);
const HELP_OF_LOG = [
  '# HELP kafka_log_Log_Value Attribute exposed for management kafka.log:name=Size,type=Log,attribute=Value',
  '# TYPE kafka_log_Log_Value untyped',
];

/** Grows the sample page of a broker without exporter rules to one with 150 topics of 15 partitions. */
export function growPage() {
  const lines = readFileSync(SAMPLE, 'utf8').trimEnd().split('\n').concat(HELP_OF_LOG);
  const grown = lines.flatMap((line, index) => {
    const family = line.startsWith('# TYPE ') ? line.split(' ')[2] : nameOf(line);
    const isEndOfFamily = !(lines[index + 1] ?? '#').startsWith(family);
    return isEndOfFamily && !line.startsWith('# HELP') ? [line, ...seriesOf(family)] : [line];
  });
  return `${grown.join('\n')}\n`;
}

function nameOf(line) {
  return /^[\w:]*/.exec(line)[0];
}

function seriesOf(family) {
  const names = family.startsWith('kafka_server_BrokerTopicMetrics_') ? PER_TOPIC : PER_PARTITION.get(family);
  if (names === undefined) return [];
  const partitions = PER_PARTITION.has(family) ? PARTITIONS : 0;
  return names.flatMap((name, which) => {
    const series = [];
    for (let topic = 0; topic < TOPICS; topic++) {
      const labels = `name="${name}",topic="orders-of-region-${topic}"`;
      const value = (which + 1) * 1234567.5 * (topic + 1);
      if (partitions === 0) series.push(`${family}{${labels}} ${value}`);
      for (let partition = 0; partition < partitions; partition++) {
        series.push(`${family}{${labels},partition="${partition}"} ${value + partition}`);
      }
    }
    return series;
  });
}
