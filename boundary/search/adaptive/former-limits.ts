import type { FormerLimit, SearchConfig } from '../search.ts';
import type { LimitHint } from './idle-model-types.ts';
import { halfWidth, type LimitEstimate } from './limit-estimate.ts';

/** An unchanged cluster is off its former limit by this from one day to the next, ln(load). */
const DAY_TO_DAY = 0.03;
const INTERVAL = 1.96;

/** Former limits as hints to the model: it gives up those that its trials contradict. */
export function formerHints({ sizes, former = [] }: SearchConfig): LimitHint[] {
  return sizes.flatMap((messageBytes, size): LimitHint[] => {
    const limit = former.find((one) => one.messageBytes === messageBytes);
    return limit ? [{ size, lnLimit: Math.log(limit.estimate), deviation: deviationOf(limit) }] : [];
  });
}

/** Whether what was found agrees with the former run, in one sentence; null where that has nothing. */
export function formerNote(
  messageBytes: number,
  estimate: LimitEstimate,
  { former = [] }: SearchConfig,
): string | null {
  const limit = former.find((one) => one.messageBytes === messageBytes);
  if (!limit) return null;
  const apart = estimate.median - Math.log(limit.estimate);
  const deviation = Math.hypot(halfWidth(estimate) / INTERVAL, deviationOf(limit));
  const change = `${apart >= 0 ? '+' : ''}${(100 * (Math.exp(apart) - 1)).toFixed(0)} %`;
  return Math.abs(apart) <= INTERVAL * deviation
    ? `confirms the former run (${change})`
    : `refutes the former run (${change})`;
}

function deviationOf({ low, high }: FormerLimit): number {
  return Math.hypot(Math.log(high / low) / 2 / INTERVAL, DAY_TO_DAY);
}
