import { isPastBoundary, unitRateFromProbe } from '../unit-rate.ts';
import type { SizeState } from './adaptive-state.ts';
import type { LimitHint } from './idle-model-types.ts';

/**
 * A probe's load doubles faster than the cluster follows, so that the limit seems higher than it is, by about this, and
 * its reading is rough; ln(load).
 */
const PROBE_LAG = 0.35;
const PROBE_DEVIATION = 0.45;
/** A probe that never passed the limit says only that it is higher. */
const OPEN_DEVIATION = 1;

/** What the probes of a size tell of its limit; null when none could be read. */
export function probeHint(size: SizeState, index: number, idleLimit: number): LimitHint | null {
  const probe = size.probes.findLast(({ steps }) => steps.some(({ idle }) => idle !== null));
  if (!probe) return null;
  const unitRate = unitRateFromProbe(probe.steps, idleLimit);
  if (unitRate === null) return null;
  const isOpen = !probe.steps.some((step) => isPastBoundary(step, idleLimit));
  return {
    size: index,
    lnLimit: Math.log(unitRate * probe.np) - (isOpen ? 0 : PROBE_LAG),
    deviation: isOpen ? OPEN_DEVIATION : PROBE_DEVIATION,
  };
}
