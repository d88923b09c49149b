import type { OverloadedVerdict, SustainedVerdict } from '../verdict.ts';
import { IDLE_LIMIT } from './idle-curve.ts';
import type { SimulatedReading } from './simulated-trials.ts';

/** Acknowledged over offered under which deliveries have fallen behind. */
const DELIVERED = 0.99;

type Seen = Pick<SimulatedReading, 'idle' | 'deliveredShare'>;

/** The rules in the order of real trials; null when none applies. @param isrFlaps followers leave the ISR at this load. */
export function simulatedOverload(seen: Seen, isrFlaps: boolean): OverloadedVerdict | null {
  const least = Math.min(...seen.idle);
  if (least < IDLE_LIMIT) {
    const brokerId = seen.idle.indexOf(least) + 1;
    const detail = `broker ${brokerId} idle ${least.toFixed(3)}, under ${IDLE_LIMIT}`;
    return {
      kind: 'overloaded',
      rule: 'request-handler idle',
      brokerId,
      value: least,
      limit: IDLE_LIMIT,
      detail,
    };
  }
  if (isrFlaps) {
    const detail = 'followers leave the in-sync replicas and come back (simulated)';
    return { kind: 'overloaded', rule: 'isr churn', brokerId: null, value: 1, limit: 0.5, detail };
  }
  if (seen.deliveredShare >= DELIVERED) return null;
  const detail = `${(seen.deliveredShare * 100).toFixed(1)} % of the offered messages acknowledged`;
  return {
    kind: 'overloaded',
    rule: 'delivery',
    brokerId: null,
    value: seen.deliveredShare,
    limit: DELIVERED,
    detail,
  };
}

export function simulatedSustained({ idle }: Pick<SimulatedReading, 'idle'>): SustainedVerdict {
  const ratio = Math.min(...idle);
  return {
    kind: 'sustained',
    worst: {
      brokerId: idle.indexOf(ratio) + 1,
      idle: { ratio, low: ratio, high: ratio, estimator: 'count, self-clocked' },
    },
  };
}

/** What several looks of equal length at one load tell together. */
export function meanReading(seen: readonly Seen[]): Seen {
  const mean = (of: (one: Seen) => number) => seen.reduce((sum, one) => sum + of(one), 0) / seen.length;
  return {
    idle: (seen[0]?.idle ?? []).map((_, broker) => mean(({ idle }) => idle[broker] ?? 0)),
    deliveredShare: mean(({ deliveredShare }) => deliveredShare),
  };
}
