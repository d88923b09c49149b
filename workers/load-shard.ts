import { monitorEventLoopDelay } from 'node:perf_hooks';
import { scheduleMs } from '../boundary/load-schedule.ts';
import type { ShardReport, ShardTick } from '../boundary/trial.ts';
import { librdkafkaVersion } from '../src/kafka/rdkafka.ts';
import type { LoadJob } from '../src/queue/load-job.ts';
import { batchBytesOf, producerProperties, rotationRule } from './client-settings.ts';
import { machineNowMs } from './machine-clock.ts';
import { makePayloadPool } from './payload-pool.ts';
import { openLane, type ProducerLane } from './producer-lane.ts';
import { type GridSample, type TickContext, tickAt } from './tick-series.ts';

const PASS_MS = 2;
const GRID_MS = 1_000;
const LOOP_RESOLUTION_MS = 10;
/** Statistics come once a second; after the drain each lane gets a little more than that to bring its last ones. */
const LAST_STATISTICS_MS = 1_300;

/** The producers of one job, connected. */
export interface LoadShard {
  /** Sends by the schedule from `startAtMs` (run clock) on; resolves with the report after stop and drain. */
  run(
    startAtMs: number,
    onTick: (tick: ShardTick, phase: 'sending' | 'draining') => void,
  ): Promise<ShardReport>;
  /** Ends sending now; what is queued is still drained. */
  stop(): void;
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
  const shared = {
    client: producerProperties(job),
    topic: job.topic,
    messageBytes: job.messageBytes,
    schedule: job.schedule,
    rotation: rotationRule(job),
    producersOfTrial: job.producersOfTrial,
    payload: makePayloadPool(job.messageBytes, batchBytesOf(job.client), job.seed + job.shard),
    // Under the patience of the child, so that librdkafka's reason is told and not that time ran out.
    connectTimeoutMs: Math.ceil(job.startTimeoutMs * 0.8),
    acceptedByPartition,
    errors,
  };
  const numbers = Array.from({ length: job.producers }, (_, index) => job.firstProducer + index);
  const lanes = await Promise.all(numbers.map((producer) => openLane({ ...shared, producer })));
  let isStopped = false;
  return {
    stop: () => {
      isStopped = true;
    },
    run: async (startAtMs, onTick) => {
      const startMachineMs = startAtMs - place.clockOffsetMs;
      const load = { job, lanes, startAtMs, startMachineMs, isStopped: () => isStopped, onTick };
      const { startedLateMs, ticks } = await carryLoad(load);
      return { ...totals(lanes), ...identity(job, place), startedLateMs, ticks, acceptedByPartition, errors };
    },
  };
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
  const sampler = makeSampler(lanes);
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
  const ticker = setInterval(emitTicks, 50);
  const startedLateMs = await sendBySchedule(job, lanes, context, sampler, load.isStopped);
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
  return { shard: job.shard, workerId: place.workerId, producers: job.producers, librdkafkaVersion };
}

/** The 2 ms loop. Resolves at the end of the schedule or at the stop, with the lateness of the first pass. */
function sendBySchedule(
  job: LoadJob,
  lanes: readonly ProducerLane[],
  context: TickContext,
  sampler: Sampler,
  isStopped: () => boolean,
): Promise<number> {
  const totalMs = scheduleMs(job.schedule);
  let startedLateMs: number | null = null;
  let lastMs = 0;
  return new Promise((resolve) => {
    const pass = () => {
      const elapsedMs = machineNowMs() - context.startMachineMs;
      if (isStopped()) {
        resolve(startedLateMs ?? 0);
        return;
      }
      if (elapsedMs < 0) {
        setTimeout(pass, elapsedMs < -50 ? Math.min(-elapsedMs - 30, 200) : PASS_MS);
        return;
      }
      sampler.sample(Math.min(elapsedMs, totalMs));
      if (startedLateMs === null) startedLateMs = elapsedMs;
      else sampler.noteLate(elapsedMs - lastMs - PASS_MS);
      lastMs = elapsedMs;
      const sendMs = Math.min(elapsedMs, totalMs);
      for (const lane of lanes) {
        lane.send(sendMs);
        sampler.noteLate(lane.lateMs(sendMs));
      }
      if (elapsedMs >= totalMs) resolve(startedLateMs);
      else setTimeout(pass, PASS_MS);
    };
    pass();
  });
}

interface Sampler {
  /** Samples taken so far; index k is the grid time k x 1000 ms. */
  readonly taken: readonly GridSample[];
  /** Takes the samples that are due at `elapsedMs`. */
  sample(elapsedMs: number): void;
  noteLate(lateMs: number): void;
}

function makeSampler(lanes: readonly ProducerLane[]): Sampler {
  const taken: GridSample[] = [];
  // The histogram holds whole intervals of its own timer, so the resolution is taken off again.
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  let lateMs = 0;
  let cpu = process.cpuUsage();
  let sinceMs = machineNowMs();
  return {
    taken,
    noteLate: (value) => {
      lateMs = Math.max(lateMs, value);
    },
    sample: (elapsedMs) => {
      while (taken.length * GRID_MS <= elapsedMs) {
        const nowMs = machineNowMs();
        const used = process.cpuUsage(cpu);
        taken.push({
          elapsedMs: taken.length * GRID_MS,
          accepted: sum(lanes, (lane) => lane.accepted),
          failed: sum(lanes, (lane) => lane.failed),
          queueFull: sum(lanes, (lane) => lane.queueFull),
          pacerLateMs: lateMs,
          loopLagMs: Math.max(0, loop.max / 1e6 - LOOP_RESOLUTION_MS),
          cpuCores: (used.user + used.system) / 1_000 / Math.max(1, nowMs - sinceMs),
        });
        cpu = process.cpuUsage();
        sinceMs = nowMs;
        lateMs = 0;
        loop.reset();
      }
    },
  };
}

/** Empties the queues, then waits for statistics from after that, which hold the final counts. */
async function drain(lanes: readonly ProducerLane[], timeoutMs: number): Promise<void> {
  await Promise.all(lanes.map((lane) => lane.drain(timeoutMs)));
  const drainedAtMs = machineNowMs();
  const isLate = () => machineNowMs() - drainedAtMs > LAST_STATISTICS_MS;
  const hasLast = (lane: ProducerLane) => (lane.snapshots.at(-1)?.atMs ?? 0) >= drainedAtMs;
  while (!lanes.every(hasLast) && !isLate()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function totals(lanes: readonly ProducerLane[]) {
  const accepted = sum(lanes, (lane) => lane.accepted);
  const failed = sum(lanes, (lane) => lane.failed);
  const acked = sum(lanes, (lane) => lane.snapshots.at(-1)?.acked ?? 0);
  return { accepted, failed, acked, undelivered: accepted - failed - acked };
}

function sum(lanes: readonly ProducerLane[], of: (lane: ProducerLane) => number): number {
  return lanes.reduce((total, lane) => total + of(lane), 0);
}
