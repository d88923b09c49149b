import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import type { TrialRecord } from '../boundary/run-document.ts';
import { BYTES_PER_MB } from '../boundary/units.ts';

/**
 * What the brokers themselves counted as produced at a point's lower bound, MB/s of the whole cluster: leader traffic,
 * with the overhead of batches and records, so a little above the payload (about 2 % at 1 kB, far more for tiny batches).
 * The mean over the sustained trials of that load; null when no page exports it.
 */
export function brokerBytesIn(point: BoundaryPoint, trials: readonly TrialRecord[]): number | null {
  const { lower } = point;
  const seen = trials.flatMap(({ plan, verdict, bytesInPerSecond }) =>
    plan.messageBytes === point.messageBytes &&
    plan.np === lower?.np &&
    plan.unitRate === lower.unitRate &&
    verdict.kind === 'sustained' &&
    bytesInPerSecond !== null
      ? [bytesInPerSecond]
      : [],
  );
  if (seen.length === 0) return null;
  return seen.reduce((sum, bytes) => sum + bytes, 0) / seen.length / BYTES_PER_MB;
}
