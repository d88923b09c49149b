import { logit } from '../statistics/logit.ts';

/**
 * Families of idle curves: how the request handlers' idle falls with the load. `lin` and `exp` are textbook shapes;
 * A to F follow curves measured on a small cluster, close to idle = 1 / (1 + 4 r^b), r = load over capacity.
 */
export const CURVE_FAMILIES = ['lin', 'exp', 'A', 'B', 'C', 'D', 'E', 'F'] as const;

export type CurveFamily = (typeof CURVE_FAMILIES)[number];

/** The curve of one size. All of them pass through an idle of 0.2 at the capacity. */
export interface IdleCurve {
  readonly family: CurveFamily;
  /** Idle lost to other work than the load (lin), 0..1. */
  readonly idleLoss: number;
  /** Idle without load (exp), 0..1. */
  readonly idleAtRest: number;
  /** Exponent b (A to F). */
  readonly steepness: number;
  /** A ripple on the logit of idle, of this amplitude ... */
  readonly rippleLogit: number;
  /** ... this many radians per unit of ln(load) ... */
  readonly rippleRate: number;
  /** ... and this phase at the capacity, radians. */
  readonly ripplePhase: number;
}

/** A broker is overloaded below this idle. */
export const IDLE_LIMIT = 0.2;
const LEAST_IDLE = 0.012;
const MOST_IDLE = 0.985;
/** Where the straight line of `lin` gives way to a tail. */
const TAIL_IDLE = 0.04;

/** The logit of idle at a load given as ln(load / capacity). */
export function idleLogitAt(curve: IdleCurve, lnLoad: number): number {
  const idle = Math.min(MOST_IDLE, Math.max(LEAST_IDLE, smoothIdle(curve, lnLoad)));
  const ripple = Math.sin(curve.rippleRate * lnLoad + curve.ripplePhase) - Math.sin(curve.ripplePhase);
  return logit(idle) + curve.rippleLogit * ripple;
}

function smoothIdle(curve: IdleCurve, lnLoad: number): number {
  const load = Math.exp(lnLoad);
  switch (curve.family) {
    case 'lin': {
      const idle = 1 - curve.idleLoss - load * (1 - IDLE_LIMIT - curve.idleLoss);
      if (idle > TAIL_IDLE) return idle;
      return TAIL_IDLE * Math.exp(Math.max(-1.5, ((idle - TAIL_IDLE) / TAIL_IDLE) * 0.5));
    }
    case 'exp':
      return curve.idleAtRest * Math.exp(-Math.log(curve.idleAtRest / IDLE_LIMIT) * load);
    default:
      return 1 / (1 + 4 * load ** curve.steepness);
  }
}
