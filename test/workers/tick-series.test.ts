import { describe, expect, it } from 'vitest';
import type { LaneSnapshot } from '../../workers/lane-snapshots.ts';
import { tickAt, weightedRoundTrip } from '../../workers/tick-series.ts';

const snapshot = (atMs: number, acked: number, queued = 0, roundTrips: LaneSnapshot['roundTrips'] = []) => ({
  atMs,
  acked,
  queued,
  roundTrips,
  clockUs: 0,
  enqueued: acked + queued,
  batchBytes: 0,
  sentBytes: 1_000 * acked,
  throttleMs: 0,
});
const context = {
  schedule: [{ durationMs: 5_000, unitRate: 100 }],
  producers: 2,
  startMachineMs: 10_000,
  startRunMs: 1_700_000_000_000,
  stopMachineMs: () => null,
};
const sample = {
  elapsedMs: 2_000,
  accepted: 399,
  failed: 1,
  queueFull: 0,
  pacerLateMs: 3,
  loopLagMs: 2,
  cpuCores: 0.1,
};

describe('tickAt', () => {
  const early = [snapshot(11_200, 120), snapshot(12_200, 220, 10)];
  const late = [snapshot(10_700, 70), snapshot(11_700, 170), snapshot(12_700, 270)];

  it('waits until every lane has a snapshot as late as the grid time', () => {
    expect(tickAt(context, sample, [early, late.slice(0, 2)])).toBeNull();
  });

  it('interpolates every lane to the same instant', () => {
    expect(tickAt(context, sample, [early, late])).toMatchObject({
      atMs: 1_700_000_002_000,
      offered: 400,
      accepted: 399,
      acked: 400,
      failed: 1,
      queued: 8,
      sentBytes: 400_000,
    });
  });
});

describe('weightedRoundTrip', () => {
  it('weighs by round trips and is null without any', () => {
    const trips = (count: number, p99Ms: number) => snapshot(0, 0, 0, [{ count, p99Ms }]);
    expect(weightedRoundTrip([trips(3, 10), trips(1, 50)])).toBe(20);
    expect(weightedRoundTrip([snapshot(0, 0)])).toBeNull();
  });
});
