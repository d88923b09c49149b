import { readdirSync, readFileSync } from 'node:fs';
import { machineNowMs } from './machine-clock.ts';

/** How this process fared with the CPU since the reading before; ratios 0..1, missing where the system does not tell. */
export interface CpuFigures {
  /** CPU of the process, in cores. */
  readonly cpuCores: number;
  /** Share of the time in which the busiest thread ran or waited for a core. */
  readonly busiestThreadRatio?: number;
  /** Share of the time in which that thread waited for a core, or for its quota. */
  readonly cpuWaitRatio?: number;
  /** Share of the time in which the cores of the machine had nothing to do. */
  readonly hostIdleRatio?: number;
}

export interface CpuMeter {
  /** What happened since the last reading, or since the meter was opened; once more the same when that was just now. */
  read(): CpuFigures;
}

/** Less time than this tells of single turns of threads, not of how they fare, ms. */
const LEAST_MS = 50;

/** Time of a thread since its start, ns (Linux: /proc/PID/task/TID/schedstat). */
export interface ThreadTime {
  readonly runNs: number;
  /** Runnable, but no core was free, or its cgroup had used up its quota. */
  readonly waitNs: number;
}

/** Cumulative readings; null where the system has none. */
export interface CpuSource {
  nowMs(): number;
  /** CPU of all threads of the process, ended ones too, ms. */
  cpuMs(): number;
  /** By thread id. */
  threads(): ReadonlyMap<string, ThreadTime> | null;
  /** Time of all cores together, in the system's ticks. */
  host(): { readonly idle: number; readonly total: number } | null;
}

/**
 * Opens a meter of this process. CPU alone does not show a process that is held back: with a quota of half a core it
 * never uses a whole one, and still has no time to spare. A thread that runs or waits for a core all the time does.
 */
export function openCpuMeter(source: CpuSource = systemSource()): CpuMeter {
  let before = readingOf(source);
  let figures: CpuFigures = { cpuCores: 0 };
  return {
    read: () => {
      if (source.nowMs() - before.atMs < LEAST_MS) return figures;
      const now = readingOf(source);
      figures = figuresBetween(before, now);
      before = now;
      return figures;
    },
  };
}

interface Reading {
  readonly atMs: number;
  readonly cpuMs: number;
  readonly threads: ReadonlyMap<string, ThreadTime> | null;
  readonly host: { readonly idle: number; readonly total: number } | null;
}

function readingOf(source: CpuSource): Reading {
  return { atMs: source.nowMs(), cpuMs: source.cpuMs(), threads: source.threads(), host: source.host() };
}

function figuresBetween(before: Reading, now: Reading): CpuFigures {
  const elapsedMs = now.atMs - before.atMs;
  return {
    cpuCores: (now.cpuMs - before.cpuMs) / elapsedMs,
    ...busiestThread(before, now, elapsedMs * 1e6),
    ...hostIdle(before, now),
  };
}

function busiestThread({ threads: old }: Reading, { threads }: Reading, elapsedNs: number) {
  if (!threads || threads.size === 0) return {};
  let busiestNs = 0;
  let waitNs = 0;
  for (const [id, time] of threads) {
    const earlier = old?.get(id) ?? { runNs: 0, waitNs: 0 };
    const waited = time.waitNs - earlier.waitNs;
    const busy = time.runNs - earlier.runNs + waited;
    if (busy <= busiestNs) continue;
    busiestNs = busy;
    waitNs = waited;
  }
  // A wait is told when it ends, so that a reading may hold some of the time before it.
  return {
    busiestThreadRatio: Math.min(1, busiestNs / elapsedNs),
    cpuWaitRatio: Math.min(1, waitNs / elapsedNs),
  };
}

function hostIdle(before: Reading, now: Reading) {
  if (!before.host || !now.host || now.host.total <= before.host.total) return {};
  return { hostIdleRatio: (now.host.idle - before.host.idle) / (now.host.total - before.host.total) };
}

function systemSource(): CpuSource {
  return {
    nowMs: machineNowMs,
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    threads: readThreads,
    host: () => {
      const text = readOrNull('/proc/stat');
      return text === null ? null : parseHostTime(text);
    },
  };
}

/** Time of every live thread of this process. */
export function readThreads(): ReadonlyMap<string, ThreadTime> | null {
  const found = new Map<string, ThreadTime>();
  try {
    for (const id of readdirSync('/proc/self/task')) {
      const text = readOrNull(`/proc/self/task/${id}/schedstat`);
      const [runNs = Number.NaN, waitNs = Number.NaN] = (text ?? '').split(' ').map(Number);
      if (Number.isFinite(runNs + waitNs)) found.set(id, { runNs, waitNs });
    }
  } catch {
    return null;
  }
  return found;
}

/** The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal, then guests, which user holds already. */
export function parseHostTime(text: string): { readonly idle: number; readonly total: number } | null {
  const counts = /^cpu +(.*)$/m.exec(text)?.[1]?.trim().split(/ +/).map(Number).slice(0, 8);
  if (!counts || counts.length < 8 || counts.some(Number.isNaN)) return null;
  return { idle: (counts[3] ?? 0) + (counts[4] ?? 0), total: counts.reduce((sum, count) => sum + count, 0) };
}

/** A thread may end between the listing and the look. */
function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
