import { cumulativeAt, levelAt } from '../boundary/cumulative-series.ts';
import { type LoadSchedule, scheduledMessages } from '../boundary/load-schedule.ts';
import type { ShardTick } from '../boundary/trial.ts';
import type { LaneSnapshot } from './producer-lane.ts';

/** What the child itself sees at a grid time; the lanes' statistics for the same instant come up to 1.1 s later. */
export interface GridSample {
  /** ms since the common start. */
  readonly elapsedMs: number;
  readonly accepted: number;
  readonly failed: number;
  readonly queueFull: number;
  readonly pacerLateMs: number;
  readonly loopLagMs: number;
  readonly cpuCores: number;
}

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
  for (const snapshots of lanes) {
    const ackedReadings = snapshots.map((one) => ({ atMs: one.atMs, count: one.acked }));
    const queuedReadings = snapshots.map((one) => ({ atMs: one.atMs, count: one.queued }));
    const ackedOfLane = cumulativeAt(ackedReadings, atMs, span);
    const queuedOfLane = levelAt(queuedReadings, atMs, span);
    if (ackedOfLane === null || queuedOfLane === null) return null;
    acked += ackedOfLane;
    queued += queuedOfLane;
  }
  const recent = lanes.flatMap((snapshots) =>
    snapshots.filter((one) => one.atMs > atMs - SECOND_MS && one.atMs <= atMs),
  );
  return {
    atMs: context.startRunMs + sample.elapsedMs,
    offered: scheduledMessages(context.schedule, sample.elapsedMs) * context.producers,
    accepted: sample.accepted,
    acked,
    failed: sample.failed,
    queued: Math.round(queued),
    queueFull: sample.queueFull,
    roundTripP99Ms: weightedRoundTrip(recent),
    throttleMs: recent.reduce((most, one) => Math.max(most, one.throttleMs), 0),
    pacerLateMs: sample.pacerLateMs,
    loopLagMs: sample.loopLagMs,
    cpuCores: sample.cpuCores,
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
