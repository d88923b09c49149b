import { describe, expect, it } from 'vitest';
import type { BoundaryPoint, HoldResult } from '../../boundary/boundary-point.ts';
import { findFormerRun, formerLimits } from '../../src/controller/former-run.ts';
import type { RunCluster } from '../../src/store/stored-run.ts';
import { sampleRun } from '../store/sample-trial.ts';
import { useTemporaryStores } from '../store/temporary-stores.ts';
import { sampleBound, samplePoint } from './sample-point.ts';

const stores = useTemporaryStores();

const CLUSTER: RunCluster = {
  bootstrap: ['a:1'],
  brokerAddresses: ['a:1', 'b:2'],
  clusterId: null,
  brokerIds: [1, 2],
  kafkaVersion: null,
};

const DROPPED: HoldResult = {
  plannedSeconds: 600,
  lasted: sampleBound(1_300),
  drops: [{ messagesPerSecond: 1_500, afterSeconds: 220, rule: 'request-handler idle' }],
};

describe('formerLimits', () => {
  const cases: readonly { why: string; point: Partial<BoundaryPoint>; limit: object | null }[] = [
    { why: 'estimate and interval', point: {}, limit: { estimate: 2_000, low: 1_920, high: 2_080 } },
    {
      why: 'bisection: the middle of its bounds, since its estimate is the lower one',
      point: { estimate: 1_600, interval: null, lower: sampleBound(1_600), upper: sampleBound(2_500) },
      limit: { estimate: 2_000, low: 1_600, high: 2_500 },
    },
    {
      why: 'wide is still two-sided',
      point: { quality: 'wide' },
      limit: { estimate: 2_000, low: 1_920, high: 2_080 },
    },
    {
      why: 'dropped in a hold: the limit of a load that lasts, not of a fresh cluster',
      point: {
        quality: 'wide',
        hold: {
          plannedSeconds: 600,
          lasted: sampleBound(1_900),
          drops: [{ messagesPerSecond: 2_100, afterSeconds: 60, rule: 'request-handler idle' }],
        },
      },
      limit: null,
    },
    {
      why: 'held throughout: a fresh cluster takes it too',
      point: { hold: { plannedSeconds: 600, lasted: sampleBound(1_900), drops: [] } },
      limit: { estimate: 2_000, low: 1_920, high: 2_080 },
    },
    { why: 'at least: nothing above', point: { quality: 'at least' }, limit: null },
    { why: 'at most: nothing below', point: { quality: 'at most' }, limit: null },
    { why: 'nothing found', point: { estimate: null, interval: null }, limit: null },
    {
      why: 'no bound: the interval is a guess',
      point: { quality: 'wide', lower: null, upper: null },
      limit: null,
    },
    { why: 'one bound without an interval', point: { interval: null, upper: null }, limit: null },
    {
      why: 'a hold that dropped: what was found before it, which a search finds again',
      point: {
        estimate: 1_400,
        interval: null,
        lower: sampleBound(1_300),
        upper: sampleBound(1_500),
        quality: 'wide',
        hold: { ...DROPPED, fresh: samplePoint() },
      },
      limit: { estimate: 2_000, low: 1_920, high: 2_080 },
    },
    {
      why: 'a hold that dropped, of a program that did not keep what was before',
      point: { interval: null, hold: DROPPED },
      limit: null,
    },
    {
      why: 'a hold that lasted',
      point: { hold: { ...DROPPED, drops: [] } },
      limit: { estimate: 2_000, low: 1_920, high: 2_080 },
    },
    { why: 'an interval the wrong way round', point: { interval: { low: 2_080, high: 1_920 } }, limit: null },
    { why: 'an estimate outside its interval', point: { estimate: 1_000 }, limit: null },
    { why: 'less than nothing', point: { estimate: -1, interval: { low: -2, high: -1 } }, limit: null },
    {
      why: 'bounds that contradict each other',
      point: { interval: null, quality: 'unstable', lower: sampleBound(2_100), upper: sampleBound(1_900) },
      limit: null,
    },
  ];
  it.each(cases)('$why', ({ point, limit }) => {
    expect(formerLimits([samplePoint(point)])).toEqual(
      limit === null ? [] : [{ messageBytes: 1_000, ...limit }],
    );
  });
});

describe('findFormerRun', () => {
  const setUp = () => {
    let now = 0;
    const store = stores.open({ nowMs: () => ++now });
    const add = (
      cluster: RunCluster,
      points: readonly BoundaryPoint[],
      status: 'finished' | 'failed' = 'finished',
    ) => {
      const runId = store.createRun({ ...sampleRun(), cluster });
      for (const point of points) store.savePoint(runId, point);
      store.endRun(runId, status);
      return runId;
    };
    return { store, add };
  };

  it('takes the latest finished run of the cluster that found a limit', () => {
    const { store, add } = setUp();
    add(CLUSTER, [samplePoint({ estimate: 1_000, interval: { low: 990, high: 1_010 } })]);
    const wanted = add(CLUSTER, [samplePoint()]);
    add({ ...CLUSTER, brokerAddresses: ['c:1', 'b:2'] }, [samplePoint()]);
    add(CLUSTER, [samplePoint({ quality: 'at least' })]);
    add(CLUSTER, [samplePoint()], 'failed');
    expect(findFormerRun(store, 'last', CLUSTER)).toMatchObject({
      run: { runId: wanted },
      limits: [{ messageBytes: 1_000, estimate: 2_000 }],
    });
  });

  it('takes a run by its id whatever its addresses were, also one that was cut off', () => {
    const { store, add } = setUp();
    const runId = add({ ...CLUSTER, brokerAddresses: ['a:91', 'b:92'] }, [samplePoint()], 'failed');
    expect(findFormerRun(store, runId, CLUSTER).limits).toEqual([
      { messageBytes: 1_000, estimate: 2_000, low: 1_920, high: 2_080 },
    ]);
  });

  it.each([
    {
      why: 'other brokers',
      cluster: { ...CLUSTER, brokerIds: [1, 2, 3] },
      points: [samplePoint()],
      line: /brokers 1, 2, 3, the cluster has 1, 2: name a run of this cluster/,
    },
    {
      why: 'another cluster of the same broker ids, such as a simulated one',
      cluster: { ...CLUSTER, clusterId: 'simulated:x.yaml' },
      points: [samplePoint()],
      line: /measured another cluster/,
    },
    { why: 'nothing found', cluster: CLUSTER, points: [], line: /no limit that a rerun can check/ },
  ])('refuses a run with $why', ({ cluster, points, line }) => {
    const { store, add } = setUp();
    const runId = add(cluster, points);
    expect(() => findFormerRun(store, runId, CLUSTER)).toThrow(line);
  });

  it('says so when there is no run, or not that one', () => {
    const { store } = setUp();
    expect(() => findFormerRun(store, 'last', CLUSTER)).toThrow(/no finished run of this cluster/);
    expect(() => findFormerRun(store, '20000101-000000-abc', CLUSTER)).toThrow(/there is no run 20000101/);
  });
});
