// Pages like those of a broker under the JMX exporter: a real one, grown by topics and partitions to the size wanted, with
// the values of a fake broker in it.
import { readFileSync } from 'node:fs';

const SAMPLE = new URL('../../fixtures/pages/strimzi-jmx-1.at-0s.txt', import.meta.url);

/** Which value of the broker stands at which series of the sample. */
const MOVING = new Map([
  ['kafka_server_kafkarequesthandlerpool_requesthandleravgidlepercent_count_total', 'idleCountNs'],
  ['kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent', 'idleMeanRate'],
  ['kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidlepercent_count_total', 'idleCountNs'],
  ['kafka_server_kafkarequesthandlerpool_brokerrequesthandleravgidle_percent', 'idleMeanRate'],
  ['kafka_server_brokertopicmetrics_bytesin_total', 'bytesIn'],
  ['kafka_server_brokertopicmetrics_messagesin_total', 'messagesIn'],
  ['kafka_server_brokertopicmetrics_replicationbytesin_total', 'replicationBytesIn'],
]);

const TOPIC_FAMILIES = ['bytesin', 'bytesout', 'messagesin', 'replicationbytesin', 'totalproducerequests'];

/**
 * @param bytes size of the page, met to a line.
 * @returns what writes the page of a broker with the given values.
 */
export function pageWriter(bytes) {
  const parts = movingParts(readFileSync(SAMPLE, 'utf8'));
  const process = 'process_cpu_seconds_total';
  const size = parts.reduce((sum, { text }) => sum + text.length, 0);
  const filler = topicLines(bytes - size - 400);
  return (values) => {
    const moving = parts.map(({ text, value }) =>
      value === null ? text : `${text}${javaDouble(values[value])}\n`,
    );
    const tail = [
      `# TYPE ${process} counter`,
      `${process} ${javaDouble(values.cpuSeconds)}`,
      '# TYPE process_start_time_seconds gauge',
      `process_start_time_seconds ${javaDouble(values.startSeconds)}`,
      '',
    ];
    return moving.join('') + filler + tail.join('\n');
  };
}

function movingParts(sample) {
  const parts = [];
  for (const line of sample.trimEnd().split('\n')) {
    const value = MOVING.get(line.slice(0, line.lastIndexOf(' ')));
    if (value === undefined) parts.push({ text: `${line}\n`, value: null });
    else parts.push({ text: line.slice(0, line.lastIndexOf(' ') + 1), value });
  }
  return parts;
}

/** Per-topic series, a third of them of families that also have the broker's total. */
export function topicLines(bytes) {
  const lines = [];
  for (let topic = 0, length = 0; length < bytes; topic++) {
    const name = `orders-${(topic * 2_654_435_761) % 100_000}`;
    for (const [i, family] of TOPIC_FAMILIES.entries()) {
      const value = javaDouble(((topic + 1) * 48_271 * (i + 7)) % 2_147_483_647);
      lines.push(`kafka_server_brokertopicmetrics_${family}_total{topic="${name}"} ${value}\n`);
    }
    for (let partition = 0; partition < 10; partition++) {
      lines.push(`kafka_cluster_partition_underreplicated{topic="${name}",partition="${partition}"} 0.0\n`);
    }
    length += lines.slice(-10 - TOPIC_FAMILIES.length).join('').length;
  }
  while (lines.join('').length > bytes) lines.pop();
  // Lines of a family stand together.
  return lines.sort().join('');
}

/** As Double.toString writes it. */
function javaDouble(value) {
  if (value !== 0 && (value >= 1e7 || value < 1e-3))
    return value.toExponential().replace('e+', 'E').replace('e', 'E');
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
