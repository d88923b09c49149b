import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type CpuFigures, openCpuMeter } from './cpu-meter.ts';
import type { ProducerLane } from './producer-lane.ts';

/** Ticks tell of the grid times 0, 1, 2 ... seconds after the common start. */
export const GRID_MS = 1_000;
const LOOP_RESOLUTION_MS = 10;

/** What the child itself sees at a grid time; the lanes' statistics for the same instant come up to 1.1 s later. */
export interface GridSample extends CpuFigures {
  /** ms since the common start. */
  readonly elapsedMs: number;
  readonly accepted: number;
  readonly failed: number;
  readonly queueFull: number;
  readonly pacerLateMs: number;
  readonly loopLagMs: number;
}

export interface GridSampler {
  /** Samples taken so far; index k is the grid time k x 1000 ms. */
  readonly taken: readonly GridSample[];
  /** Takes the samples that are due at `elapsedMs`. */
  sample(elapsedMs: number): void;
  noteLate(lateMs: number): void;
}

/** Counts and looks at this process once a second. */
export function startGridSampler(lanes: readonly ProducerLane[]): GridSampler {
  const taken: GridSample[] = [];
  // The histogram holds whole intervals of its own timer, so the resolution is taken off again.
  const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  loop.enable();
  const cpu = openCpuMeter();
  let lateMs = 0;
  return {
    taken,
    noteLate: (value) => {
      lateMs = Math.max(lateMs, value);
    },
    sample: (elapsedMs) => {
      while (taken.length * GRID_MS <= elapsedMs) {
        taken.push({
          elapsedMs: taken.length * GRID_MS,
          accepted: sumOf(lanes, (lane) => lane.accepted),
          failed: sumOf(lanes, (lane) => lane.failed),
          queueFull: sumOf(lanes, (lane) => lane.queueFull),
          pacerLateMs: lateMs,
          loopLagMs: Math.max(0, loop.max / 1e6 - LOOP_RESOLUTION_MS),
          ...cpu.read(),
        });
        lateMs = 0;
        loop.reset();
      }
    },
  };
}

/** Adds up one count of all lanes. */
export function sumOf(lanes: readonly ProducerLane[], of: (lane: ProducerLane) => number): number {
  return lanes.reduce((total, lane) => total + of(lane), 0);
}
