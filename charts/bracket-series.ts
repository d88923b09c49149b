import type { CustomSeriesOption } from 'echarts';
import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import { logRate } from './log-rate.ts';
import { LIGHT_PALETTE as colour } from './palette.ts';

/** Bars from lower to upper bound; an arrow where one side is open. */
export function bracketSeries(points: readonly BoundaryPoint[]): CustomSeriesOption {
  const rows = points.flatMap((point) => {
    const low = logRate(point.lower?.messagesPerSecond);
    const high = logRate(point.upper?.messagesPerSecond);
    const any = low ?? high;
    return any === null ? [] : [{ x: Math.log10(point.messageBytes), low, high, any }];
  });
  return {
    type: 'custom',
    silent: true,
    z: 4,
    data: rows.map((row) => [row.x, row.low ?? row.any, row.high ?? row.any]),
    renderItem: (params, api) => {
      const row = rows[params.dataIndex];
      const [x = 0, lowPx = 0] = api.coord([api.value(0), api.value(1)]);
      const [, highPx = 0] = api.coord([api.value(0), api.value(2)]);
      const style = { stroke: colour.overloaded, lineWidth: 2, fill: 'none' };
      return {
        type: 'path',
        shape: {
          pathData: bracketPath(x, row?.low === null ? null : lowPx, row?.high === null ? null : highPx),
        },
        style,
      };
    },
  };
}

function bracketPath(x: number, lowPx: number | null, highPx: number | null): string {
  if (highPx === null) return arrow(x, (lowPx ?? 0) - 9, -22);
  const cap = `M${x - 7},${highPx} L${x + 7},${highPx}`;
  return lowPx === null ? `${cap} ${arrow(x, highPx + 9, 22)}` : `${cap} M${x},${highPx} L${x},${lowPx}`;
}

/** An arrow of `lengthPx` (negative: upwards) that starts at x, y. */
function arrow(x: number, y: number, lengthPx: number): string {
  const tip = y + lengthPx;
  const back = tip - Math.sign(lengthPx) * 6;
  return `M${x},${y} L${x},${tip} M${x - 5},${back} L${x},${tip} L${x + 5},${back}`;
}
