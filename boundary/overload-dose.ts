import type { BoundaryPoint } from './boundary-point.ts';
import type { TrialRecord } from './run-document.ts';

/** How much a search has asked of a cluster beyond its limit. */
export interface OverloadDose {
  /** Of all sizes together, seconds; null when one of them is not known: a part is not the whole. */
  readonly seconds: number | null;
  readonly sizes: readonly SizeDose[];
}

export interface SizeDose {
  readonly messageBytes: number;
  /** Null when trials were run and the limit is not known. */
  readonly seconds: number | null;
}

/**
 * Sums up the overload of a run: seconds above the limit times how far above. One minute at 1.5 times the limit is a dose
 * of 30 s, and so is half a minute at twice the limit.
 *
 *   dose = sum over trials of (warm-up + window) x max(0, offered / estimate - 1)
 *
 * Invalid trials count, for they were offered; probes are no trials and do not. Where a bound did not last, the trials
 * before the holds are held against that bound: it was the fresh cluster's. Of a hold that dropped the window is the part
 * that was overloaded, not the time that it lasted.
 */
export function overloadDose({
  trials,
  points,
}: {
  readonly trials: readonly TrialRecord[];
  readonly points: readonly BoundaryPoint[];
}): OverloadDose {
  const tried = trials.map(({ plan }) => plan.messageBytes);
  const messageSizes = new Set([...points.map(({ messageBytes }) => messageBytes), ...tried]);
  const sizes = [...messageSizes].map((messageBytes): SizeDose => {
    const own = trials.filter(({ plan }) => plan.messageBytes === messageBytes);
    const point = points.find((one) => one.messageBytes === messageBytes);
    return { messageBytes, seconds: doseOf(own, point) };
  });
  const known = sizes.flatMap(({ seconds }) => (seconds === null ? [] : [seconds]));
  return { seconds: known.length === sizes.length ? sum(known) : null, sizes };
}

function doseOf(trials: readonly TrialRecord[], point: BoundaryPoint | undefined): number | null {
  if (trials.length === 0) return 0;
  const estimate = point?.estimate ?? null;
  if (estimate === null || estimate <= 0) return null;
  const fresh = point?.hold?.drops[0]?.messagesPerSecond ?? estimate;
  return sum(
    trials.map(({ plan, windowSeconds, offeredPerSecond }) => {
      const limit = plan.purpose === 'hold' ? estimate : fresh;
      return (plan.warmUpMs / 1_000 + windowSeconds) * Math.max(0, offeredPerSecond / limit - 1);
    }),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
