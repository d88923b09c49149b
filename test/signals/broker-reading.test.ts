import { describe, expect, it } from 'vitest';
import { type PageValues, readValues } from '../../src/signals/broker-reading.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import { BARE, PLACE, POOL, pageOf, REPLICAS } from './sample-pages.ts';

const COUNT = `${BARE}_count 5e12\n`;
const AT_MS = 1_000_000;

function read(firstText: string, laterText: string, serverDateMs: number | null = null) {
  const resolution = resolveSeries(pageOf(REPLICAS + firstText), PLACE);
  const series = pageOf(REPLICAS + laterText);
  return readValues(resolution, { series, atMs: AT_MS, scrapeMs: 10, serverDateMs });
}

function valuesOf(firstText: string, laterText: string, serverDateMs: number | null = null): PageValues {
  const result = read(firstText, laterText, serverDateMs);
  if (result.kind === 'failed') throw new Error(result.reason);
  return result.values;
}

describe('readValues', () => {
  const gc = (young: string, old: string) =>
    `jvm_gc_collection_seconds_sum{gc="young"} ${young}\njvm_gc_collection_seconds_sum{gc="old"} ${old}\n`;
  const requests = (produce: number) =>
    `kafka_server_brokertopicmetrics_totalproducerequests_total ${produce}\n`;
  const fetches = 'kafka_server_brokertopicmetrics_totalfetchrequests_total 7\n';
  const shrinks = 'kafka_server_replicamanager_isrshrinkspersec';
  const network = 'kafka_network_socketserver_networkprocessoravgidlepercent';
  for (const { why, first, later = first, expected } of [
    { why: 'sums over collectors', first: gc('1.5', '2'), expected: { gcSeconds: 3.5 } },
    {
      why: 'a collector that came later is in the sum',
      first: gc('1', 'NaN'),
      later: gc('1', '2'),
      expected: { gcSeconds: 3 },
    },
    {
      why: 'equal series twice count once in a sum',
      first: gc('1', '2'),
      later: gc('1', '2') + gc('1', '2'),
      expected: { gcSeconds: 3 },
    },
    { why: 'produce and fetch requests', first: requests(5) + fetches, expected: { requests: 12 } },
    { why: 'produce requests alone are not all', first: requests(5), expected: { requests: null } },
    {
      why: 'a signal gone from the page is not zero',
      first: requests(5) + fetches,
      later: fetches,
      expected: { requests: null },
    },
    {
      why: 'a count that became a rate is null',
      first: `${shrinks} 5\n`,
      later: `${shrinks} 0.2\n`,
      expected: { isrShrinks: null },
    },
    {
      why: 'a rate stands in for a count',
      first: `cp_${shrinks} 0.2\n`,
      expected: { isrShrinks: { count: null, oneMinuteRate: 0.2 } },
    },
    {
      why: 'NaN is null',
      first: `${network} 0.5\n`,
      later: `${network} NaN\n`,
      expected: { networkIdle: null },
    },
    {
      why: 'network idle a little above 1 (KAFKA-7354)',
      first: `${network} 1.0024\n`,
      expected: { networkIdle: 1 },
    },
    {
      why: 'offline partitions of the controller',
      first: 'kafka_controller_kafkacontroller_offlinepartitionscount 2\n',
      expected: { offlinePartitions: 2 },
    },
    {
      why: 'offline replicas first',
      first: 'kafka_server_replicamanager_offlinereplicacount 1\n',
      expected: { offlinePartitions: 1 },
    },
    {
      why: 'series of a topic are not read for the total',
      first: 'kafka_server_brokertopicmetrics_bytesin_total 9\n',
      later: 'kafka_server_brokertopicmetrics_bytesin_total{topic="a"} 9\n',
      expected: { bytesIn: null },
    },
  ] satisfies { why: string; first: string; later?: string; expected: Partial<PageValues> }[]) {
    it(why, () => {
      expect(valuesOf(COUNT + first, COUNT + later)).toMatchObject(expected);
    });
  }

  for (const { why, first, later, reason } of [
    { why: 'the idle is gone', first: COUNT, later: '', reason: `${BARE}_count is gone from the page` },
    {
      why: 'the idle is NaN',
      first: COUNT,
      later: `${BARE}_count NaN\n`,
      reason: `${BARE}_count is gone from the page`,
    },
    {
      why: 'the Count became a ratio',
      first: COUNT,
      later: `${BARE}_count 0.5\n`,
      reason: `${BARE}_count = 0.5 is no Count of the idle`,
    },
    {
      why: 'the rate became a count',
      first: `${BARE}_total 0.5\n`,
      later: `${BARE}_total 5e9\n`,
      reason: `${BARE}_total = 5000000000 is no OneMinuteRate of the idle`,
    },
    {
      why: 'another broker answers',
      first: `${BARE}_count{node="a"} 5e12\n`,
      later: `${BARE}_count{node="b"} 5e12\n`,
      reason: `${BARE}_count{node="a"} is gone from the page`,
    },
    {
      why: 'two pools show up in the meter of one',
      first: `${BARE}_total 0.5\n`,
      later: `${BARE}_total 1.9\n`,
      reason: 'idle of 1.90: broker and controller share the meter (KAFKA-19606)',
    },
    {
      why: 'Count is gone, a rate is left: no silent change of the estimator',
      first: `${COUNT}${BARE}_total 0.5\n`,
      later: `${BARE}_total 0.5\n`,
      reason: `${BARE}_count is gone from the page`,
    },
  ]) {
    it(`is no look: ${why}`, () => {
      expect(read(first, later)).toEqual({ kind: 'failed', reason });
    });
  }

  it('reads a shared meter above 1 where the pool is known to be shared', () => {
    const text = `${COUNT}${POOL}_requesthandleravgidle_percent 1.9\n`;
    expect(valuesOf(text, text).idle).toMatchObject({ pool: 'sum of broker and controller', meanRate: 1.9 });
  });

  for (const { why, start, serverDateMs, ageMs } of [
    {
      why: "against the server's own clock",
      start: 'process_start_time_seconds 900\n',
      serverDateMs: 1_100_000,
      ageMs: 200_000,
    },
    {
      why: "against the run's clock without one",
      start: 'process_start_time_seconds 900\n',
      serverDateMs: null,
      ageMs: 100_000,
    },
    {
      why: 'from the JVM bean, ms',
      start: 'java_lang_runtime_starttime 900500\n',
      serverDateMs: null,
      ageMs: 99_500,
    },
    {
      why: 'from app-info, ms',
      start: 'kafka_server_app_info_StartTimeMs{id="1"} 900500\n',
      serverDateMs: null,
      ageMs: 99_500,
    },
    { why: 'never negative', start: 'process_start_time_seconds 9000\n', serverDateMs: null, ageMs: 0 },
    { why: 'unknown', start: '', serverDateMs: null, ageMs: null },
  ]) {
    it(`age of the process ${why}`, () => {
      expect(valuesOf(COUNT + start, COUNT + start, serverDateMs).idle).toMatchObject({
        processAgeMs: ageMs,
      });
    });
  }

  it('keeps cores in the order of shards, and wants them all', () => {
    const core = (shard: number, seconds: number) =>
      `redpanda_cpu_busy_seconds_total{shard="${shard}"} ${seconds}\n`;
    const first = core(10, 3) + core(2, 2) + core(0, 1);
    expect(valuesOf(first, first).idle).toEqual({ kind: 'cores', busySeconds: [1, 2, 3] });
    expect(read(first, core(0, 1))).toEqual({
      kind: 'failed',
      reason: 'redpanda_cpu_busy_seconds_total is there for 1 cores only',
    });
  });
});
