import { normalCdf } from '../../statistics/normal.ts';
import type { OverloadRule } from '../../verdict.ts';
import type { CensoredLimit } from './censored-limit.ts';

/** Where the limit of a size lies, ln(messages per second). */
export interface LimitEstimate {
  readonly median: number;
  /** The 95 % interval. */
  readonly low: number;
  readonly high: number;
  /** A cautious place for a trial while little is known: the limit is above with a chance of 65 %. */
  readonly cautious: number;
  /** The rule that most likely sets the limit. */
  readonly rule: OverloadRule;
}

export interface RuleLimit {
  readonly rule: OverloadRule;
  readonly limit: CensoredLimit;
}

/** Half of a 95 % interval over the deviation. */
export const INTERVAL = 1.96;

const BISECTIONS = 40;
const SPAN = 8;

/** The least of the idle limit (normal in ln(load)) and all censored ones. */
export function estimateLimit(
  idle: { readonly lnLimit: number; readonly variance: number },
  others: readonly RuleLimit[],
): LimitEstimate {
  const deviation = Math.sqrt(idle.variance);
  const idleAbove = (lnLoad: number) => normalCdf((idle.lnLimit - lnLoad) / deviation);
  const above = probabilityAbove(idle, others);
  const quantile = (probability: number) => {
    let low = idle.lnLimit - SPAN * Math.max(deviation, 1);
    let high = idle.lnLimit + SPAN * deviation;
    // A censored limit may lie any distance below the idle limit.
    while (above(low) <= probability) low -= SPAN;
    for (let k = 0; k < BISECTIONS; k++) {
      const middle = (low + high) / 2;
      if (above(middle) > probability) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  };
  const median = quantile(0.5);
  // The rule that is most likely to stop a load at the median.
  let rule: OverloadRule = 'request-handler idle';
  let least = idleAbove(median);
  for (const other of others) {
    const chance = other.limit.probabilityAbove(median);
    if (chance < least) {
      least = chance;
      rule = other.rule;
    }
  }
  return { median, low: quantile(0.975), high: quantile(0.025), cautious: quantile(0.65), rule };
}

/** The chance that no rule is broken at a load: the rules are taken as independent. */
export function probabilityAbove(
  idle: { readonly lnLimit: number; readonly variance: number },
  others: readonly RuleLimit[],
): (lnLoad: number) => number {
  const deviation = Math.sqrt(idle.variance);
  return (lnLoad) =>
    others.reduce(
      (chance, { limit }) => chance * limit.probabilityAbove(lnLoad),
      normalCdf((idle.lnLimit - lnLoad) / deviation),
    );
}

/** Half of the interval, as a share of the estimate. */
export function halfWidth({ low, high }: LimitEstimate): number {
  return (high - low) / 2;
}
