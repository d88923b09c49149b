import { PlimsollError } from '../errors.ts';
import type { Exposition } from './exposition.ts';
import { beanText, seriesText } from './series-name.ts';

interface KnownExporter {
  readonly pattern: RegExp;
  /** Follows "<place> is ". */
  readonly advice: string;
}

const JMX_EXPORTER = 'run the JMX exporter in each broker (deploy/jmx-exporter) and give its page';

/** Exporters whose pages cannot carry the idle of a broker (handbook "Signals", 1.1 and 1.2). */
const KNOWN_EXPORTERS: readonly KnownExporter[] = [
  {
    pattern: /^vectorized_/,
    advice: "Redpanda's internal page, whose names change with every version; give /public_metrics instead",
  },
  {
    pattern: /^kafka_(exporter_build_info|brokers|topic_partitions)$/,
    advice: `that of kafka_exporter or one like it, which gives lag and offsets, not load: ${JMX_EXPORTER}`,
  },
  {
    pattern:
      /^kafka[._](request[._](count|failed|queue|time)|network[._]io|message[._]count|partition[._]count|brokers)/,
    advice: `OpenTelemetry's, which has no request-handler idle: ${JMX_EXPORTER}`,
  },
  {
    pattern: /^node_(exporter_build_info|load1$)/,
    advice: `node_exporter's, which speaks of the machine and not of the broker: ${JMX_EXPORTER}`,
  },
];

const BEAN = 'kafka.server:type=KafkaRequestHandlerPool,name=RequestHandlerAvgIdlePercent';

/**
 * Says in one line why a page without a usable idle meter will not do, and what will.
 * @param rejected what looked like the meter, each with the reason why it is not.
 */
export function idleMissing(page: Exposition, place: string, rejected: readonly string[]): PlimsollError {
  const say = (text: string) => new PlimsollError('METRIC_MISSING', text);
  const names = page.samples.map(({ name }) => name.toLowerCase());
  if (rejected.length > 0) {
    const which = [...new Set(rejected)].slice(0, 2).join('; ');
    return say(
      `${place} shows no request-handler idle that can be trusted (${which}); export the Count of ${BEAN}, ` +
        'or say what the series is: signals.idle: NAME as one-minute rate',
    );
  }
  const known = KNOWN_EXPORTERS.find(({ pattern }) => names.some((name) => pattern.test(name)));
  if (known !== undefined) return say(`${place} is ${known.advice}`);
  if (names.some((name) => name.startsWith('redpanda_'))) {
    return say(
      `${place} is Redpanda's but lacks redpanda_cpu_busy_seconds_total; give /public_metrics as it is`,
    );
  }
  const other = page.samples.find((sample) => beanText(sample).includes('requesthandleravgidle'));
  const others = other === undefined ? '' : ` (${wordsOn(seriesText(other))})`;
  const isNoBroker = !names.some((name) => name.includes('kafka'));
  const whose = isNoBroker ? "; nothing there is a Kafka broker's" : '';
  return say(
    `${place} has no request-handler idle${others}${whose}; add ${BEAN} to the exporter's rules, ` +
      'or wait when the broker has just started',
  );
}

function wordsOn(series: string): string {
  return /control/i.test(series)
    ? `${series} is another pool of threads`
    : `${series} is of no known form; signals.idle can say what it is`;
}
