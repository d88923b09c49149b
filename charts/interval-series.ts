import type { CustomSeriesOption, CustomSeriesRenderItemAPI, SeriesOption } from 'echarts';
import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import { type LimitFigure, limitFigure } from './limit-figure.ts';
import { LIGHT_PALETTE as colour } from './palette.ts';

type Estimate = Extract<LimitFigure, { kind: 'estimate' }>;

/** Pixels of an instant on the plane: log10 of bytes and of a rate. */
type ToPixels = (bytes: number, rate: number) => readonly [x: number, y: number];

/**
 * Draws how well the limit is known: the band of the 95 % interval from size to size, a bar at each size, and, as
 * brackets about the bar, the largest load that was sustained and the smallest that was overloaded.
 */
export function intervalSeries(points: readonly BoundaryPoint[]): SeriesOption[] {
  const known = points.flatMap((point) => {
    const figure = limitFigure(point);
    return figure.kind === 'estimate' ? [{ point, figure }] : [];
  });
  const bars = known.map(({ point, figure }) => (at: ToPixels) => ({
    type: 'group' as const,
    children: [barShape(point, figure, at), ...boundShapes(point, figure, at)],
  }));
  return [drawn(1, bandShapes(points)), drawn(3, bars)];
}

/** A layer of shapes; ECharts asks for each by its index. */
function drawn(
  z: number,
  shapes: readonly ((at: ToPixels) => NonNullable<ReturnType<RenderItem>>)[],
): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    z,
    data: shapes.map((_, index) => [index]),
    renderItem: (params, api) => shapes[params.dataIndex]?.(pixelsBy(api)),
  };
}

type RenderItem = NonNullable<CustomSeriesOption['renderItem']>;

function pixelsBy(api: CustomSeriesRenderItemAPI): ToPixels {
  return (bytes, rate) => {
    const [x = 0, y = 0] = api.coord([Math.log10(bytes), Math.log10(rate)]);
    return [x, y];
  };
}

/** A band over each run of neighbours that have an interval; nobody knows what lies beside the others. */
function bandShapes(points: readonly BoundaryPoint[]) {
  return points.flatMap((point, index) => {
    const next = points[index + 1];
    const [a, b] = [limitFigure(point), next && limitFigure(next)];
    if (!next || a.kind !== 'estimate' || b?.kind !== 'estimate') return [];
    const shape = (at: ToPixels) => ({
      type: 'polygon' as const,
      shape: {
        points: [
          at(point.messageBytes, a.low),
          at(point.messageBytes, a.high),
          at(next.messageBytes, b.high),
          at(next.messageBytes, b.low),
        ].map(([x, y]) => [x, y]),
      },
      style: { fill: colour.interval, stroke: colour.interval, lineWidth: 0.5 },
    });
    return [shape];
  });
}

function barShape({ messageBytes }: BoundaryPoint, { low, high }: Estimate, at: ToPixels) {
  const [x, lowPx] = at(messageBytes, low);
  const [, highPx] = at(messageBytes, high);
  return stroked(
    `M${x},${lowPx} L${x},${highPx} M${x - 5},${lowPx} h10 M${x - 5},${highPx} h10`,
    colour.sustained,
  );
}

/** A cap at each bound, tied to the bar by a thin stem where it lies outside of the interval. */
function boundShapes({ messageBytes, lower, upper }: BoundaryPoint, figure: Estimate, at: ToPixels) {
  return [
    { rate: lower?.messagesPerSecond ?? 0, end: figure.low, stroke: colour.sustained },
    { rate: upper?.messagesPerSecond ?? 0, end: figure.high, stroke: colour.overloaded },
  ].flatMap(({ rate, end, stroke }) => {
    if (rate <= 0) return [];
    const [x, y] = at(messageBytes, rate);
    const [, endPx] = at(messageBytes, end);
    const isOutside = rate < figure.low || rate > figure.high;
    return [
      stroked(`M${x - 9},${y} h18`, stroke),
      ...(isOutside ? [stroked(`M${x},${y} L${x},${endPx}`, stroke, [2, 3])] : []),
    ];
  });
}

function stroked(pathData: string, stroke: string, lineDash?: number[]) {
  return {
    type: 'path' as const,
    shape: { pathData },
    style: { stroke, lineWidth: 2, fill: 'none', ...(lineDash ? { lineDash } : {}) },
  };
}
