import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import { formatCount, formatPrecision } from './number-text.ts';

/**
 * What is known of where the limit of a size lies, messages per second. There is no case for a rate alone: an estimate
 * comes with its interval, and where no model gave one the two bounds stand in its place.
 */
export type LimitFigure =
  | {
      readonly kind: 'estimate';
      readonly messagesPerSecond: number;
      /** The 95 % interval. */
      readonly low: number;
      readonly high: number;
      /** Its longer side in ln(load), the measure in which the search is asked for a precision. */
      readonly halfWidthRatio: number;
    }
  | { readonly kind: 'between'; readonly low: number; readonly high: number }
  | { readonly kind: 'at least' | 'at most'; readonly messagesPerSecond: number }
  | { readonly kind: 'unknown' };

/** Reads from a point where its limit lies. Bounds that contradict each other span what they contradict about. */
export function limitFigure(point: BoundaryPoint): LimitFigure {
  const { estimate, interval, lower, upper } = point;
  if (estimate !== null && interval !== null && estimate > 0 && interval.low > 0) {
    const { low, high } = interval;
    const halfWidthRatio = Math.max(Math.log(high / estimate), Math.log(estimate / low));
    return { kind: 'estimate', messagesPerSecond: estimate, low, high, halfWidthRatio };
  }
  if (lower && upper) {
    const [a, b] = [lower.messagesPerSecond, upper.messagesPerSecond];
    return { kind: 'between', low: Math.min(a, b), high: Math.max(a, b) };
  }
  if (lower) return { kind: 'at least', messagesPerSecond: lower.messagesPerSecond };
  if (upper) return { kind: 'at most', messagesPerSecond: upper.messagesPerSecond };
  return { kind: 'unknown' };
}

/** Whether a model gave intervals: tables and pictures then lead with the estimate, else with the bounds. */
export function hasEstimates(points: readonly BoundaryPoint[]): boolean {
  return points.some((point) => limitFigure(point).kind === 'estimate');
}

/** Over this a margin says less than the two ends of the interval. */
const WIDEST_MARGIN = 0.5;

/** A limit in two parts that belong together: the rate, and the margin where it has one. */
export interface LimitText {
  readonly rate: string;
  /** `± 6.5 %`; empty where `rate` says by itself how far it can be trusted (`>= 950`, `2,000..2,100`). */
  readonly margin: string;
}

/**
 * Writes a limit for people.
 * @param format writes a rate.
 */
export function limitFigureText(
  figure: LimitFigure,
  format: (rate: number) => string = formatCount,
): LimitText {
  switch (figure.kind) {
    case 'estimate':
      return figure.halfWidthRatio > WIDEST_MARGIN
        ? { rate: `${format(figure.low)}..${format(figure.high)}`, margin: '' }
        : { rate: format(figure.messagesPerSecond), margin: `± ${formatPrecision(figure.halfWidthRatio)}` };
    case 'between':
      return { rate: `${format(figure.low)}..${format(figure.high)}`, margin: '' };
    case 'at least':
      return { rate: `>= ${format(figure.messagesPerSecond)}`, margin: '' };
    case 'at most':
      return { rate: `<= ${format(figure.messagesPerSecond)}`, margin: '' };
    case 'unknown':
      return { rate: '-', margin: '' };
  }
}

/** The limit on one line: `1,578/s ± 6.5 %`, `2,000..2,100/s`. */
export function limitSentence(figure: LimitFigure, format: (rate: number) => string = formatCount): string {
  if (figure.kind === 'unknown') return 'not known';
  const { rate, margin } = limitFigureText(figure, format);
  return margin === '' ? `${rate}/s` : `${rate}/s ${margin}`;
}
