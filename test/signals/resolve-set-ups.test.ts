import { describe, expect, it } from 'vitest';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import type { SignalName } from '../../src/signals/signal-series.ts';
import { PLACE, pageOf, sampleText } from './sample-pages.ts';

/** One line of test/fixtures/pages/derived. */
interface DerivedSeries {
  readonly quantity: string;
  readonly attribute: string;
  readonly type: string;
  readonly name: string;
  readonly series: string;
}

const IDLE_ATTRIBUTES = [
  'Count',
  'MeanRate',
  'OneMinuteRate',
  'FiveMinuteRate',
  'FifteenMinuteRate',
] as const;

function idleSignals(prefix: 'idle' | 'brokerIdle'): Readonly<Record<string, SignalName>> {
  return Object.fromEntries(
    IDLE_ATTRIBUTES.map((attribute) => [attribute, `${prefix}${attribute}` as const]),
  );
}

const SIGNAL_OF: Readonly<Record<string, Readonly<Record<string, SignalName>>>> = {
  idle: idleSignals('idle'),
  'idle4.2': idleSignals('brokerIdle'),
  netidle: { Value: 'networkIdle' },
  isrshrink: { Count: 'isrShrinks', OneMinuteRate: 'isrShrinkRate' },
  urp: { Value: 'underReplicatedPartitions' },
  underminisr: { Value: 'underMinIsrPartitions' },
  offline: { Value: 'offlineReplicas' },
  bytesin: { Count: 'bytesIn', OneMinuteRate: 'bytesInRate' },
  msgin: { Count: 'messagesIn', OneMinuteRate: 'messagesInRate' },
  replbytes: { Count: 'replicationBytesIn', OneMinuteRate: 'replicationBytesInRate' },
  reqq: { Value: 'requestQueueSize' },
  totaltime: { '99thPercentile': 'produceP99Ms' },
  os: { ProcessCpuTime: 'processCpuSeconds' },
  gc: { CollectionTime: 'gcSeconds' },
};

function derivedSeries(setUp: string): readonly DerivedSeries[] {
  return sampleText(`derived/${setUp}.txt`)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, quantity = '', attribute = '', type = '', name = '', labels = ''] =
        /^(\S+)\s+(\S+)\s+(\S+)\s+([^{]+)\{(.*)\}\s*$/.exec(line) ?? [];
      const pairs = labels.replaceAll("'", '"').split(',').filter(Boolean).sort();
      return {
        quantity,
        attribute,
        type,
        name,
        series: pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`,
      };
    });
}

/** A value that a broker might show. */
function plausibleValue({ quantity, attribute }: DerivedSeries): number {
  if (quantity.startsWith('idle')) return attribute === 'Count' ? 6.122678585934e12 : 0.87654321;
  return attribute === 'Count' ? 12_000 : attribute.endsWith('Rate') ? 0.25 : 3;
}

/** The page without HELP, as a Prometheus server gives it that keeps no metadata, and without TYPE for some. */
function pageText(list: readonly DerivedSeries[], hasTypes: boolean): string {
  const types = new Map(list.map(({ name, type }) => [name, type]));
  const samples = list.map((line) => `${line.series} ${plausibleValue(line)}\n`).join('');
  const comments = [...types].map(([name, type]) => `# TYPE ${name} ${type}\n`).join('');
  return `${hasTypes ? comments : ''}${samples}`;
}

const SET_UPS = [
  'confluent-jms-0',
  'cp-ansible-0',
  'cp-helm-1',
  'default-norules-1',
  'jmxexp-kafka-2_0_0-0',
  'jmxexp-kafka-kraft-3_0_0-1',
  'strimzi-jmx-1',
] as const;

describe('names, types and values tell every series of a set-up when the page has no HELP', () => {
  for (const setUp of SET_UPS) {
    for (const { kafka, leftOut } of [
      { kafka: '4.2', leftOut: 'idle' },
      { kafka: '4.1', leftOut: 'idle4.2' },
    ]) {
      for (const hasTypes of [true, false]) {
        it(`${setUp}, Kafka ${kafka}, ${hasTypes ? 'with' : 'without'} TYPE`, () => {
          const all = derivedSeries(setUp);
          const isNew = all.some(({ quantity }) => quantity === 'idle4.2');
          if (!isNew && kafka === '4.2') return;
          // Both meters are on a page of Kafka 4.2; the aggregate must then not be used.
          const shown = kafka === '4.2' ? all : all.filter(({ quantity }) => quantity !== leftOut);
          const { chosen } = resolveSeries(pageOf(pageText(shown, hasTypes)), PLACE);
          const expected = new Map<string, string>();
          for (const line of shown) {
            const signal = line.quantity === leftOut ? undefined : SIGNAL_OF[line.quantity]?.[line.attribute];
            const hasCount = shown.some(
              ({ quantity, attribute }) => quantity === line.quantity && attribute === 'Count',
            );
            const isSpare = signal?.endsWith('Rate') && !signal.toLowerCase().includes('idle') && hasCount;
            if (signal !== undefined && !isSpare) expected.set(signal, line.series);
          }
          const found = [...chosen.values()].map(({ signal, series }) => [signal, series] as const);
          expect(new Map(found)).toEqual(expected);
        });
      }
    }
  }
});

describe('names alone tell the set-ups that have no list', () => {
  const pool = 'kafka_server_kafkarequesthandlerpool';
  for (const { setUp, lines } of [
    {
      setUp: 'Strimzi metrics-reporter, with TYPE and without',
      lines: [['idleCount', `${pool}_requesthandleravgidlepercent_total`, 5e12]],
    },
    {
      setUp: 'Bitnami',
      lines: [
        ['idleCount', `${pool}_total_requesthandleravgidlepercent_count`, 5e12],
        ['idleOneMinuteRate', `${pool}_total_requesthandleravgidlepercent_oneminuterate`, 0.5],
        ['isrShrinks', 'kafka_server_replicamanager_total_isrshrinkspersec_count', 4],
        ['bytesIn', 'kafka_server_brokertopicmetrics_total_bytesinpersec_count', 7],
        ['underReplicatedPartitions', 'kafka_server_replicamanager_total_underreplicatedpartitions_value', 1],
        ['gcSeconds', 'java_lang_garbagecollector_collectiontime_g1_young_generation', 250, 0.25],
      ],
    },
    {
      setUp: 'koperator',
      lines: [
        ['idleCount', `${pool}_requesthandleravgidlepercent_count_total`, 5e12],
        ['idleMeanRate', `${pool}_requesthandleravgidle_meanrate_percent`, 0.9],
        ['idleOneMinuteRate', `${pool}_requesthandleravgidle_oneminuterate_percent`, 0.5],
        ['idleFiveMinuteRate', `${pool}_requesthandleravgidle_fiveminuterate_percent`, 0.6],
        ['idleFifteenMinuteRate', `${pool}_requesthandleravgidle_fifteenminuterate_percent`, 0.7],
      ],
    },
    {
      setUp: 'Aiven',
      lines: [
        [
          'idleOneMinuteRate',
          'kafka_server_KafkaRequestHandlerPool_RequestHandlerAvgIdlePercent_OneMinuteRate',
          0.5,
        ],
        ['underReplicatedPartitions', 'kafka_server_ReplicaManager_UnderReplicatedPartitions_Value', 1],
        ['isrShrinks', 'kafka_server_ReplicaManager_IsrShrinksPerSec_Count', 3],
      ],
    },
    {
      setUp: 'JVM beans without rules',
      lines: [
        [
          'idleCount',
          'kafka_server_KafkaRequestHandlerPool_Count{name="RequestHandlerAvgIdlePercent"}',
          5e12,
        ],
        ['processCpuSeconds', 'java_lang_OperatingSystem_ProcessCpuTime', 3.29e9, 3.29],
        ['processStartSeconds', 'java_lang_Runtime_StartTime', 1_700_000_000_000, 1_700_000_000],
        ['gcSeconds', 'java_lang_GarbageCollector_CollectionTime{name="G1 Old Generation"}', 1500, 1.5],
      ],
    },
  ] satisfies { setUp: string; lines: [SignalName, string, number, number?][] }[]) {
    it(setUp, () => {
      const text = lines.map(([, series, value]) => `${series} ${value}\n`).join('');
      const replicas = text.includes('underreplicated') ? '' : 'kafka_server_replicamanager_leadercount 1\n';
      const { chosen } = resolveSeries(pageOf(replicas + text), PLACE);
      const found = [...chosen.values()].map(({ signal, series, value }) => [signal, [series, value]]);
      const expected = lines.map(([signal, series, value, inUnit]) => [signal, [series, inUnit ?? value]]);
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    });
  }
});
