import { cumulativeAt, levelAt } from '../boundary/cumulative-series.ts';
import { type LoadSchedule, scheduledMessages } from '../boundary/load-schedule.ts';
import type { ShardTick } from '../boundary/trial.ts';
import type { GridSample } from './grid-sampler.ts';
import type { LaneSnapshot } from './lane-snapshots.ts';

export interface TickContext {
  readonly schedule: LoadSchedule;
  readonly producers: number;
  /** Common start on the machine's clock and on the run's. */
  readonly startMachineMs: number;
  readonly startRunMs: number;
  /** When sending ended, on the machine's clock; null while it goes on. */
  readonly stopMachineMs: () => number | null;
}

const SECOND_MS = 1_000;

/**
 * Makes the tick of a grid time by interpolating each lane's acknowledgements between its statistics snapshots,
 * which come at every lane's own second.
 * @returns null while some lane has no snapshot as late as the grid time.
 */
export function tickAt(
  context: TickContext,
  sample: GridSample,
  lanes: readonly (readonly LaneSnapshot[])[],
): ShardTick | null {
  const atMs = context.startMachineMs + sample.elapsedMs;
  if (lanes.some((snapshots) => (snapshots.at(-1)?.atMs ?? 0) < atMs)) return null;
  const span = { startMs: context.startMachineMs, stopMs: context.stopMachineMs() };
  let acked = 0;
  let queued = 0;
  let sentBytes = 0;
  for (const snapshots of lanes) {
    const series = (of: (one: LaneSnapshot) => number) =>
      snapshots.map((one) => ({ atMs: one.atMs, count: of(one) }));
    const ackedOfLane = cumulativeAt(
      series((one) => one.acked),
      atMs,
      span,
    );
    const sentOfLane = cumulativeAt(
      series((one) => one.sentBytes),
      atMs,
      span,
    );
    const queuedOfLane = levelAt(
      series((one) => one.queued),
      atMs,
      span,
    );
    if (ackedOfLane === null || sentOfLane === null || queuedOfLane === null) return null;
    acked += ackedOfLane;
    queued += queuedOfLane;
    sentBytes += sentOfLane;
  }
  const recent = lanes.flatMap((snapshots) =>
    snapshots.filter((one) => one.atMs > atMs - SECOND_MS && one.atMs <= atMs),
  );
  const { elapsedMs, ...seen } = sample;
  return {
    ...seen,
    atMs: context.startRunMs + elapsedMs,
    offered: scheduledMessages(context.schedule, elapsedMs) * context.producers,
    acked,
    queued: Math.round(queued),
    sentBytes,
    roundTripP99Ms: weightedRoundTrip(recent),
    throttleMs: recent.reduce((most, one) => Math.max(most, one.throttleMs), 0),
  };
}

/** Mean of the brokers' p99 weighted by round trips, ms; null without any. */
export function weightedRoundTrip(snapshots: readonly LaneSnapshot[]): number | null {
  let weight = 0;
  let sum = 0;
  for (const { count, p99Ms } of snapshots.flatMap((one) => one.roundTrips)) {
    weight += count;
    sum += count * p99Ms;
  }
  return weight === 0 ? null : sum / weight;
}
