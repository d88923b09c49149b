import { setTimeout as sleep } from 'node:timers/promises';
import type { CapacityRate } from '../boundary/fleet-capacity.ts';
import type { LoadSchedule } from '../boundary/load-schedule.ts';
import { openCpuMeter } from './cpu-meter.ts';
import { openClientRig, openIdleRig, RIG_PRODUCERS, soonMs } from './generator-rig.ts';
import { machineNowMs } from './machine-clock.ts';
import { type OwnCpu, openOwnCpu } from './own-cpu.ts';

/** Sizes at which a worker measures itself, bytes of a message's value. */
export const CALIBRATED_SIZES = [100, 1_000, 10_000, 100_000, 1_000_000] as const;

/** What is measured: all that a trial's producers do, or the generator without Kafka's client. */
export type CalibrationKind = 'client' | 'generator';

/** Each step doubles the load; the first is light for any machine, the last beyond any. */
const STEP_MS = 70;
const STEPS = 14;
const FIRST_MESSAGES_PER_SECOND = 8_000;
const FIRST_BYTES_PER_SECOND = 40_000_000;

/** A step that takes this much of a core is the last one; not an early one, in which connecting may still cost. */
const TELLING_CORES = 0.5;
const LEAST_STEPS = 4;

/** Threads that wait this much for a core, or a machine with so little idle time: doing nothing is not having nothing to do. */
const HELD_BACK_RATIO = 0.2;
const FULL_IDLE_RATIO = 0.1;

/** Queues are empty when this little CPU is used; looked at this often, for so long at most. */
const QUIET_CORES = 0.15;
const QUIET_LOOK_MS = 20;
const QUIET_PATIENCE_MS = 1_500;

/**
 * Measures in this process what its generator offers with one core: messages over CPU-seconds of its own threads, up to a
 * load that takes about half a core. CPU and not time is counted, so a machine that does other things meanwhile, a quota, or
 * one core for all threads does not change the figure much. Takes about a second for each size.
 */
export async function measureRates(kind: CalibrationKind): Promise<CapacityRate[]> {
  // The first load pays for what is compiled on the way.
  await measureSize(kind, CALIBRATED_SIZES[0]);
  const measured: Measured[] = [];
  for (const messageBytes of CALIBRATED_SIZES) measured.push(await measureSize(kind, messageBytes));
  return Promise.all(
    measured.map(async ({ messageBytes, cpuSeconds, messages }) => ({
      messageBytes,
      messagesPerSecond: (await messages) / cpuSeconds,
    })),
  );
}

interface Measured {
  readonly messageBytes: number;
  readonly cpuSeconds: number;
  /** Known with the last statistics, up to a second after the load: the next size does not wait for it. */
  readonly messages: Promise<number>;
}

async function measureSize(kind: CalibrationKind, messageBytes: number): Promise<Measured> {
  const order = { messageBytes, schedule: rampOf(messageBytes) };
  const rig = kind === 'client' ? await openClientRig(order) : openIdleRig(order);
  const cpu = openOwnCpu();
  const meter = openCpuMeter();
  const startAtMs = soonMs();
  const beforeMs = cpu.readMs();
  const messages = rig.run(startAtMs);
  // It is awaited later, when it may have failed long ago.
  messages.catch(() => {});
  await climb(startAtMs, cpu);
  rig.stop();
  const { hostIdleRatio = 0, cpuWaitRatio = 0 } = meter.read();
  const isRoomy = hostIdleRatio >= FULL_IDLE_RATIO && cpuWaitRatio < HELD_BACK_RATIO;
  await (isRoomy ? untilQuiet(cpu) : messages);
  return { messageBytes, cpuSeconds: (cpu.readMs() - beforeMs) / 1_000, messages };
}

interface CpuMark {
  readonly atMs: number;
  readonly cpuMs: number;
}

/** Waits step by step until one takes enough of a core, or all are over: a machine with a small quota never gets there. */
async function climb(startAtMs: number, cpu: OwnCpu): Promise<void> {
  let last = await markAt(startAtMs, cpu);
  for (let step = 1; step <= STEPS; step++) {
    const now = await markAt(startAtMs + step * STEP_MS, cpu);
    if (step >= LEAST_STEPS && coresBetween(last, now) >= TELLING_CORES) return;
    last = now;
  }
}

async function untilQuiet(cpu: OwnCpu): Promise<void> {
  const untilMs = machineNowMs() + QUIET_PATIENCE_MS;
  let last = await markAt(0, cpu);
  while (last.atMs < untilMs) {
    const now = await markAt(last.atMs + QUIET_LOOK_MS, cpu);
    if (coresBetween(last, now) < QUIET_CORES) return;
    last = now;
  }
}

async function markAt(atMs: number, cpu: OwnCpu): Promise<CpuMark> {
  await sleep(Math.max(0, atMs - machineNowMs()));
  return { atMs: machineNowMs(), cpuMs: cpu.readMs() };
}

function coresBetween(from: CpuMark, to: CpuMark): number {
  return (to.cpuMs - from.cpuMs) / (to.atMs - from.atMs);
}

/** The load that a calibration climbs, per producer. */
export function rampOf(messageBytes: number): LoadSchedule {
  const first = Math.min(FIRST_MESSAGES_PER_SECOND, FIRST_BYTES_PER_SECOND / messageBytes);
  return Array.from({ length: STEPS }, (_, step) => ({
    durationMs: STEP_MS,
    unitRate: (first * 2 ** step) / RIG_PRODUCERS,
  }));
}
