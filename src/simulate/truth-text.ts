import type { BoundaryPoint } from '../../boundary/boundary-point.ts';
import type { RunDocument } from '../../boundary/run-document.ts';
import type { TrueLimit } from '../../boundary/simulator/true-limit.ts';
import { formatBytes } from '../../boundary/units.ts';
import { formatCount } from '../../charts/number-text.ts';

/** What to look at beside the result: the limits that a simulated cluster really has, and how far each estimate is off. */
export function truthText(document: RunDocument, truths: readonly TrueLimit[]): string {
  const lines = truths.map((truth) => {
    const point = document.points.find(({ messageBytes }) => messageBytes === truth.messageBytes);
    return [
      formatBytes(truth.messageBytes),
      `${formatCount(truth.messagesPerSecond)}/s`,
      saidOf(point, truth),
    ];
  });
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const rows = lines.map(([size = '', limit = '', said = '']) =>
    `  ${size.padStart(widths[0] ?? 0)}  ${limit.padStart(widths[1] ?? 0)}  ${said}`.trimEnd(),
  );
  return ['The true limits, which only a simulated cluster tells:', ...rows, ''].join('\n');
}

function saidOf(point: BoundaryPoint | undefined, truth: TrueLimit): string {
  const limit = `limit by ${truth.rule}`;
  if (truth.lasting === null) return [limit, ...estimateText(point, truth.messagesPerSecond)].join(', ');
  const lasting = `${formatCount(truth.lasting)}/s lasts`;
  const hasDropped = (point?.hold?.drops.length ?? 0) > 0;
  // A hold that dropped has found what lasts; without one the search knows the fresh cluster only.
  return hasDropped
    ? `${limit}; ${[lasting, ...estimateText(point, truth.lasting)].join(', ')}`
    : `${[limit, ...estimateText(point, truth.messagesPerSecond)].join(', ')}; ${lasting}`;
}

/** How far a point is off what it should have found, messages per second. */
function estimateText(point: BoundaryPoint | undefined, wanted: number): string[] {
  if (!point) return [];
  const { estimate, interval, lower, upper } = point;
  if (estimate === null) return ['no estimate'];
  const off = `estimate ${signedPercent(estimate / wanted - 1)}`;
  if (interval) return [off, within(wanted, interval.low, interval.high, 'interval')];
  if (!lower || !upper) return [off];
  return [off, within(wanted, lower.messagesPerSecond, upper.messagesPerSecond, 'bounds')];
}

function within(limit: number, low: number, high: number, what: string): string {
  return low <= limit && limit <= high ? `inside its ${what}` : `outside its ${what}`;
}

/** +1.2 %, -0.4 %. */
function signedPercent(ratio: number): string {
  const text = (ratio * 100).toFixed(1);
  return `${ratio < 0 ? '' : '+'}${text} %`;
}
