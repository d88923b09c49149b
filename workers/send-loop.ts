import { type LoadSchedule, scheduleMs } from '../boundary/load-schedule.ts';
import type { GridSampler } from './grid-sampler.ts';
import { machineNowMs } from './machine-clock.ts';
import type { ProducerLane } from './producer-lane.ts';

const PASS_MS = 2;

/** Lanes that send together. */
export interface Sending {
  readonly lanes: readonly ProducerLane[];
  readonly schedule: LoadSchedule;
  /** Common start on the machine's clock and on the run's, ms. */
  readonly startMachineMs: number;
  readonly startRunMs: number;
  readonly sampler: GridSampler;
  readonly isStopped: () => boolean;
}

/**
 * Passes over all lanes every 2 ms, and without a pause while one owes more than it may send in a pass.
 * @returns at the end of the schedule or at the stop: the lateness of the first pass, ms.
 */
export function sendBySchedule(sending: Sending): Promise<number> {
  const { lanes, startMachineMs, startRunMs, sampler, isStopped } = sending;
  const totalMs = scheduleMs(sending.schedule);
  let startedLateMs: number | null = null;
  let lastMs = 0;
  return new Promise((resolve) => {
    const pass = () => {
      const elapsedMs = machineNowMs() - startMachineMs;
      if (isStopped()) {
        resolve(startedLateMs ?? 0);
        return;
      }
      if (elapsedMs < 0) {
        setTimeout(pass, elapsedMs < -50 ? Math.min(-elapsedMs - 30, 200) : PASS_MS);
        return;
      }
      const sendMs = Math.min(elapsedMs, totalMs);
      sampler.sample(sendMs);
      if (startedLateMs === null) startedLateMs = elapsedMs;
      else sampler.noteLate(elapsedMs - lastMs - PASS_MS);
      lastMs = elapsedMs;
      let isBehind = false;
      for (const lane of lanes) {
        isBehind = lane.send(sendMs, startRunMs) || isBehind;
        sampler.noteLate(lane.lateMs(sendMs));
        // Its delivery reports tell when an acknowledgement came by when they are fetched.
        if (lane.isTimed) lane.poll();
      }
      if (elapsedMs >= totalMs) resolve(startedLateMs);
      else if (isBehind) setImmediate(pass);
      else setTimeout(pass, PASS_MS);
    };
    pass();
  });
}
