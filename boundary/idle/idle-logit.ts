import { logit } from '../statistics/logit.ts';

/** Idle beyond these says that the brokers are saturated, or do nothing, and not how much so. */
const LEAST_IDLE = 0.005;
const MOST_IDLE = 0.995;

/** The logit of an idle ratio, held inside of what idle can tell: near 0 and near 1 its noise is as in the middle. */
export function idleLogit(ratio: number): number {
  return logit(Math.min(MOST_IDLE, Math.max(LEAST_IDLE, ratio)));
}
