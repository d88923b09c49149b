import type { ReaderReport, ReaderTick } from '../../boundary/trial.ts';

/** What a made-up job of consumers tells; every field has a healthy default. Seconds count from the start of the window. */
export interface Readers {
  readonly shard?: number;
  readonly groups?: readonly string[];
  /** Of every group, messages; null when nobody knows. */
  readonly lag?: (second: number, group: string) => number | null;
  readonly fetched?: (second: number) => number;
  /** Messages per second that each group consumes. */
  readonly consumed?: number;
  readonly tick?: (second: number) => Partial<ReaderTick>;
  readonly seconds?: number;
  readonly startedLateMs?: number;
}

/** The start of the window in the made-up trials of `evidence.ts`, and the load's warm-up before it. */
const START_MS = 1_000_000;
const WARM_UP_SECONDS = 3;

/** The report of a job of consumers beside the made-up shard of `evidenceOf`. */
export function readerOf(scene: Readers = {}): ReaderReport {
  const { groups = ['plimsoll-r-group-1'], consumed = 1_000, seconds = 10 } = scene;
  const ticks = Array.from({ length: seconds + WARM_UP_SECONDS + 1 }, (_, index): ReaderTick => {
    const second = index - WARM_UP_SECONDS;
    return {
      atMs: START_MS + second * 1_000,
      cpuCores: 0.2,
      loopLagMs: 5,
      throttleMs: 0,
      committed: 30 * index,
      groups: groups.map((group) => ({
        group,
        consumed: consumed * index,
        consumedBytes: consumed * index * 1_000,
        lag: scene.lag ? scene.lag(second, group) : 20,
        fetched: scene.fetched?.(second) ?? 0,
      })),
      ...scene.tick?.(second),
    };
  });
  return {
    shard: scene.shard ?? 1,
    workerId: 'w2',
    members: groups.length,
    startedLateMs: scene.startedLateMs ?? 3,
    ticks,
    errors: {},
  };
}

/** Evidence of a trial that these jobs read along with. */
export function readBy(...readers: readonly ReaderReport[]) {
  return { readers, readersExpected: readers.length };
}
