import { describe, expect, it } from 'vitest';
import { readValues } from '../../src/signals/broker-reading.ts';
import { confirmBySecondLook } from '../../src/signals/confirm-by-second-look.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import { BARE, PLACE, POOL, REPLICAS, refusalOf, snapshotOf } from './sample-pages.ts';

const COUNT = `${BARE}_count 5e12\n`;

/** What a reading says of a page that is looked at twice, 2 s apart; `{n}` grows from 0 to 1 between the looks. */
function readingOf(text: string) {
  const first = snapshotOf(REPLICAS + text.replaceAll('{n}', '0'), 0);
  const second = snapshotOf(REPLICAS + text.replaceAll('{n}', '1'), 2000);
  const resolution = confirmBySecondLook(resolveSeries(first.series, PLACE), first, second);
  const read = readValues(resolution, second);
  if (read.kind === 'failed') throw new Error(read.reason);
  return read.values;
}

describe('misreadings that are public knowledge are not repeated', () => {
  for (const { number, why, text, expected } of [
    {
      number: 1,
      why: 'Count is nanoseconds, not a rate or a ratio',
      text: 'kafka_server_KafkaRequestHandlerPool_Count{name="RequestHandlerAvgIdlePercent"} 6.122678585934E12\n',
      expected: { idle: { countNs: 6.122678585934e12, oneMinuteRate: null } },
    },
    {
      number: 2,
      why: '`..._total` of the metrics-reporter only ever grows',
      text: `# TYPE ${BARE}_total counter\n${BARE}_total 50000000{n}0000000\n`,
      expected: { idle: { countNs: 5000000010000000, oneMinuteRate: null } },
    },
    {
      number: 3,
      why: 'the control plane is another pool',
      text: `${COUNT}${POOL}_controlplanerequesthandleravgidlepercent 9e12\n`,
      expected: { idle: { countNs: 5e12 } },
    },
    {
      number: 4,
      why: 'the bare name holds nanoseconds',
      text: `# TYPE ${BARE} untyped\n${BARE} 6.122678585934E12\n`,
      expected: { idle: { countNs: 6.122678585934e12, meanRate: null, oneMinuteRate: null } },
    },
    {
      number: 5,
      why: 'a value near 2 is two pools, not a healthy one',
      text: `${COUNT}${POOL}_requesthandleravgidle_percent 1.98\n`,
      expected: { idle: { pool: 'sum of broker and controller', meanRate: 1.98 } },
    },
    {
      number: 7,
      why: 'network idle is a ratio of at most 1',
      text: `${COUNT}kafka_network_socketserver_networkprocessoravgidlepercent 1.02\n`,
      expected: { networkIdle: 1 },
    },
    {
      number: 8,
      why: 'NaN is no idle',
      text: `${COUNT}kafka_network_socketserver_networkprocessoravgidlepercent NaN\n${POOL}_controlplanerequesthandleravgidle_percent NaN\n`,
      expected: { networkIdle: null, idle: { meanRate: null } },
    },
    {
      number: 9,
      why: '`..._percent` of the examples is the mean since the start',
      text: `${COUNT}${POOL}_requesthandleravgidle_percent 0.9\n`,
      expected: { idle: { meanRate: 0.9, oneMinuteRate: null } },
    },
    {
      number: 11,
      why: 'ISR shrinks under the bare name are cumulative',
      text: `${COUNT}kafka_server_replicamanager_isrshrinkspersec 4\n`,
      expected: { isrShrinks: { count: 4, oneMinuteRate: null } },
    },
    {
      number: 12,
      why: '`...persec` is a counter',
      text: `${COUNT}kafka_server_brokertopicmetrics_bytesinpersec 7.4E12\n`,
      expected: { bytesIn: { count: 7.4e12, oneMinuteRate: null } },
    },
    {
      number: 13,
      why: 'of duplicates the one that is a number',
      text: `${BARE}_count NaN\n${BARE}_count 5e12\n`,
      expected: { idle: { countNs: 5e12 } },
    },
    {
      number: 16,
      why: 'p99 of FetchConsumer is no produce time',
      text: `${COUNT}kafka_network_requestmetrics_totaltimems{request="FetchConsumer",quantile="0.99"} 103\n`,
      expected: { produceP99Ms: null },
    },
  ]) {
    it(`${number}: ${why}`, () => {
      expect(readingOf(text)).toMatchObject(expected);
    });
  }

  it('10: names that an exporter could write but does not are not asked for', () => {
    const text = `${REPLICAS}${POOL}_requesthandleravgidlepercentage 0.9\n`;
    const { message } = refusalOf(() => resolveSeries(snapshotOf(text, 0).series, PLACE));
    expect(message).toMatch(
      /has no request-handler idle \(\S+percentage is of no known form; signals.idle can say what it is\)/,
    );
  });
});
