import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PlimsollError } from '../../src/errors.ts';
import { readPageValues } from '../../src/signals/broker-reading.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import type { SignalName } from '../../src/signals/series-table.ts';

const FIXTURES = new URL('../fixtures/', import.meta.url);
const URL_OF_PAGE = 'http://broker:7071/metrics';

function fixture(name: string): string {
  return readFileSync(new URL(name, FIXTURES), 'utf8');
}

function refusal(text: string): Pick<PlimsollError, 'code' | 'message'> {
  try {
    resolveSeries(text, URL_OF_PAGE);
  } catch (error) {
    if (error instanceof PlimsollError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error('the page was accepted');
}

const POOL = 'kafka_server_kafkarequesthandlerpool';

describe('resolveSeries finds the idle Count of every set-up that exports it', () => {
  for (const { setUp, why, series, meanRate, isrShrinks } of [
    {
      setUp: 'confluent-jms-0',
      why: 'Count under the bare name, untyped; HELP tells',
      series: `${POOL}_brokerrequesthandleravgidlepercent`,
      meanRate: false,
      isrShrinks: 5,
    },
    {
      setUp: 'cp-ansible-0',
      why: 'bare name is the Count, `_total` is a one-minute rate',
      series: `${POOL}_brokerrequesthandleravgidlepercent`,
      meanRate: false,
      isrShrinks: 5,
    },
    {
      setUp: 'default-norules-1',
      why: 'one family for all beans; the name label tells',
      series: 'kafka_server_KafkaRequestHandlerPool_Count{name="BrokerRequestHandlerAvgIdlePercent"}',
      meanRate: true,
      isrShrinks: 5,
    },
    {
      setUp: 'jmxexp-kafka-2_0_0-0',
      why: '0.x: `_count` without `_total`',
      series: `${POOL}_brokerrequesthandleravgidlepercent_count`,
      meanRate: true,
      isrShrinks: 5,
    },
    {
      setUp: 'jmxexp-kafka-kraft-3_0_0-1',
      why: '1.x: `_count_total`',
      series: `${POOL}_brokerrequesthandleravgidlepercent_count_total`,
      meanRate: true,
      isrShrinks: 5,
    },
    {
      setUp: 'strimzi-jmx-1',
      why: 'as the jmx examples',
      series: `${POOL}_brokerrequesthandleravgidlepercent_count_total`,
      meanRate: true,
      isrShrinks: 5,
    },
    {
      setUp: 'strimzi-smr',
      why: '`_total` is the Count here',
      series: `${POOL}_brokerrequesthandleravgidlepercent_total`,
      meanRate: false,
      isrShrinks: 5,
    },
  ]) {
    it(`${setUp}: ${why}`, () => {
      const truth = JSON.parse(fixture(`pages/${setUp}.expected.json`)) as Record<string, unknown>;
      const before = fixture(`pages/${setUp}.at-0s.txt`);
      const resolution = resolveSeries(before, URL_OF_PAGE);
      expect(resolution.idleCount.series).toBe(series);
      const reads = [before, fixture(`pages/${setUp}.at-30s.txt`)].map((text) =>
        readPageValues(resolution, text),
      );
      const [first, second] = reads.map((read) => (read.kind === 'values' ? read.values : null));
      expect(first).toBeTruthy();
      if (!first || !second) return;
      expect((second.idleCountNs - first.idleCountNs) / 30e9).toBeCloseTo(Number(truth.brokerIdleRatio), 3);
      expect(((second.bytesIn ?? 0) - (first.bytesIn ?? 0)) / 30).toBeCloseTo(
        Number(truth.bytesInPerSecond),
        -1,
      );
      expect(second.idleMeanRate !== null).toBe(meanRate);
      expect(second.isrShrinks).toBe(isrShrinks);
      expect([first.underReplicatedPartitions, second.underReplicatedPartitions]).toEqual(
        truth.underReplicatedPartitions,
      );
      expect([first.requestQueueSize, second.requestQueueSize]).toEqual(truth.requestQueueSize);
    });
  }
});

it('resolves every signal of the local cluster', () => {
  const text = fixture('local-cluster-page.txt');
  const resolution = resolveSeries(text, URL_OF_PAGE);
  expect(resolution.identity).toEqual({
    brokerId: 1,
    kafkaVersion: '4.4.0',
    exporter: 'jmx_prometheus_javaagent 1.0.1',
  });
  expect(resolution.idleCount).toMatchObject({
    series: `${POOL}_brokerrequesthandleravgidlepercent_count_total`,
    value: 65807246966,
  });
  expect(readPageValues(resolution, text)).toEqual({
    kind: 'values',
    values: {
      idleCountNs: 65807246966,
      idleMeanRate: 0.9956218276992993,
      underReplicatedPartitions: 0,
      isrShrinks: 0,
      isrExpands: 0,
      bytesIn: 0,
      messagesIn: 0,
      requests: 0,
      requestQueueSize: 0,
      processCpuSeconds: 3.29,
    },
  });
  expect(resolution.explanations.filter((sentence) => !sentence.isFound)).toEqual([]);
  expect(resolution.explanations[0]?.text).toContain('Count by its HELP');
});

const REPLICAS = 'kafka_server_replicamanager_underreplicatedpartitions 0\n';
const BARE = `${POOL}_requesthandleravgidlepercent`;

describe('resolveSeries tells a nanosecond counter from a ratio', () => {
  const help = (attribute: string) =>
    `# HELP ${BARE} x (kafka.server<type=KafkaRequestHandlerPool, name=RequestHandlerAvgIdlePercent><>${attribute})\n`;
  const objectName = (attribute: string) =>
    `{_objectname="kafka.server<type=KafkaRequestHandlerPool, name=RequestHandlerAvgIdlePercent><>${attribute}"}`;
  for (const { why, text, series } of [
    {
      why: '_objectname beats the HELP of the first sample',
      text: `${help('OneMinuteRate')}${BARE}${objectName('OneMinuteRate')} 0.5\n${BARE}${objectName('Count')} 5e12\n`,
      series: `${BARE}${objectName('Count')}`,
    },
    { why: 'HELP says Count', text: `${help('Count')}${BARE} 5e12\n`, series: BARE },
    { why: 'HELP says a rate', text: `${help('OneMinuteRate')}${BARE} 0.5\n`, series: null },
    {
      why: 'TYPE says counter, in the first millisecond',
      text: `# TYPE ${BARE} counter\n${BARE} 500000\n`,
      series: BARE,
    },
    { why: 'TYPE says gauge', text: `# TYPE ${BARE} gauge\n${BARE} 5e12\n`, series: null },
    { why: 'only the magnitude: a counter', text: `${BARE} 6.122678585934E12\n`, series: BARE },
    { why: 'only the magnitude: a ratio', text: `${BARE} 0.9\n`, series: null },
    { why: 'a name that says Count but holds a ratio (Yandex)', text: `${BARE}_count 0.9\n`, series: null },
    {
      why: 'upper case, as without lowercaseOutputName',
      text: `kafka_server_KafkaRequestHandlerPool_Count{name="RequestHandlerAvgIdlePercent",} 5e12\n`,
      series: 'kafka_server_KafkaRequestHandlerPool_Count{name="RequestHandlerAvgIdlePercent"}',
    },
    {
      why: 'Bitnami',
      text: `kafka_server_kafkarequesthandlerpool_total_requesthandleravgidlepercent_count 5e12\n`,
      series: 'kafka_server_kafkarequesthandlerpool_total_requesthandleravgidlepercent_count',
    },
    {
      why: 'duplicate series, one NaN',
      text: `${BARE}_count NaN\n${BARE}_count 5e12\n`,
      series: `${BARE}_count`,
    },
  ]) {
    it(why, () => {
      if (series === null) expect(refusal(REPLICAS + text).code).toBe('METRIC_MISSING');
      else expect(resolveSeries(REPLICAS + text, URL_OF_PAGE).idleCount.series).toBe(series);
    });
  }
});

describe('resolveSeries refuses in one line that says what to do', () => {
  for (const { why, text, code, says } of [
    {
      why: 'one-minute rate only (cp-helm)',
      text: fixture('pages/cp-helm-1.at-30s.txt'),
      code: 'METRIC_MISSING',
      says: /cp_kafka_\w+ = 0\.568\d*, a rate .* export its Count/,
    },
    {
      why: 'no idle at all (kafka_exporter)',
      text: fixture('pages/kafka-exporter-1.3.1.txt'),
      code: 'METRIC_MISSING',
      says: /has no request-handler idle .* add the bean/,
    },
    { why: 'empty', text: '', code: 'METRIC_MISSING', says: /has no request-handler idle/ },
    { why: 'HTML', text: '<html></html>\n', code: 'METRIC_MISSING', says: /line 1/ },
    {
      why: 'cut off',
      text: `${REPLICAS}${BARE}_count 5e1`,
      code: 'METRIC_MISSING',
      says: /ends within line 2/,
    },
    {
      why: 'a controller of Kafka 4.2 or later',
      text: `kafka_server_app_info_version{id="3000",version="4.4.0"} 1\n${POOL}_controllerrequesthandleravgidlepercent_count 5e12\n${BARE}_count 5e12\n`,
      code: 'METRICS_MISMATCH',
      says: /controller's \(node 3000\)/,
    },
    {
      why: 'a controller by its own beans',
      text: `kafka_controller_kafkacontroller_activecontrollercount 1\n${BARE}_count 5e12\n`,
      code: 'METRICS_MISMATCH',
      says: /controller's: it has no ReplicaManager/,
    },
    {
      why: 'no ReplicaManager',
      text: `${BARE}_count 5e12\n`,
      code: 'METRIC_MISSING',
      says: /add kafka.server:type=R/,
    },
    {
      why: 'only other pools',
      text: `${REPLICAS}${POOL}_controlplanerequesthandleravgidlepercent_count 5e12\n${POOL}_controllerrequesthandleravgidlepercent_count 5e12\n`,
      code: 'METRIC_MISSING',
      says: /has no request-handler idle/,
    },
    {
      why: 'two brokers on one page (federation)',
      text: `${REPLICAS}${BARE}_count{instance="a"} 5e12\n${BARE}_count{instance="b"} 5e12\n`,
      code: 'METRICS_MISMATCH',
      says: /more than one broker .*instance="a".* and .*instance="b"/,
    },
    {
      why: 'two pools in one meter (combined node up to 4.1)',
      text: `${REPLICAS}${BARE}_count 5e12\n${POOL}_requesthandleravgidle_percent 1.97\n`,
      code: 'METRIC_MISSING',
      says: /adds broker and controller threads/,
    },
  ]) {
    it(why, () => {
      const { code: got, message } = refusal(text);
      expect(got).toBe(code);
      expect(message).toMatch(says);
      expect(message).toContain(URL_OF_PAGE);
      expect(message).not.toContain('\n');
    });
  }
});

describe('resolveSeries leaves out what does not speak for the whole broker', () => {
  const idle = `${REPLICAS}${BARE}_count 5e12\n`;
  for (const { why, text, signal, value } of [
    {
      why: 'per-topic bytes are not the total',
      text: 'kafka_server_brokertopicmetrics_bytesin_total{topic="a"} 7\nkafka_server_brokertopicmetrics_bytesin_total 9\n',
      signal: 'bytesIn',
      value: 9,
    },
    {
      why: 'only per topic',
      text: 'kafka_server_brokertopicmetrics_bytesin_total{topic="a"} 7\n',
      signal: 'bytesIn',
      value: null,
    },
    {
      why: 'a rate is no counter',
      text: 'kafka_server_replicamanager_isrshrinkspersec 0.012\n',
      signal: 'isrShrinks',
      value: null,
    },
    {
      why: 'a whole number is one',
      text: 'kafka_server_replicamanager_isrshrinkspersec 5.0\n',
      signal: 'isrShrinks',
      value: 5,
    },
    {
      why: 'mean rate of the other meter does not clock this one',
      text: `${POOL}_brokerrequesthandleravgidle_percent 0.5\n`,
      signal: 'brokerIdleMeanRate',
      value: null,
    },
  ] satisfies { why: string; text: string; signal: SignalName; value: number | null }[]) {
    it(why, () => {
      const { chosen } = resolveSeries(idle + text, URL_OF_PAGE);
      expect(chosen.get(signal)?.value ?? null).toBe(value);
    });
  }
});
