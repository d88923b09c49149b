import type { HandlerPool } from '../broker-reading.ts';
import type { Bounded } from './idle-stretch.ts';

/** The handlers of a loaded cluster's controller are assumed to be this idle: it sees metadata, never the load. */
const CONTROLLER_IDLE = { low: 0.9, high: 1, estimate: 0.95 } as const;

/**
 * The broker's own idle from a meter that a controller in the same process marks too (KAFKA-19606): the sum of both
 * minus the controller's, or twice the mean minus it. ASSUMES that the controller's handlers are 0.90 to 1.00 idle,
 * which widens the bounds by a tenth. When even that is more than the meter shows, the assumption is wrong, and only
 * the meter's own value bounds the broker's.
 */
export function withoutController(idle: Bounded, pool: HandlerPool): Bounded {
  switch (pool) {
    case 'broker':
      return idle;
    case 'sum of broker and controller':
      return minusController(idle);
    case 'mean of broker and controller':
      return minusController({ low: 2 * idle.low, high: 2 * idle.high, estimate: 2 * idle.estimate });
  }
}

function minusController(sum: Bounded): Bounded {
  const low = Math.max(0, sum.low - CONTROLLER_IDLE.high);
  const high = sum.high - CONTROLLER_IDLE.low;
  if (high < 0) return { low: 0, high: Math.min(1, sum.high), estimate: 0 };
  return { low, high, estimate: Math.min(high, Math.max(low, sum.estimate - CONTROLLER_IDLE.estimate)) };
}
