import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { HandlerPool } from '../../boundary/broker-reading.ts';
import { readValues } from '../../src/signals/broker-reading.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import type { SignalName } from '../../src/signals/signal-series.ts';
import { PLACE, POOL, pageOf, REPLICAS, sampleText, snapshotOf } from './sample-pages.ts';

interface SamplePage {
  readonly page: string;
  readonly why: string;
  /** Excerpts lack the series that make a page a broker's. */
  readonly lacking?: string;
  readonly pool: HandlerPool;
  readonly isPoolSure: boolean;
  readonly idle: Partial<Record<SignalName, readonly [series: string, value: number]>>;
}

const BROKER = 'brokerrequesthandleravgidle';
const NO_RULES = 'kafka_server_KafkaRequestHandlerPool';

const PAGES: readonly SamplePage[] = [
  {
    page: 'confluent-jms-0.at-0s.txt',
    why: 'Count under the bare name, untyped; HELP tells',
    pool: 'broker',
    isPoolSure: true,
    idle: { brokerIdleCount: [`${POOL}_${BROKER}percent`, 782932008020072] },
  },
  {
    page: 'cp-ansible-0.at-0s.txt',
    why: 'bare name is the Count; `_total` is the one-minute rate of the other meter',
    pool: 'broker',
    isPoolSure: true,
    idle: { brokerIdleCount: [`${POOL}_${BROKER}percent`, 199421233417109] },
  },
  {
    page: 'cp-helm-1.at-30s.txt',
    why: 'its own prefix; one-minute rate alone',
    pool: 'broker',
    isPoolSure: false,
    idle: {
      idleOneMinuteRate: [
        'cp_kafka_kafkarequesthandlerpool_requesthandleravgidlepercent',
        0.5680585437072734,
      ],
    },
  },
  {
    page: 'default-norules-1.at-0s.txt',
    why: 'one family for all beans; the name label tells',
    pool: 'broker',
    isPoolSure: true,
    idle: {
      brokerIdleCount: [`${NO_RULES}_Count{name="BrokerRequestHandlerAvgIdlePercent"}`, 76639466726630],
      brokerIdleMeanRate: [
        `${NO_RULES}_MeanRate{name="BrokerRequestHandlerAvgIdlePercent"}`,
        0.9572621613143811,
      ],
      brokerIdleOneMinuteRate: [
        `${NO_RULES}_OneMinuteRate{name="BrokerRequestHandlerAvgIdlePercent"}`,
        0.772402321582919,
      ],
    },
  },
  {
    page: 'jmxexp-kafka-2_0_0-0.at-0s.txt',
    why: '0.x: `_count` without `_total`; `_percent` is the mean rate',
    pool: 'broker',
    isPoolSure: true,
    idle: {
      brokerIdleCount: [`${POOL}_${BROKER}percent_count`, 119805117750700],
      brokerIdleMeanRate: [`${POOL}_${BROKER}_percent`, 0.9314083952270613],
    },
  },
  {
    page: 'jmxexp-kafka-kraft-3_0_0-1.at-0s.txt',
    why: '1.x: `_count_total`',
    pool: 'broker',
    isPoolSure: true,
    idle: {
      brokerIdleCount: [`${POOL}_${BROKER}percent_count_total`, 433230694351253],
      brokerIdleMeanRate: [`${POOL}_${BROKER}_percent`, 0.9278548221922167],
    },
  },
  {
    page: 'strimzi-jmx-1.at-0s.txt',
    why: 'as the examples of the JMX exporter',
    pool: 'broker',
    isPoolSure: true,
    idle: {
      brokerIdleCount: [`${POOL}_${BROKER}percent_count_total`, 681880424672685],
      brokerIdleMeanRate: [`${POOL}_${BROKER}_percent`, 0.9429094990356613],
    },
  },
  {
    page: 'strimzi-smr.at-0s.txt',
    why: '`_total` is the Count here',
    pool: 'broker',
    isPoolSure: true,
    idle: { brokerIdleCount: [`${POOL}_${BROKER}percent_total`, 278484481980503] },
  },
  {
    page: 's01-jmxexp0.6-httpserver-default-names-lower.txt',
    why: 'lower case, Kafka 0.10, an allow-list of one-minute rates',
    pool: 'broker',
    isPoolSure: false,
    idle: {
      idleOneMinuteRate: [
        'kafka_server_kafkarequesthandlerpool_oneminuterate{name="RequestHandlerAvgIdlePercent"}',
        0.9996590142663573,
      ],
    },
  },
  {
    page: 's04-msk-jmxexp0.12.0-httpserver-norules-excerpt.txt',
    why: 'MSK, mixed case; the excerpt has only the five-minute rate',
    lacking: REPLICAS,
    pool: 'broker',
    isPoolSure: false,
    idle: {
      idleFiveMinuteRate: [
        `${NO_RULES}_FiveMinuteRate{name="RequestHandlerAvgIdlePercent"}`,
        0.9985297500708785,
      ],
    },
  },
  {
    page: 's05-cp5.4.1-cp-helm-charts-issue461-excerpt.txt',
    why: 'cp-helm of 2019',
    lacking: REPLICAS,
    pool: 'broker',
    isPoolSure: false,
    idle: {
      idleOneMinuteRate: ['cp_kafka_kafkarequesthandlerpool_requesthandleravgidlepercent', 0.999787748510939],
    },
  },
  {
    page: 's11-kafka-ui-test-fixture-fifteenminuterate.txt',
    why: 'mixed case, trailing comma, fifteen-minute rate alone',
    lacking: REPLICAS,
    pool: 'broker',
    isPoolSure: false,
    idle: {
      idleFifteenMinuteRate: [`${NO_RULES}_FifteenMinuteRate{name="RequestHandlerAvgIdlePercent"}`, 0.898],
    },
  },
];

describe('resolveSeries finds the idle meter of every sample page', () => {
  for (const { page, why, lacking = '', pool, isPoolSure, idle } of PAGES) {
    it(`${page}: ${why}`, () => {
      const resolution = resolveSeries(pageOf(lacking + sampleText(page)), PLACE);
      const found = [...resolution.chosen.values()]
        .filter(({ signal }) => /idle/i.test(signal) && signal !== 'networkIdle')
        .map(({ signal, series, value }) => [signal, [series, value]]);
      expect(Object.fromEntries(found)).toEqual(idle);
      expect(resolution.idle).toMatchObject({ kind: 'request handlers', pool, isPoolSure });
      for (const { names } of resolution.chosen.values()) {
        for (const name of names) expect(resolution.wantedNames).toContain(name);
      }
    });
  }
});

it('resolves every signal of the local cluster', () => {
  const text = readFileSync(new URL('../fixtures/local-cluster-page.txt', import.meta.url), 'utf8');
  const resolution = resolveSeries(pageOf(text), PLACE);
  expect(resolution.identity).toEqual({
    brokerId: 1,
    kafkaVersion: '4.4.0',
    exporter: 'jmx_prometheus_javaagent 1.0.1',
    isCombined: null,
    isMeterAveraged: true,
  });
  expect(resolution.idle.sentence).toBe(
    'idle by Count, clocked by the page itself (Count / mean rate): exact',
  );
  const startMs = 1796048076228;
  expect(readValues(resolution, snapshotOf(text, startMs + 66_500))).toEqual({
    kind: 'values',
    values: {
      idle: {
        kind: 'request handlers',
        pool: 'broker',
        countNs: 65807246966,
        meanRate: 0.9956218276992993,
        oneMinuteRate: 0.9924352546169699,
        fiveMinuteRate: null,
        fifteenMinuteRate: null,
        processAgeMs: 66_500,
      },
      underReplicatedPartitions: 0,
      underMinIsrPartitions: 0,
      offlinePartitions: 0,
      isrShrinks: { count: 0, oneMinuteRate: null },
      isrExpands: { count: 0, oneMinuteRate: null },
      bytesIn: { count: 0, oneMinuteRate: null },
      bytesOut: null,
      replicationBytesIn: { count: 0, oneMinuteRate: null },
      messagesIn: { count: 0, oneMinuteRate: null },
      requests: 0,
      requestQueueSize: 0,
      produceP99Ms: null,
      networkIdle: 1,
      processCpuSeconds: 3.29,
      gcSeconds: 0.078 + 0.083,
    },
  });
  const missing = resolution.explanations.filter(({ isFound }) => !isFound);
  expect(missing.map(({ title, remedy }) => [title, remedy])).toEqual([
    ['bytes out', 'export the Count of kafka.server:type=BrokerTopicMetrics,name=BytesOutPerSec'],
    [
      'produce time, p99 (ms)',
      'export the 99thPercentile of kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Produce',
    ],
  ]);
  expect(resolution.explanations[0]).toEqual({
    signal: 'brokerIdleCount',
    title: 'request-handler idle (broker)',
    isFound: true,
    text: `request-handler idle (broker): ${POOL}_${BROKER}percent_count_total = 65807246966 (Count by its HELP)`,
    remedy: null,
  });
});

it('s08: the attributes of the MBean as Jolokia reads them, under the names of no rules', () => {
  const reads = JSON.parse(sampleText('s08-jolokia-raw-mbean-attributes.json')) as {
    readonly value: Readonly<Record<string, number | string>>;
  }[];
  for (const { value } of reads) {
    const lines = Object.entries(value)
      .filter(([, shown]) => typeof shown === 'number')
      .map(
        ([attribute, shown]) => `${NO_RULES}_${attribute}{name="RequestHandlerAvgIdlePercent"} ${shown}\n`,
      );
    const text = REPLICAS + lines.join('');
    const resolution = resolveSeries(pageOf(text), PLACE);
    expect(readValues(resolution, snapshotOf(text, 0))).toMatchObject({
      values: {
        idle: {
          pool: 'broker',
          countNs: value.Count,
          meanRate: value.MeanRate,
          oneMinuteRate: value.OneMinuteRate,
          fiveMinuteRate: value.FiveMinuteRate,
          fifteenMinuteRate: value.FifteenMinuteRate,
        },
      },
    });
  }
});

it('reads Redpanda by the busy time of its cores', () => {
  const more = [
    'redpanda_cpu_busy_seconds_total{shard="10"} 30\nredpanda_cpu_busy_seconds_total{shard="2"} 20\n',
    'redpanda_kafka_under_replicated_replicas{redpanda_topic="a",redpanda_partition="0"} 1\n',
    'redpanda_kafka_under_replicated_replicas{redpanda_topic="b",redpanda_partition="0"} 2\n',
    'redpanda_kafka_request_bytes_total{redpanda_topic="a",redpanda_request="produce"} 5\n',
    'redpanda_kafka_request_bytes_total{redpanda_topic="b",redpanda_request="produce"} 6\n',
    'redpanda_kafka_request_bytes_total{redpanda_topic="b",redpanda_request="consume"} 7\n',
  ].join('');
  const text = sampleText('s09-redpanda-public-metrics-excerpt.txt') + more;
  const resolution = resolveSeries(pageOf(text), PLACE);
  expect(resolution.idle).toMatchObject({ kind: 'cores', cores: 3 });
  expect(readValues(resolution, snapshotOf(text, 0))).toMatchObject({
    kind: 'values',
    values: {
      idle: { kind: 'cores', busySeconds: [1.939297, 20, 30] },
      underReplicatedPartitions: 3,
      offlinePartitions: 0,
      isrShrinks: null,
      bytesIn: { count: 11, oneMinuteRate: null },
      bytesOut: { count: 7, oneMinuteRate: null },
    },
  });
});
