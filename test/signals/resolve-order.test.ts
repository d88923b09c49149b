import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confirmBySecondLook } from '../../src/signals/confirm-by-second-look.ts';
import type { Exposition, Sample } from '../../src/signals/exposition.ts';
import { type PageResolution, resolveSeries } from '../../src/signals/resolve-series.ts';
import { BARE, PLACE, pageOf, REPLICAS, samplePage, snapshotOf } from './sample-pages.ts';

const PAGES = [
  'confluent-jms-0.at-0s.txt',
  'cp-ansible-0.at-0s.txt',
  'cp-helm-1.at-0s.txt',
  'default-norules-1.at-0s.txt',
  'strimzi-jmx-1.at-0s.txt',
  'strimzi-smr.at-0s.txt',
].map((name) => samplePage(name));

/** Series that must change nothing: other topics, pools, requests, brokers' partitions. */
const NOISE = pageOf(
  [
    'kafka_server_brokertopicmetrics_bytesin_total{topic="x"} 1',
    'kafka_server_BrokerTopicMetrics_Count{name="BytesInPerSec",topic="x"} 2',
    'kafka_server_brokertopicmetrics_bytesinpersec{topic="x"} 3',
    'kafka_network_requestmetrics_totaltimems{request="Fetch",quantile="0.99"} 5',
    'kafka_network_RequestMetrics_99thPercentile{name="TotalTimeMs",request="Fetch"} 6',
    'kafka_server_ReplicaManager_Value{name="LeaderCount"} 7',
    'kafka_server_KafkaRequestHandlerPool_Count{name="ControlPlaneRequestHandlerAvgIdlePercent"} 8e12',
  ]
    .join('\n')
    .concat('\n'),
).samples;

function chosenOf({ chosen, idle }: PageResolution) {
  return {
    idle,
    series: [...chosen.values()].map(({ signal, series, value, how }) => ({ signal, series, value, how })),
  };
}

describe('what a page shows does not depend on where it shows it', () => {
  it('order of the lines and other series beside', () => {
    const shuffled = fc.constantFrom(...PAGES).chain((page) =>
      fc.tuple(fc.subarray([...NOISE]), fc.double({ min: 0, max: 1, noNaN: true })).chain(([noise]) =>
        fc
          .shuffledSubarray([...page.samples, ...noise], {
            minLength: page.samples.length + noise.length,
          })
          .map((samples): { page: Exposition; samples: readonly Sample[] } => ({ page, samples })),
      ),
    );
    fc.assert(
      fc.property(shuffled, ({ page, samples }) => {
        const plain = chosenOf(resolveSeries(page, PLACE));
        expect(chosenOf(resolveSeries({ ...page, samples }, PLACE))).toEqual(plain);
      }),
      { numRuns: 200 },
    );
  });
});

describe('confirmBySecondLook tells one pool from two', () => {
  const look = (countNs: number, atMs: number, scrapeMs: number) =>
    snapshotOf(`${REPLICAS}${BARE}_count ${Math.round(countNs)}\n`, atMs, scrapeMs);

  /** Idle ns that show between two looks: marks come up to a wait late at either end, values at any time in a look. */
  const looks = fc.record({
    apartMs: fc.integer({ min: 1000, max: 60_000 }),
    scrapeMs: fc.integer({ min: 0, max: 500 }),
    lateAtStart: fc.double({ min: 0, max: 0.3, noNaN: true }),
    lateAtEnd: fc.double({ min: 0, max: 0.3, noNaN: true }),
    shift: fc.double({ min: -0.5, max: 0.5, noNaN: true }),
    ratio: fc.double({ min: 0, max: 1, noNaN: true }),
  });

  it('never takes one for two', () => {
    fc.assert(
      fc.property(looks, ({ apartMs, scrapeMs, lateAtStart, lateAtEnd, shift, ratio }) => {
        const seconds = (apartMs + shift * scrapeMs) / 1000;
        const grown = Math.max(0, ratio * (seconds + lateAtStart - lateAtEnd)) * 1e9;
        const first = look(5e12, 0, scrapeMs);
        const resolution = resolveSeries(first.series, PLACE);
        const { idle } = confirmBySecondLook(resolution, first, look(5e12 + grown, apartMs, scrapeMs));
        expect(idle).toMatchObject({ pool: 'broker', isPoolSure: true });
      }),
    );
  });

  it('sees two idle pools in looks of a page that answers soon', () => {
    fc.assert(
      fc.property(looks, ({ apartMs, lateAtStart, lateAtEnd, ratio }) => {
        fc.pre(apartMs >= 1200);
        const idleRatio = 0.9 + ratio / 10;
        const grown = idleRatio * 2 * (apartMs / 1000 + lateAtStart - lateAtEnd) * 1e9;
        const first = look(5e12, 0, 20);
        const resolution = resolveSeries(first.series, PLACE);
        const { idle } = confirmBySecondLook(resolution, first, look(5e12 + grown, apartMs, 20));
        expect(idle).toMatchObject({ pool: 'sum of broker and controller', isPoolSure: true });
      }),
    );
  });
});
