import { setTimeout as sleep } from 'node:timers/promises';
import type { CapacityRate } from '../boundary/fleet-capacity.ts';
import { type LoadSchedule, scheduledMessages } from '../boundary/load-schedule.ts';
import { openCpuMeter } from './cpu-meter.ts';
import { openClientRig, openIdleRig, RIG_PRODUCERS, soonMs } from './generator-rig.ts';
import { machineNowMs } from './machine-clock.ts';
import { type OwnCpu, openOwnCpu } from './own-cpu.ts';

/** Sizes at which a worker measures itself, bytes of a message's value. */
export const CALIBRATED_SIZES = [100, 1_000, 10_000, 100_000, 1_000_000] as const;

/** What is measured: all that a trial's producers do, or the generator without Kafka's client. */
export type CalibrationKind = 'client' | 'generator';

/** Each step doubles the load; the first is light for any machine, the last beyond any. */
const STEP_MS = 80;
const STEPS = 14;
const FIRST_MESSAGES_PER_SECOND = 8_000;
const FIRST_BYTES_PER_SECOND = 40_000_000;

/** A step that takes this much of a core is telling ... */
const TELLING_CORES = 0.4;
/** ... and so is one that leaves a thread no time, on a machine that gives less. */
const TELLING_BUSY_RATIO = 0.9;

/** Queues are empty when this little CPU is used; looked at this often, for so long at most. */
const QUIET_CORES = 0.15;
const QUIET_LOOK_MS = 20;
const QUIET_PATIENCE_MS = 1_500;

/**
 * Measures in this process what its generator offers with one core: messages over CPU-seconds of its own threads, at a load
 * that takes about half a core. CPU and not time is counted, so a machine that does other things meanwhile, or one core
 * for all threads, does not change the figure much. Takes about a second for each size.
 */
export async function measureRates(kind: CalibrationKind): Promise<CapacityRate[]> {
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
  const startAtMs = soonMs();
  const total = rig.run(startAtMs);
  // It is awaited later, when it may have failed long ago.
  total.catch(() => {});
  const mark = await climb(startAtMs, cpu);
  rig.stop();
  await untilQuiet(cpu);
  const before = RIG_PRODUCERS * scheduledMessages(order.schedule, mark.atMs - startAtMs);
  return {
    messageBytes,
    cpuSeconds: (cpu.readMs() - mark.cpuMs) / 1_000,
    messages: total.then((messages) => messages - before),
  };
}

interface CpuMark {
  readonly atMs: number;
  readonly cpuMs: number;
}

/** Waits step by step until one is telling. @returns the start of the step before it: three quarters of all messages follow. */
async function climb(startAtMs: number, cpu: OwnCpu): Promise<CpuMark> {
  let before = await markAt(startAtMs, cpu);
  let last = before;
  const meter = openCpuMeter();
  for (let step = 1; step <= STEPS; step++) {
    const now = await markAt(startAtMs + step * STEP_MS, cpu);
    const cores = (now.cpuMs - last.cpuMs) / (now.atMs - last.atMs);
    const { busiestThreadRatio = 0 } = meter.read();
    if (cores >= TELLING_CORES || busiestThreadRatio >= TELLING_BUSY_RATIO) break;
    before = last;
    last = now;
  }
  return before;
}

async function markAt(atMs: number, cpu: OwnCpu): Promise<CpuMark> {
  await sleep(Math.max(0, atMs - machineNowMs()));
  return { atMs: machineNowMs(), cpuMs: cpu.readMs() };
}

async function untilQuiet(cpu: OwnCpu): Promise<void> {
  const untilMs = machineNowMs() + QUIET_PATIENCE_MS;
  let last = await markAt(0, cpu);
  while (last.atMs < untilMs) {
    const now = await markAt(last.atMs + QUIET_LOOK_MS, cpu);
    if ((now.cpuMs - last.cpuMs) / (now.atMs - last.atMs) < QUIET_CORES) return;
    last = now;
  }
}

/** The load that a calibration climbs, per producer. */
export function rampOf(messageBytes: number): LoadSchedule {
  const first = Math.min(FIRST_MESSAGES_PER_SECOND, FIRST_BYTES_PER_SECOND / messageBytes);
  return Array.from({ length: STEPS }, (_, step) => ({
    durationMs: STEP_MS,
    unitRate: (first * 2 ** step) / RIG_PRODUCERS,
  }));
}
