import type { SeriesOption } from 'echarts';
import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import { formatBytes, megabytesPerSecond } from '../boundary/units.ts';
import type { CurveFrame } from './curve-frame.ts';
import { labelOffset } from './label-offset.ts';
import { limitFigure, limitSentence } from './limit-figure.ts';
import { formatCount, formatMegabytes, formatShort } from './number-text.ts';
import { LIGHT_PALETTE as colour } from './palette.ts';
import { pointFigures } from './point-figures.ts';

/**
 * Lines of a point's label: its size where the axis has no label for it, the quality unless it converged, what is known
 * of the limit, MB/s.
 */
function pointLabelLines(point: BoundaryPoint, frame: CurveFrame): readonly string[] {
  return [
    ...(frame.sizeTicks.includes(point.messageBytes) ? [] : [formatBytes(point.messageBytes)]),
    ...(point.quality === 'converged' ? [] : [point.quality]),
    ...(frame.isEstimated ? estimateLines(point) : boundLines(point)),
  ];
}

function estimateLines(point: BoundaryPoint): readonly string[] {
  const figure = limitFigure(point);
  if (figure.kind !== 'estimate') return [limitSentence(figure, rate)];
  const megabytes = megabytesPerSecond(figure.messagesPerSecond, point.messageBytes);
  return [limitSentence(figure, rate), `${formatMegabytes(megabytes)} MB/s`];
}

function boundLines(point: BoundaryPoint): readonly string[] {
  const { lowerMessagesPerSecond: lower, upperMessagesPerSecond: upper, ...figures } = pointFigures(point, 1);
  if (lower === null || figures.megabytesPerSecond === null) {
    return [upper === null ? 'no bound' : `below ${rate(upper)}/s`];
  }
  return [`${rate(lower)}/s`, `${formatMegabytes(figures.megabytesPerSecond)} MB/s`];
}

/** The shortest label, for many points: the quality unless it converged, messages per second. */
function pointLabelShort(point: BoundaryPoint, isEstimated: boolean): string {
  const text = isEstimated
    ? limitSentence(limitFigure(point), formatShort)
    : `${formatShort((point.lower ?? point.upper)?.messagesPerSecond ?? Number.NaN)}/s`;
  return point.quality === 'converged' ? text : `${point.quality} ${text}`;
}

/** The largest rate that is drawn of a point, messages per second; its label stands above. 0 when nothing is drawn. */
export function pointTop(point: BoundaryPoint): number {
  const figure = limitFigure(point);
  return Math.max(
    point.lower?.messagesPerSecond ?? 0,
    point.upper?.messagesPerSecond ?? 0,
    figure.kind === 'estimate' ? figure.high : 0,
  );
}

const SLANT_DEGREES = 58;

/** Puts the figures of each point above the top of its bracket; slanted and on one line when points are dense. */
export function pointLabelSeries(points: readonly BoundaryPoint[], frame: CurveFrame): SeriesOption {
  const style = {
    show: true,
    color: colour.ink,
    fontSize: frame.isNarrow ? 10.5 : 12,
    lineHeight: 15,
    // a halo, so that the curve never runs through a digit
    textBorderColor: colour.background,
    textBorderWidth: 3,
    align: 'left' as const,
  };
  return {
    type: 'scatter',
    silent: true,
    z: 6,
    symbolSize: 0.01,
    itemStyle: { opacity: 1, color: colour.background },
    data: points.flatMap((point) => {
      const isEstimate = limitFigure(point).kind === 'estimate';
      const top = pointTop(point);
      if (top <= 0) return [];
      const lines = pointLabelLines(point, frame);
      const abovePx = isEstimate ? 8 : point.upper === null ? 36 : point.lower === null ? 14 : 8;
      const place = frame.isDense
        ? {
            position: 'inside' as const,
            rotate: SLANT_DEGREES,
            verticalAlign: 'middle' as const,
            offset: labelOffset({ x: 3, y: -abovePx }, SLANT_DEGREES),
            formatter:
              frame.isNarrow || frame.isEstimated || point.upper === null
                ? pointLabelShort(point, frame.isEstimated)
                : lines.join(' · '),
          }
        : {
            position: 'top' as const,
            distance: abovePx,
            offset: [-10, 0],
            formatter: (frame.isNarrow ? lines.map(marginBelow) : lines).join('\n'),
          };
      const label = { ...style, ...place };
      return [{ value: [Math.log10(point.messageBytes), Math.log10(top)], label }];
    }),
  };
}

/** Keeps a label narrow: the margin goes below its rate. */
function marginBelow(line: string): string {
  return line.replace(' ±', '\n±');
}

function rate(messagesPerSecond: number): string {
  return messagesPerSecond >= 1e6 ? formatShort(messagesPerSecond) : formatCount(messagesPerSecond);
}
