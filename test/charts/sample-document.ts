import type { BoundaryPoint, LoadBound, PointQuality } from '../../boundary/boundary-point.ts';
import { METHOD_VERSION, type RunDocument, type TrialRecord } from '../../boundary/run-document.ts';
import { DEFAULT_THRESHOLDS, type Verdict } from '../../boundary/verdict.ts';

const STARTED_AT_MS = Date.UTC(2026, 2, 1, 14, 5);

/** A bound at a rate, with np 50 at the boundary. */
export function bound(messagesPerSecond: number, np = 50): LoadBound {
  return { np, unitRate: messagesPerSecond / np, messagesPerSecond, trials: 2 };
}

/** A point with the given bounds in messages per second. */
export function point(
  messageBytes: number,
  lower: number | null,
  upper: number | null,
  quality: PointQuality = 'converged',
): BoundaryPoint {
  return {
    messageBytes,
    estimate: lower,
    interval: null,
    lower: lower === null ? null : bound(lower),
    upper: upper === null ? null : bound(upper, 53),
    quality,
    limit: upper === null ? null : { rule: 'request-handler idle', brokerId: 2 },
    notes: quality === 'converged' ? [] : [`The point is ${quality}.`],
    trials: 9,
    seconds: 214,
  };
}

/** A point of the adaptive search: an estimate with its interval of `halfWidth` in ln(load), and bounds about it. */
export function estimatedPoint(
  messageBytes: number,
  estimate: number,
  halfWidth = 0.04,
  changes: Partial<BoundaryPoint> = {},
): BoundaryPoint {
  return {
    ...point(messageBytes, estimate * 0.93, estimate * 1.06),
    estimate,
    interval: { low: estimate * Math.exp(-halfWidth), high: estimate * Math.exp(halfWidth) },
    trials: 4,
    ...changes,
  };
}

const sustained = (ratio: number): Verdict => ({
  kind: 'sustained',
  worst: {
    brokerId: 2,
    idle: { ratio, low: ratio - 0.01, high: ratio + 0.01, estimator: 'count, self-clocked' },
  },
});

const overloaded = (value: number): Verdict => ({
  kind: 'overloaded',
  rule: 'request-handler idle',
  brokerId: 2,
  value,
  limit: 0.2,
  detail: `broker 2 idle ${value.toFixed(3)}, under 0.2`,
});

/** A finished trial; its verdict follows from the idle ratio unless one is given. */
export function trial(
  sequence: number,
  messageBytes: number,
  np: number,
  unitRate: number,
  worstIdle: number,
  verdict: Verdict = worstIdle < 0.2 ? overloaded(worstIdle) : sustained(worstIdle),
): TrialRecord {
  return {
    sequence,
    plan: {
      trialId: `t${sequence}`,
      messageBytes,
      np,
      unitRate,
      warmUpMs: 3_000,
      windowMs: 15_000,
      purpose: sequence < 4 ? 'gallop' : 'bisect',
    },
    verdict,
    startedAtMs: STARTED_AT_MS + sequence * 25_000,
    endedAtMs: STARTED_AT_MS + sequence * 25_000 + 22_000,
    windowSeconds: 15,
    offeredPerSecond: np * unitRate,
    acceptedPerSecond: np * unitRate,
    ackedPerSecond: np * unitRate * 0.998,
    bytesInPerSecond: np * unitRate * messageBytes * 1.02,
    idleByBroker: { '1': worstIdle + 0.11, '2': worstIdle, '3': worstIdle + 0.06 },
    isrChurnShare: 0,
    roundTripP99Ms: 14.2,
    generatorCpuCores: 0.42,
    scrapeMs: 18,
  };
}

/** The trials of a search that ends between np 50 and np 53 at `rate` messages per second for np = 50. */
export function searchTrials(firstSequence: number, messageBytes: number, rate: number): TrialRecord[] {
  const unit = rate / 50;
  const steps: [np: number, idle: number][] = [
    [16, 0.71],
    [32, 0.48],
    [64, 0.06],
    [48, 0.26],
    [56, 0.13],
    [52, 0.21],
    [53, 0.187],
    [50, 0.232],
    [53, 0.191],
  ];
  return steps.map(([np, idle], index) => trial(firstSequence + index, messageBytes, np, unit, idle));
}

/** A run document around the given points. */
export function sampleDocument(
  points: readonly BoundaryPoint[] = [
    point(100, 10_700, 11_300),
    point(1_000, 4_000, 4_230),
    point(10_000, 2_000, 2_110),
  ],
  trials: readonly TrialRecord[] = [
    ...searchTrials(1, 100, 10_700),
    ...searchTrials(10, 1_000, 4_000),
    ...searchTrials(19, 10_000, 2_000),
    trial(28, 10_000, 52, 40, 0.31, {
      kind: 'invalid',
      reason: 'generator-limited',
      detail: 'shard 2 used 1.0 cores of 1 and fell 340 ms behind; start more workers',
    }),
  ],
): RunDocument {
  return {
    format: 'plimsoll-curve/1',
    methodVersion: METHOD_VERSION,
    run: {
      runId: 'run-20260301-1405',
      status: 'finished',
      startedAtMs: STARTED_AT_MS,
      finishedAtMs: STARTED_AT_MS + 642_000,
      error: null,
    },
    cluster: { brokerIds: [1, 2, 3], kafkaVersion: '4.4.0' },
    signals: { source: 'scrape', idle: 'idle by Count, clocked by the page itself: exact' },
    thresholds: DEFAULT_THRESHOLDS,
    configuration: {
      strategy: 'bisection',
      confirm: 1,
      messageBytes: [100, 1_000, 10_000],
      bootstrapServers: '127.0.0.1:19092,127.0.0.1:19093,127.0.0.1:19094',
      'sasl.password': '***',
      producer: { acks: 'all', lingerMs: 5, compression: 'none' },
    },
    environment: { node: 'v20.20.2', librdkafka: '2.12.0', cpu: '2 x Example 3.0 GHz', os: 'linux x64' },
    points,
    trials,
  };
}
