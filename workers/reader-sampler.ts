import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { GroupTick, ReaderTick } from '../boundary/trial.ts';
import { type CpuFigures, openCpuMeter } from './cpu-meter.ts';
import { machineNowMs } from './machine-clock.ts';
import type { ReaderMember } from './reader-member.ts';
import type { EndSeries } from './topic-end.ts';

/** The members of one group in this child, and what there is for them to read. */
export interface GroupReader {
  readonly group: string;
  readonly members: readonly ReaderMember[];
  readonly unread: EndSeries;
}

/** What the child sees at a grid time; how far the topic reached then is known up to a second later. */
export interface ReaderSample extends CpuFigures {
  /** Grid time, ms since the common start. */
  readonly elapsedMs: number;
  /** When the sample was really taken, machine clock. */
  readonly takenAtMs: number;
  readonly loopLagMs: number;
  readonly throttleMs: number;
  readonly committed: number;
  readonly groups: readonly Omit<GroupTick, 'lag'>[];
}

/** Ticks tell of the grid times 0, 1, 2 ... seconds after the common start. */
export const GRID_MS = 1_000;
const LOOP_RESOLUTION_MS = 10;

/** The answer of a leader may take this long; then a tick goes out without the lag, ms. */
const PATIENCE_MS = 3_000;

export interface ReaderSampler {
  /** Samples taken so far; index k is the grid time k x 1000 ms. */
  readonly taken: readonly ReaderSample[];
  /** Takes the samples that are due at `elapsedMs`. */
  sample(elapsedMs: number): void;
}

/** Counts and looks at this process once a second. */
export function startReaderSampler(groups: readonly GroupReader[]): ReaderSampler {
  const taken: ReaderSample[] = [];
  // The histogram holds whole intervals of its own timer, so the resolution is taken off again.
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  const cpu = openCpuMeter();
  const members = groups.flatMap((group) => group.members);
  return {
    taken,
    sample: (elapsedMs) => {
      while (taken.length * GRID_MS <= elapsedMs) {
        taken.push({
          elapsedMs: taken.length * GRID_MS,
          takenAtMs: machineNowMs(),
          loopLagMs: Math.max(0, loop.max / 1e6 - LOOP_RESOLUTION_MS),
          throttleMs: members.reduce(
            (most, { statistics }) => Math.max(most, statistics?.throttleMs ?? 0),
            0,
          ),
          committed: members.reduce((sum, { committed }) => sum + committed, 0),
          groups: groups.map(countsOf),
          ...cpu.read(),
        });
        loop.reset();
      }
    },
  };
}

function countsOf({ group, members }: GroupReader): Omit<GroupTick, 'lag'> {
  const sum = (of: (member: ReaderMember) => number) => members.reduce((total, one) => total + of(one), 0);
  return {
    group,
    consumed: sum(({ consumed }) => consumed),
    consumedBytes: sum(({ consumedBytes }) => consumedBytes),
    fetched: sum(({ statistics }) => statistics?.fetched ?? 0),
  };
}

/**
 * Makes the tick of a sample: the lag is what had been unread at the very moment when the messages were counted.
 * @returns null while the end of the topic at that moment is not known and may still become so.
 */
export function readerTickAt(
  sample: ReaderSample,
  groups: readonly Pick<GroupReader, 'group' | 'unread'>[],
  { startAtMs, nowMs }: { readonly startAtMs: number; readonly nowMs: number },
): ReaderTick | null {
  const { elapsedMs, takenAtMs, groups: counts, ...figures } = sample;
  const isOverdue = nowMs - takenAtMs > PATIENCE_MS;
  const ticks: GroupTick[] = [];
  for (const count of counts) {
    const reader = groups.find(({ group }) => group === count.group);
    const unread = reader?.unread.at(takenAtMs) ?? null;
    if (unread === null && !isOverdue) return null;
    ticks.push({ ...count, lag: unread === null ? null : Math.round(unread - count.consumed) });
  }
  return { atMs: startAtMs + elapsedMs, ...figures, groups: ticks };
}
