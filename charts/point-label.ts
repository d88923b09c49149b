import type { SeriesOption } from 'echarts';
import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import { formatBytes } from '../boundary/units.ts';
import type { CurveFrame } from './curve-frame.ts';
import { labelOffset } from './label-offset.ts';
import { formatCount, formatMegabytes, formatShort } from './number-text.ts';
import { LIGHT_PALETTE as colour } from './palette.ts';
import { pointFigures } from './point-figures.ts';

/**
 * Lines of a point's label: the quality unless it converged, messages per second, MB/s.
 * @param withSize put the size first, for points whose size has no label on the axis.
 */
export function pointLabelLines(point: BoundaryPoint, withSize: boolean): readonly string[] {
  const {
    lowerMessagesPerSecond: lower,
    upperMessagesPerSecond: upper,
    megabytesPerSecond,
  } = pointFigures(point, 1);
  const figures =
    lower === null || megabytesPerSecond === null
      ? [upper === null ? 'no bound' : `below ${rate(upper)}/s`]
      : [`${rate(lower)}/s`, `${formatMegabytes(megabytesPerSecond)} MB/s`];
  return [
    ...(withSize ? [formatBytes(point.messageBytes)] : []),
    ...(point.quality === 'converged' ? [] : [point.quality]),
    ...figures,
  ];
}

/** The shortest label, for many points on a narrow picture: the quality unless it converged, messages per second. */
export function pointLabelShort(point: BoundaryPoint): string {
  const figure = `${formatShort((point.lower ?? point.upper)?.messagesPerSecond ?? Number.NaN)}/s`;
  return point.quality === 'converged' ? figure : `${point.quality} ${figure}`;
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
      const top = Math.max(point.lower?.messagesPerSecond ?? 0, point.upper?.messagesPerSecond ?? 0);
      if (top <= 0) return [];
      const lines = pointLabelLines(point, !frame.sizeTicks.includes(point.messageBytes));
      const abovePx = point.upper === null ? 36 : point.lower === null ? 14 : 8;
      const place = frame.isDense
        ? {
            position: 'inside' as const,
            rotate: SLANT_DEGREES,
            verticalAlign: 'middle' as const,
            offset: labelOffset({ x: 3, y: -abovePx }, SLANT_DEGREES),
            formatter: frame.isNarrow || point.upper === null ? pointLabelShort(point) : lines.join(' · '),
          }
        : { position: 'top' as const, distance: abovePx, offset: [-10, 0], formatter: lines.join('\n') };
      const label = { ...style, ...place };
      return [{ value: [Math.log10(point.messageBytes), Math.log10(top)], label }];
    }),
  };
}

function rate(messagesPerSecond: number): string {
  return messagesPerSecond >= 1e6 ? formatShort(messagesPerSecond) : formatCount(messagesPerSecond);
}
