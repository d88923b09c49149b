import type { BoundaryPoint, LoadBound } from '../../boundary/boundary-point.ts';

export function sampleBound(messagesPerSecond: number): LoadBound {
  return { np: 50, unitRate: messagesPerSecond / 50, messagesPerSecond, trials: 2 };
}

/** A point of the adaptive search: a limit of 2,000/s with its interval and both bounds. */
export function samplePoint(changes: Partial<BoundaryPoint> = {}): BoundaryPoint {
  return {
    messageBytes: 1_000,
    estimate: 2_000,
    interval: { low: 1_920, high: 2_080 },
    lower: sampleBound(1_900),
    upper: sampleBound(2_100),
    quality: 'converged',
    limit: { rule: 'request-handler idle', brokerId: 2 },
    notes: [],
    trials: 6,
    seconds: 120,
    ...changes,
  };
}
