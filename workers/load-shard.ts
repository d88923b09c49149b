import type { ShardReport, ShardTick, Window } from '../boundary/trial.ts';
import { librdkafkaVersion } from '../src/kafka/rdkafka.ts';
import { allowedCores } from '../src/process/allowed-cores.ts';
import type { LoadJob } from '../src/queue/load-job.ts';
import { type AckTiming, openAckTiming } from './ack-latency.ts';
import { batchBytesOf, producerProperties, rotationRule } from './client-settings.ts';
import { GRID_MS, startGridSampler, sumOf } from './grid-sampler.ts';
import { machineNowMs } from './machine-clock.ts';
import { makeMessageSource } from './message-source.ts';
import { openLane, type ProducerLane } from './producer-lane.ts';
import { sendBySchedule } from './send-loop.ts';
import { type TickContext, tickAt } from './tick-series.ts';

/** How often lanes are asked what they have to tell; those that are timed are asked at every pass besides. */
const POLL_MS = 50;
/** Statistics come once a second; after the drain each lane gets a little more than that to bring its last ones. */
const LAST_STATISTICS_MS = 1_300;

/** The producers of one job, connected. */
export interface LoadShard {
  /** Sends by the schedule from `startAtMs` (run clock) on; resolves with the report after stop and drain. */
  run(
    startAtMs: number,
    onTick: (tick: ShardTick, phase: 'sending' | 'draining') => void,
  ): Promise<ShardReport>;
  /**
   * Ends sending now; what is queued is still drained.
   * @param window what was measured, of which the report tells the latencies; null when nothing was.
   */
  stop(window: Window | null): void;
}

/** Where and for whom a shard runs. */
export interface ShardPlace {
  readonly workerId: string;
  /** Run clock minus machine clock, ms. */
  readonly clockOffsetMs: number;
}

/** Connects all producers of a job at once. @throws PlimsollError BROKER_UNREACHABLE, CONFIG_INVALID */
export async function openShard(job: LoadJob, place: ShardPlace): Promise<LoadShard> {
  const acceptedByPartition = Array.from({ length: job.partitions }, () => 0);
  const errors: Record<string, number> = {};
  const timing = openAckTiming(job, () => machineNowMs() + place.clockOffsetMs);
  const lanes = await openLanes(job, timing, { acceptedByPartition, errors });
  const listener = setInterval(() => {
    for (const lane of lanes) lane.poll();
  }, POLL_MS);
  let window: Window | null = null;
  let isStopped = false;
  return {
    stop: (measured) => {
      window ??= measured;
      isStopped = true;
    },
    run: async (startAtMs, onTick) => {
      timing.startAt(startAtMs);
      const startMachineMs = startAtMs - place.clockOffsetMs;
      const load = { job, lanes, startAtMs, startMachineMs, isStopped: () => isStopped, onTick };
      const { startedLateMs, ticks } = await carryLoad(load);
      clearInterval(listener);
      const acceptedOfTimed = lanes.filter((lane) => lane.isTimed).map((lane) => lane.accepted);
      return {
        ...totals(lanes),
        ...identity(job, place),
        ...timing.report(window, acceptedOfTimed),
        startedLateMs,
        ticks,
        acceptedByPartition,
        errors,
      };
    },
  };
}

function openLanes(
  job: LoadJob,
  timing: AckTiming,
  counts: { readonly acceptedByPartition: number[]; readonly errors: Record<string, number> },
): Promise<ProducerLane[]> {
  const shared = {
    ...counts,
    client: producerProperties(job),
    topic: job.topic,
    schedule: job.schedule,
    rotation: rotationRule(job),
    producersOfTrial: job.producersOfTrial,
    source: makeMessageSource(job.messages, job.messageBytes, batchBytesOf(job.client), job.seed + job.shard),
    // Under the patience of the child, so that librdkafka's reason is told and not that time ran out.
    connectTimeoutMs: Math.ceil(job.startTimeoutMs * 0.8),
  };
  const open = (_: unknown, index: number) =>
    openLane({ ...shared, producer: job.firstProducer + index, onDelivered: timing.hookOf(index) });
  return Promise.all(Array.from({ length: job.producers }, open));
}

interface Load {
  readonly job: LoadJob;
  readonly lanes: readonly ProducerLane[];
  readonly startAtMs: number;
  readonly startMachineMs: number;
  readonly isStopped: () => boolean;
  readonly onTick: (tick: ShardTick, phase: 'sending' | 'draining') => void;
}

/** Sends, drains, and makes ticks of what the lanes' statistics bring meanwhile. */
async function carryLoad(load: Load): Promise<{ startedLateMs: number; ticks: readonly ShardTick[] }> {
  const { job, lanes, startMachineMs, onTick } = load;
  let stoppedAtMs: number | null = null;
  const context: TickContext = {
    schedule: job.schedule,
    producers: job.producers,
    startRunMs: load.startAtMs,
    startMachineMs,
    stopMachineMs: () => stoppedAtMs,
  };
  const ticks: ShardTick[] = [];
  const sampler = startGridSampler(lanes);
  const snapshots = lanes.map((lane) => lane.snapshots);
  const phase = () => (stoppedAtMs === null ? 'sending' : 'draining');
  const emitTicks = () => {
    for (let next = sampler.taken[ticks.length]; next; next = sampler.taken[ticks.length]) {
      const tick = tickAt(context, next, snapshots);
      if (!tick) return;
      ticks.push(tick);
      onTick(tick, phase());
    }
  };
  const ticker = setInterval(emitTicks, POLL_MS);
  const startedLateMs = await sendBySchedule({ ...load, ...context, sampler });
  stoppedAtMs = machineNowMs();
  // Draining brings no new ticks; the last one again is the sign of life.
  const pulse = setInterval(() => {
    const last = ticks.at(-1);
    if (last) onTick(last, phase());
  }, GRID_MS);
  await drain(lanes, job.drainTimeoutMs);
  clearInterval(pulse);
  clearInterval(ticker);
  emitTicks();
  return { startedLateMs, ticks };
}

function identity(job: LoadJob, place: ShardPlace) {
  const { shard, producers } = job;
  return { shard, workerId: place.workerId, producers, librdkafkaVersion, allowedCores: allowedCores() };
}

/**
 * Empties the queues, then waits for statistics from after that, which hold the final counts, and for the reports of timed
 * lanes: node-rdkafka hands over 100 of them a turn.
 */
async function drain(lanes: readonly ProducerLane[], timeoutMs: number): Promise<void> {
  await Promise.all(lanes.map((lane) => lane.drain(timeoutMs)));
  const drainedAtMs = machineNowMs();
  const isLate = () => machineNowMs() - drainedAtMs > LAST_STATISTICS_MS;
  const hasLast = (lane: ProducerLane) => (lane.snapshots.at(-1)?.atMs ?? 0) >= drainedAtMs;
  const isDone = (lane: ProducerLane) => hasLast(lane) && lane.unreported === 0;
  while (!lanes.every(isDone) && !isLate()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function totals(lanes: readonly ProducerLane[]) {
  const accepted = sumOf(lanes, (lane) => lane.accepted);
  const failed = sumOf(lanes, (lane) => lane.failed);
  const acked = sumOf(lanes, (lane) => lane.snapshots.at(-1)?.acked ?? 0);
  return { accepted, failed, acked, undelivered: accepted - failed - acked };
}
