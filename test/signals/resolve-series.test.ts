import { describe, expect, it } from 'vitest';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import type { SignalName } from '../../src/signals/signal-series.ts';
import { BARE, PLACE, POOL, pageOf, REPLICAS, refusalOf } from './sample-pages.ts';

const help = (attribute: string, name = BARE) =>
  `# HELP ${name} x (kafka.server<type=KafkaRequestHandlerPool, name=RequestHandlerAvgIdlePercent><>${attribute})\n`;
const newHelp = (attribute: string) =>
  `# HELP ${BARE} x kafka.server:name=RequestHandlerAvgIdlePercent,type=KafkaRequestHandlerPool,attribute=${attribute}\n`;
const objectName = (attribute: string) =>
  `{_objectname="kafka.server<type=KafkaRequestHandlerPool, name=RequestHandlerAvgIdlePercent><>${attribute}"}`;

describe('resolveSeries tells what an idle series is: _objectname, HELP, TYPE and name, magnitude', () => {
  for (const { why, text, idle } of [
    {
      why: '_objectname beats the HELP of the first sample; both attributes of one family are used',
      text: `${help('OneMinuteRate')}${BARE}${objectName('OneMinuteRate')} 0.5\n${BARE}${objectName('Count')} 5e12\n`,
      idle: {
        idleCount: `${BARE}${objectName('Count')}`,
        idleOneMinuteRate: `${BARE}${objectName('OneMinuteRate')}`,
      },
    },
    { why: 'HELP of 0.x says Count', text: `${help('Count')}${BARE} 5e12\n`, idle: { idleCount: BARE } },
    {
      why: 'HELP of 0.x says a rate',
      text: `${help('FiveMinuteRate')}${BARE} 0.5\n`,
      idle: { idleFiveMinuteRate: BARE },
    },
    { why: 'HELP of 1.x says Count', text: `${newHelp('Count')}${BARE} 5e12\n`, idle: { idleCount: BARE } },
    {
      why: 'HELP of 1.x says the mean rate, and the start is known',
      text: `${newHelp('MeanRate')}${BARE} 0.5\nprocess_start_time_seconds 5\n`,
      idle: { idleMeanRate: BARE },
    },
    {
      why: 'TYPE says counter, in the first millisecond',
      text: `# TYPE ${BARE} counter\n${BARE} 500000\n`,
      idle: { idleCount: BARE },
    },
    { why: 'only the magnitude: a counter', text: `${BARE} 6.122678585934E12\n`, idle: { idleCount: BARE } },
    {
      why: '`_total` of the metrics-reporter is a counter by TYPE, whatever it shows',
      text: `# TYPE ${BARE}_total counter\n${BARE}_total 0\n`,
      idle: { idleCount: `${BARE}_total` },
    },
    {
      why: '`_total` of OpenMetrics has its TYPE without `_total`',
      text: `# TYPE ${BARE} counter\n${BARE}_total 0\n`,
      idle: { idleCount: `${BARE}_total` },
    },
    {
      why: '`_total` of cp-ansible with exporter 0.x is the one-minute rate, a gauge',
      text: `# TYPE ${BARE} untyped\n${BARE} 5e12\n# TYPE ${BARE}_total gauge\n${BARE}_total 0.4\n`,
      idle: { idleCount: BARE, idleOneMinuteRate: `${BARE}_total` },
    },
    {
      why: '`_total` without TYPE: a ratio can only be that',
      text: `${BARE}_total 0.4\n`,
      idle: { idleOneMinuteRate: `${BARE}_total` },
    },
    {
      why: 'a counter typed `_count_total` while its sample is called `_count` (0.15 to 0.20)',
      text: `# TYPE ${BARE}_count_total counter\n${BARE}_count 5.0E12\n`,
      idle: { idleCount: `${BARE}_count` },
    },
    {
      why: 'TYPE with `_total` while the sample has none',
      text: `# TYPE ${BARE}_total counter\n${BARE} 500000\n`,
      idle: { idleCount: BARE },
    },
    {
      why: 'upper case, trailing comma',
      text: 'kafka_server_KafkaRequestHandlerPool_Count{name="RequestHandlerAvgIdlePercent",} 5e12\n',
      idle: { idleCount: 'kafka_server_KafkaRequestHandlerPool_Count{name="RequestHandlerAvgIdlePercent"}' },
    },
    {
      why: 'one HELP for the beans of one family: the name label tells, not the HELP of the first',
      text:
        '# HELP kafka_server_KafkaRequestHandlerPool_Count x (kafka.server<type=KafkaRequestHandlerPool, ' +
        'name=ControllerRequestHandlerAvgIdlePercent><>Count)\n' +
        'kafka_server_KafkaRequestHandlerPool_Count{name="RequestHandlerAvgIdlePercent"} 5e12\n',
      idle: { idleCount: 'kafka_server_KafkaRequestHandlerPool_Count{name="RequestHandlerAvgIdlePercent"}' },
    },
    {
      why: 'duplicate series, one NaN',
      text: `${BARE}_count NaN\n${BARE}_count 5e12\n`,
      idle: { idleCount: `${BARE}_count` },
    },
    {
      why: 'the same series twice',
      text: `${BARE}_count 5e12\n${BARE}_count 5e12\n`,
      idle: { idleCount: `${BARE}_count` },
    },
    {
      why: 'a rate that its counter-like HELP contradicts is left out',
      text: `${BARE}_count 5e12\n${help('FiveMinuteRate', `${BARE}_oneminuterate`)}${BARE}_oneminuterate 0.5\n`,
      idle: { idleCount: `${BARE}_count` },
    },
  ] satisfies { why: string; text: string; idle: Partial<Record<SignalName, string>> }[]) {
    it(why, () => {
      const { chosen } = resolveSeries(pageOf(REPLICAS + text), PLACE);
      const found = [...chosen.values()].filter(({ signal }) => /^(idle|brokerIdle)/.test(signal));
      expect(Object.fromEntries(found.map(({ signal, series }) => [signal, series]))).toEqual(idle);
    });
  }
});

describe('resolveSeries guesses no rate', () => {
  for (const { why, text, says } of [
    {
      why: 'TYPE says gauge',
      text: `# TYPE ${BARE} gauge\n${BARE} 0.9\n`,
      says: /= 0.9 is a rate by its TYPE/,
    },
    {
      why: 'TYPE says gauge, value says Count',
      text: `# TYPE ${BARE} gauge\n${BARE} 5e12\n`,
      says: /is a rate by its TYPE/,
    },
    {
      why: 'only the magnitude: a ratio, but of which time?',
      text: `${BARE} 0.9\n`,
      says: /is a rate by its value/,
    },
    {
      why: 'a name that says Count but holds a ratio (Yandex)',
      text: `${BARE}_count 0.9\n`,
      says: /= 0.9 is Count by its name, which it cannot be/,
    },
    {
      why: 'HELP says a rate, the value is a counter',
      text: `${help('OneMinuteRate')}${BARE} 5e12\n`,
      says: /is OneMinuteRate by its HELP, which it cannot be/,
    },
    {
      why: 'HELP names another pool',
      text: `# HELP ${BARE} x (kafka.server<type=KafkaRequestHandlerPool, name=ControlPlaneRequestHandlerAvgIdlePercent><>Count)\n${BARE} 5e12\n`,
      says: /is ControlPlaneRequestHandlerAvgIdlePercent Count by its HELP/,
    },
    {
      why: 'the mean since the start alone, and no start',
      text: `${POOL}_requesthandleravgidle_percent 0.9\n`,
      says: /only the mean since the start, and not when that was; export its Count, or java.lang:type=Runtime/,
    },
  ]) {
    it(why, () => {
      const { code, message } = refusalOf(() => resolveSeries(pageOf(REPLICAS + text), PLACE));
      expect(code).toBe('METRIC_MISSING');
      expect(message).toMatch(says);
      expect(message).toContain(PLACE);
    });
  }
});

describe('resolveSeries keeps what speaks for the whole broker, and what is what it seems', () => {
  const idle = `${REPLICAS}${BARE}_count 5e12\n`;
  const topics = 'kafka_server_brokertopicmetrics_bytesin_total';
  const isr = 'kafka_server_replicamanager_isrshrinkspersec';
  const times = 'kafka_network_requestmetrics_totaltimems';
  for (const { why, text, signal, value } of [
    {
      why: 'per-topic bytes are not the total',
      text: `${topics}{topic="a"} 7\n${topics} 9\n`,
      signal: 'bytesIn',
      value: 9,
    },
    { why: 'only per topic', text: `${topics}{topic="a"} 7\n`, signal: 'bytesIn', value: null },
    {
      why: 'an empty topic is none',
      text: `${topics}{topic="a"} 7\n${topics}{topic=""} 9\n`,
      signal: 'bytesIn',
      value: 9,
    },
    {
      why: 'the topic is in the name (cp-helm)',
      text: 'cp_kafka_server_brokertopicmetrics_bytesinpersec_topic_a 3.5\n',
      signal: 'bytesInRate',
      value: null,
    },
    { why: 'a rate is no counter', text: `${isr} 0.012\n`, signal: 'isrShrinks', value: null },
    {
      why: 'nor may it be guessed of which time it is',
      text: `${isr} 0.012\n`,
      signal: 'isrShrinkRate',
      value: null,
    },
    { why: 'a whole number is a counter', text: `${isr} 5.0\n`, signal: 'isrShrinks', value: 5 },
    {
      why: 'cp-helm shows a rate under its name, also at rest',
      text: `cp_${isr} 0.0\n`,
      signal: 'isrShrinkRate',
      value: 0,
    },
    { why: 'its rate at rest is no count', text: `cp_${isr} 0.0\n`, signal: 'isrShrinks', value: null },
    {
      why: 'no rate beside a count',
      text: `${isr} 5.0\n${isr}_oneminuterate 0.1\n`,
      signal: 'isrShrinkRate',
      value: null,
    },
    {
      why: 'p99 among quantiles',
      text: `${times}{request="Produce",quantile="0.50"} 3\n${times}{request="Produce",quantile="0.990"} 41\n`,
      signal: 'produceP99Ms',
      value: 41,
    },
    {
      why: 'HELP of the family is that of its first percentile',
      text: `# HELP ${times} x (kafka.network<type=RequestMetrics, name=TotalTimeMs, request=Produce><>50thPercentile)\n${times}{request="Produce",quantile="0.99"} 41\n`,
      signal: 'produceP99Ms',
      value: 41,
    },
    {
      why: 'without quantile it is a number of requests',
      text: `${times}{request="Produce"} 1.7E8\n`,
      signal: 'produceP99Ms',
      value: null,
    },
    {
      why: 'p99 of another request',
      text: `${times}{request="Fetch",quantile="0.99"} 502\n`,
      signal: 'produceP99Ms',
      value: null,
    },
    {
      why: 'p99.9 is not p99',
      text: `${times}{request="Produce",quantile="0.999"} 90\n`,
      signal: 'produceP99Ms',
      value: null,
    },
    {
      why: 'offline partitions of the controller stand in',
      text: 'kafka_controller_kafkacontroller_offlinepartitionscount 2\n',
      signal: 'offlinePartitions',
      value: 2,
    },
    {
      why: 'NaN is no value',
      text: 'kafka_network_socketserver_networkprocessoravgidlepercent NaN\n',
      signal: 'networkIdle',
      value: null,
    },
    {
      why: 'the JVM seen through JMX beats the exporter process',
      text: 'process_cpu_seconds_total 1\njava_lang_operatingsystem_processcputime 9e9\n',
      signal: 'processCpuSeconds',
      value: 9,
    },
    {
      why: 'mean rate of the other meter does not clock this one',
      text: `${POOL}_controllerrequesthandleravgidle_percent 0.5\n`,
      signal: 'idleMeanRate',
      value: null,
    },
    {
      why: 'processor idle is not the mean over processors',
      text: 'kafka_network_processor_idlepercent{networkProcessor="0"} 1\n',
      signal: 'networkIdle',
      value: null,
    },
  ] satisfies { why: string; text: string; signal: SignalName; value: number | null }[]) {
    it(why, () => {
      const { chosen } = resolveSeries(pageOf(idle + text), PLACE);
      expect(chosen.get(signal)?.value ?? null).toBe(value);
    });
  }

  it("drops the shared meter where the broker's own is", () => {
    const own = `${POOL}_brokerrequesthandleravgidlepercent_count 4e12\n${POOL}_requesthandleravgidle_percent 0.5\n`;
    const { chosen } = resolveSeries(pageOf(idle + own), PLACE);
    expect([...chosen.keys()].filter((signal) => /idle/i.test(signal))).toEqual(['brokerIdleCount']);
  });

  it('says of a missing signal what looked like it', () => {
    const { explanations } = resolveSeries(pageOf(`${idle}${isr} 0.012\n`), PLACE);
    expect(explanations.find(({ signal }) => signal === 'isrShrinks')?.text).toBe(
      `ISR shrinks: not on the page; ${isr} = 0.012 is a rate by its value`,
    );
  });

  it('asks for nothing that a rate stands in for', () => {
    const { explanations } = resolveSeries(pageOf(`${idle}cp_${isr} 0.2\n`), PLACE);
    const found = explanations.filter(({ signal }) => signal.startsWith('isrShrink'));
    expect(found.map(({ signal, isFound }) => [signal, isFound])).toEqual([['isrShrinkRate', true]]);
  });
});
