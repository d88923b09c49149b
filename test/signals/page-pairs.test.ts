import { describe, expect, it } from 'vitest';
import type { BrokerReading } from '../../boundary/broker-reading.ts';
import { windowedIdle } from '../../boundary/idle/windowed-idle.ts';
import { meterGrowth } from '../../boundary/meter-growth.ts';
import { readValues } from '../../src/signals/broker-reading.ts';
import { confirmBySecondLook } from '../../src/signals/confirm-by-second-look.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import { PLACE, sampleText, snapshotOf } from './sample-pages.ts';

interface Truth {
  readonly brokerIdleRatio: number;
  readonly isrShrinksDelta: number;
  readonly underReplicatedPartitions: readonly [number, number];
  readonly bytesInPerSecond: number;
  readonly requestQueueSize: readonly [number, number];
}

const WINDOW = { startAtMs: 1_000_000, endAtMs: 1_030_000 };

function readPair(setUp: string): readonly [BrokerReading, BrokerReading] {
  const first = snapshotOf(sampleText(`${setUp}.at-0s.txt`), WINDOW.startAtMs);
  const second = snapshotOf(sampleText(`${setUp}.at-30s.txt`), WINDOW.endAtMs);
  const resolution = confirmBySecondLook(resolveSeries(first.series, PLACE), first, second);
  const [before, after] = [first, second].map((snapshot): BrokerReading => {
    const read = readValues(resolution, snapshot);
    if (read.kind === 'failed') throw new Error(read.reason);
    return { kind: 'reading', brokerId: 1, atMs: snapshot.atMs, scrapeMs: 0, ...read.values };
  });
  if (before === undefined || after === undefined) throw new Error('no pair');
  return [before, after];
}

function truthOf(setUp: string): Truth {
  return JSON.parse(sampleText(`${setUp}.expected.json`)) as Truth;
}

describe('a pair of pages with Count gives the exact idle, ISR shrinks and bytes of its window', () => {
  for (const { setUp, estimator } of [
    { setUp: 'confluent-jms-0', estimator: 'count over scrape time' },
    { setUp: 'cp-ansible-0', estimator: 'count over scrape time' },
    { setUp: 'default-norules-1', estimator: 'count, self-clocked' },
    { setUp: 'jmxexp-kafka-2_0_0-0', estimator: 'count, self-clocked' },
    { setUp: 'jmxexp-kafka-kraft-3_0_0-1', estimator: 'count, self-clocked' },
    { setUp: 'strimzi-jmx-1', estimator: 'count, self-clocked' },
    { setUp: 'strimzi-smr', estimator: 'count over scrape time' },
  ]) {
    it(setUp, () => {
      const pair = readPair(setUp);
      const truth = truthOf(setUp);
      const idle = windowedIdle(pair, WINDOW);
      expect(idle?.estimator).toBe(estimator);
      expect(idle?.low).toBeLessThanOrEqual(truth.brokerIdleRatio);
      expect(idle?.high).toBeGreaterThanOrEqual(truth.brokerIdleRatio);
      expect(Math.abs((idle?.ratio ?? Number.NaN) - truth.brokerIdleRatio)).toBeLessThan(1e-9);

      const shrinks = meterGrowth(pair, WINDOW, ({ isrShrinks }) => isrShrinks);
      expect(shrinks).toMatchObject({ events: truth.isrShrinksDelta, isExact: true });
      const bytes = meterGrowth(pair, WINDOW, ({ bytesIn }) => bytesIn);
      // The pages hold whole bytes.
      expect((bytes?.events ?? 0) / 30).toBeCloseTo(truth.bytesInPerSecond, 0);
      expect(pair.map((reading) => reading.underReplicatedPartitions)).toEqual(
        truth.underReplicatedPartitions,
      );
      expect(pair.map((reading) => reading.requestQueueSize)).toEqual(truth.requestQueueSize);
    });
  }
});

it('a pair with the one-minute rate alone gives an idle within its error (cp-helm)', () => {
  const pair = readPair('cp-helm-1');
  const truth = truthOf('cp-helm-1');
  const idle = windowedIdle(pair, WINDOW);
  expect(idle?.estimator).toBe('one-minute rate, inverted');
  expect(idle?.ratio).toBeCloseTo(truth.brokerIdleRatio, 6);
  expect(idle?.low).toBeLessThanOrEqual(truth.brokerIdleRatio);
  expect(idle?.high).toBeGreaterThanOrEqual(truth.brokerIdleRatio);
  expect(pair.map((reading) => reading.underReplicatedPartitions)).toEqual(truth.underReplicatedPartitions);
  expect(pair[1].isrShrinks).toEqual({ count: null, oneMinuteRate: 0.012 });
  expect(pair[1].bytesIn).toEqual({ count: null, oneMinuteRate: 29432255.734289326 });
});
