import type { Draws } from './draws.ts';
import { IDLE_LIMIT } from './idle-curve.ts';

/** How a simulated cluster gets better or worse while time goes by. */
export interface Drift {
  /** Added to the logit of idle, and to ln of the delivery cap. */
  at(seconds: number): { readonly idleLogit: number; readonly lnCap: number };
}

const MINUTES = 480;

/** Deliveries drift less than the handlers' idle. */
const CAP_PART = 0.4;

/**
 * Draws random walks by minute, around the mean of the first hour; after eight hours they stand still.
 * @param perHour standard deviation of the relative change after an hour.
 */
export function drawDrift(draws: Draws, perHour: number): Drift {
  const walks = drawWalks(draws);
  return {
    at: (seconds) => {
      const minute = Math.min(MINUTES - 1, Math.floor(seconds / 60));
      return {
        idleLogit: ((walks.idle[minute] ?? 0) * perHour) / (1 - IDLE_LIMIT),
        lnCap: (walks.cap[minute] ?? 0) * perHour * CAP_PART,
      };
    },
  };
}

/** One unit of variance per hour. */
function drawWalks({ gaussian }: Draws): { readonly idle: number[]; readonly cap: number[] } {
  const stepDeviation = Math.sqrt(1 / 60);
  const idle = [0];
  const cap = [0];
  for (let minute = 1; minute < MINUTES; minute++) {
    idle.push((idle[minute - 1] ?? 0) + stepDeviation * gaussian());
    cap.push((cap[minute - 1] ?? 0) + stepDeviation * gaussian());
  }
  return { idle: centred(idle), cap: centred(cap) };
}

function centred(walk: readonly number[]): number[] {
  const mean = walk.slice(0, 60).reduce((sum, value) => sum + value, 0) / 60;
  return walk.map((value) => value - mean);
}
