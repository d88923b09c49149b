import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import { megabytesPerSecond } from '../boundary/units.ts';
import { limitFigure } from './limit-figure.ts';

/** What tables, pictures and files derive from a point, in one place so that they cannot disagree. */
export interface PointFigures {
  readonly lowerMessagesPerSecond: number | null;
  readonly upperMessagesPerSecond: number | null;
  /** Payload of the lower bound, MB/s. */
  readonly megabytesPerSecond: number | null;
  readonly megabytesPerSecondPerBroker: number | null;
  /**
   * How far the limit may lie off, 0..1. With a 95 % interval its longer side, about the estimate; without one half the
   * bracket over its middle: the limit is the middle give or take this. Null when bounds are missing or contradict.
   */
  readonly halfWidthRatio: number | null;
}

/** Derives a point's figures; everything that needs a bound which is not there is null. */
export function pointFigures(point: BoundaryPoint, brokers: number): PointFigures {
  const lower = point.lower?.messagesPerSecond ?? null;
  const upper = point.upper?.messagesPerSecond ?? null;
  const megabytes = lower === null ? null : megabytesPerSecond(lower, point.messageBytes);
  return {
    lowerMessagesPerSecond: lower,
    upperMessagesPerSecond: upper,
    megabytesPerSecond: megabytes,
    megabytesPerSecondPerBroker: megabytes === null || brokers < 1 ? null : megabytes / brokers,
    halfWidthRatio: halfWidthRatio(point),
  };
}

function halfWidthRatio(point: BoundaryPoint): number | null {
  const figure = limitFigure(point);
  if (figure.kind === 'estimate') return figure.halfWidthRatio;
  const lower = point.lower?.messagesPerSecond;
  const upper = point.upper?.messagesPerSecond;
  if (lower === undefined || upper === undefined || upper < lower || upper <= 0) return null;
  return (upper - lower) / (upper + lower);
}

/** Says what set the upper bound: `request-handler idle on broker 2`; empty when nothing did. */
export function limitText(point: BoundaryPoint): string {
  if (!point.limit) return '';
  const { rule, brokerId } = point.limit;
  return brokerId === null ? rule : `${rule} on broker ${brokerId}`;
}

/** Points from the smallest message to the largest, the order of every picture and table. */
export function bySize(points: readonly BoundaryPoint[]): readonly BoundaryPoint[] {
  return [...points].sort((a, b) => a.messageBytes - b.messageBytes);
}
