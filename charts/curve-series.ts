import type { SeriesOption } from 'echarts';
import type { BoundaryPoint, PointQuality } from '../boundary/boundary-point.ts';
import { bracketSeries } from './bracket-series.ts';
import type { CurveFrame } from './curve-frame.ts';
import { intervalSeries } from './interval-series.ts';
import { isolineSeries } from './isoline-series.ts';
import { markerSymbol } from './key-shapes.ts';
import { limitFigure } from './limit-figure.ts';
import { logRate } from './log-rate.ts';
import { LIGHT_PALETTE as colour } from './palette.ts';
import { pointLabelSeries } from './point-label.ts';

/**
 * Builds the layers of the curve, lowest first: region, isolines, intervals, line, brackets, markers, labels. The line
 * is that of the estimates where a model gave intervals, else that of the lower bounds.
 */
export function curveSeries(points: readonly BoundaryPoint[], frame: CurveFrame): SeriesOption[] {
  const qualities = [...new Set(points.map((point) => point.quality))];
  return [
    regionSeries(points),
    ...isolineSeries(points, frame),
    ...(frame.isEstimated ? intervalSeries(points) : []),
    lineSeries(frame.isEstimated ? estimates(points) : lowerBounds(points)),
    bracketSeries(points.filter((point) => limitFigure(point).kind !== 'estimate')),
    ...qualities.map((quality) => markerSeries(points, quality, frame.isEstimated)),
    pointLabelSeries(points, frame),
  ];
}

function lowerBounds(points: readonly BoundaryPoint[]): (number | '-')[][] {
  return points.map((point) => [
    Math.log10(point.messageBytes),
    logRate(point.lower?.messagesPerSecond) ?? '-',
  ]);
}

function estimates(points: readonly BoundaryPoint[]): (number | '-')[][] {
  return points.map((point) => [Math.log10(point.messageBytes), logRate(estimateOf(point)) ?? '-']);
}

function estimateOf(point: BoundaryPoint): number | null {
  const figure = limitFigure(point);
  return figure.kind === 'estimate' ? figure.messagesPerSecond : null;
}

function regionSeries(points: readonly BoundaryPoint[]): SeriesOption {
  return {
    type: 'line',
    silent: true,
    z: 0,
    symbol: 'none',
    lineStyle: { width: 0 },
    areaStyle: { color: colour.sustainedTint, opacity: 1, origin: 'start' },
    data: lowerBounds(points),
  };
}

/** The curve; it breaks where nothing is known of a size, since nobody knows what lies between. */
function lineSeries(data: (number | '-')[][]): SeriesOption {
  return {
    type: 'line',
    silent: true,
    z: 2,
    symbol: 'none',
    connectNulls: false,
    lineStyle: { color: colour.sustained, width: 2.5 },
    data,
  };
}

/** Smaller about an estimate, whose interval and bounds must be seen beside it. */
function markerSeries(
  points: readonly BoundaryPoint[],
  quality: PointQuality,
  isEstimated: boolean,
): SeriesOption {
  const isFilled = quality === 'converged';
  const sizePx = isFilled ? 11 : 14;
  return {
    type: 'scatter',
    silent: true,
    z: 5,
    symbol: markerSymbol(quality),
    symbolSize: isEstimated ? sizePx - 3 : sizePx,
    itemStyle: {
      opacity: 1,
      color: isFilled ? colour.sustained : colour.background,
      borderColor: colour.sustained,
      borderWidth: isFilled ? 0 : 2.5,
    },
    data: points.flatMap((point) => {
      const rate =
        logRate(estimateOf(point)) ??
        logRate(point.lower?.messagesPerSecond) ??
        logRate(point.upper?.messagesPerSecond);
      return point.quality === quality && rate !== null ? [[Math.log10(point.messageBytes), rate]] : [];
    }),
  };
}
