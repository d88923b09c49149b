import type { SeriesOption } from 'echarts';
import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import type { CurveFrame } from './curve-frame.ts';
import { type Isoline, isolineLabel, isolines } from './isoline.ts';
import { labelOffset } from './label-offset.ts';
import { LIGHT_PALETTE as colour } from './palette.ts';
import { pointTop } from './point-label.ts';

/** A place on the plane: log10 of bytes and of messages per second. */
type Place = readonly [bytes: number, rate: number];

/** Draws the lines of equal throughput, each with its label where no point's label stands. */
export function isolineSeries(points: readonly BoundaryPoint[], frame: CurveFrame): SeriesOption[] {
  const { bytesDecadePx, rateDecadePx } = frame;
  const decadePx = Math.hypot(bytesDecadePx, rateDecadePx);
  const rotate = (-Math.atan2(rateDecadePx, bytesDecadePx) * 180) / Math.PI;
  // beside the line, 8 px to its upper right
  const aside = { x: (8 * rateDecadePx) / decadePx, y: (-8 * bytesDecadePx) / decadePx };
  return isolines(frame.window, frame.isNarrow ? 4 : 5).map((line): SeriesOption => {
    const place = freePlace(line, points, frame);
    const label = {
      show: true,
      position: 'inside' as const,
      formatter: isolineLabel(line.megabytesPerSecond),
      rotate,
      offset: labelOffset(aside, rotate),
      color: colour.muted,
      fontSize: 11,
    };
    return {
      type: 'line',
      silent: true,
      z: 1,
      showSymbol: true,
      symbol: 'circle',
      symbolSize: 0.01,
      lineStyle: { color: colour.isoline, width: 1, type: [2, 4] },
      data: [
        [Math.log10(line.from.bytes), Math.log10(line.from.rate)],
        ...(place ? [{ value: [...place], label }] : []),
        [Math.log10(line.to.bytes), Math.log10(line.to.rate)],
      ],
    };
  });
}

const LABEL_STEP_PX = 40;

/** The place nearest to the lower end of the line that no point's label covers; null when there is none. */
function freePlace(line: Isoline, points: readonly BoundaryPoint[], frame: CurveFrame): Place | null {
  const { bytesDecadePx, rateDecadePx } = frame;
  const [bytes, rate] = [Math.log10(line.to.bytes), Math.log10(line.to.rate)];
  const length = bytes - Math.log10(line.from.bytes);
  const step = LABEL_STEP_PX / Math.hypot(bytesDecadePx, rateDecadePx);
  for (let along = step; along < length; along += step) {
    const place: Place = [bytes - along, rate + along];
    if (!points.some((point) => isCovered(place, point, frame))) return place;
  }
  return null;
}

/** What a point's label takes, with room for half the isoline's: pixels from the point, up and to both sides. */
const COVERED = { abovePx: 120, leftPx: 30, rightPx: 75 };

function isCovered([bytes, rate]: Place, point: BoundaryPoint, frame: CurveFrame): boolean {
  const top = pointTop(point);
  if (top <= 0) return false;
  const rightPx = (bytes - Math.log10(point.messageBytes)) * frame.bytesDecadePx;
  const abovePx = (rate - Math.log10(top)) * frame.rateDecadePx;
  const isBeside = rightPx > -COVERED.leftPx && rightPx < COVERED.rightPx;
  return isBeside && abovePx > -20 && abovePx < COVERED.abovePx;
}
