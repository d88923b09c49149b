import type { SizeState } from './adaptive-state.ts';
import type { Ramp } from './analyse.ts';

/** The controller leaves out the start of a step, ms. */
const RUN_IN_MS = 1_000;
/** An idle above this says nothing of where the limit is. */
const IDLE_AT_REST = 0.97;

/** What the last readable probe of a size tells the model; null when there is none. */
export function rampOf(size: SizeState, index: number): Ramp | null {
  const probe = size.probes.findLast(({ steps }) => steps.some(({ idle }) => idle !== null));
  if (!probe) return null;
  const seconds = Math.max(1, (probe.stepMs - RUN_IN_MS) / 1_000);
  const steps = probe.steps.flatMap(({ unitRate, idle, ackedShare }) =>
    idle === null ? [] : [{ lnLoad: Math.log(unitRate * probe.np), idle, ackedShare, seconds }],
  );
  const telling = steps.filter(({ idle }) => idle < IDLE_AT_REST);
  return { size: index, steps: telling.length > 0 ? telling : steps.slice(-1) };
}
