import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import type { RunDocument, TrialRecord } from '../boundary/run-document.ts';
import { formatBytes } from '../boundary/units.ts';
import { bracketBar } from './bracket-bar.ts';
import { brokerBytesIn } from './broker-bytes-in.ts';
import { betweenSizesText } from './curve-remarks.ts';
import { html, type Markup } from './html.ts';
import { hasEstimates, limitFigure, limitFigureText } from './limit-figure.ts';
import { formatCount, formatMegabytes, formatPrecision, formatSeconds } from './number-text.ts';
import { bySize, limitText, type PointFigures, pointFigures } from './point-figures.ts';
import { pointRemarks } from './point-remarks.ts';
import { rowWithRemark } from './remark-row.ts';
import { lowerBoundWord } from './signals-text.ts';

interface Row {
  readonly point: BoundaryPoint;
  readonly figures: PointFigures;
  /** MB/s as the brokers count it. */
  readonly bytesIn: number | null;
}

interface Column {
  readonly heading: string;
  /** How the cell is set; numbers stand on the right. */
  readonly style?: 'text' | 'text long';
  readonly cell: (row: Row) => string | Markup;
}

/** The table of points: where the limit lies, what was sustained, what overloaded, and what set the limit. */
export function pointsTable(document: RunDocument): Markup {
  const brokers = document.cluster.brokerIds.length;
  const columns = columnsOf(document);
  const rows = bySize(document.points).map(
    (point): Row => ({
      point,
      figures: pointFigures(point, brokers),
      bytesIn: brokerBytesIn(point, document.trials),
    }),
  );
  const between = betweenSizesText(document.points);
  return html`<div class="scroll"><table>
<thead><tr><th scope="col">Message size</th>${columns.map(({ heading, style }) => html`<th scope="col" class="${style ?? ''}">${heading}</th>`)}</tr></thead>
<tbody>${rows.map((row) => tableRow(row, columns))}</tbody>
</table></div>${between === null ? html`` : html`<p class="muted">${sentence(between)}</p>`}`;
}

/** A row of figures, and below it what else there is to say about the point. */
function tableRow(row: Row, columns: readonly Column[]): Markup {
  const remarks = pointRemarks(row.point).join('; ');
  const figures = html`<th scope="row">${formatBytes(row.point.messageBytes)}</th>${columns.map(({ cell, style }) => html`<td class="${style ?? ''}">${cell(row)}</td>`)}`;
  return rowWithRemark(figures, remarks, columns.length);
}

function columnsOf(document: RunDocument): readonly Column[] {
  const bounds: readonly Column[] = [
    {
      heading: `Messages/s ${lowerBoundWord(document)}`,
      cell: ({ figures }) => known(figures.lowerMessagesPerSecond, formatCount),
    },
    {
      heading: 'Messages/s overloaded',
      cell: ({ figures }) => known(figures.upperMessagesPerSecond, formatCount),
    },
  ];
  const leading = hasEstimates(document.points) ? [LIMIT, ...bounds] : [NP, ...bounds, PRECISION];
  return [...leading, ...FIGURES];
}

const LIMIT: Column = {
  heading: 'Limit, messages/s, with 95\u00a0% interval',
  cell: ({ point }) => limitCell(point),
};

const NP: Column = {
  heading: 'Pro\u00adducers',
  cell: ({ point }) => known(point.lower?.np ?? null, formatCount),
};

const PRECISION: Column = {
  heading: 'Precision',
  cell: ({ figures }) => known(figures.halfWidthRatio, (ratio) => `± ${formatPrecision(ratio)}`),
};

const FIGURES: readonly Column[] = [
  { heading: 'MB/s', cell: ({ figures }) => known(figures.megabytesPerSecond, formatMegabytes) },
  {
    heading: 'MB/s per broker',
    cell: ({ figures }) => known(figures.megabytesPerSecondPerBroker, formatMegabytes),
  },
  { heading: "Brokers' bytes-in, MB/s", cell: ({ bytesIn }) => known(bytesIn, formatMegabytes) },
  { heading: 'Quality', style: 'text', cell: ({ point }) => point.quality },
  { heading: 'Limited by', style: 'text long', cell: ({ point }) => limitText(point) || '-' },
  { heading: 'Trials', cell: ({ point }) => String(point.trials) },
  { heading: 'Time', cell: ({ point }) => formatSeconds(point.seconds) },
];

/** The estimate with its margin, and below it the two ends of the interval. */
function limitCell(point: BoundaryPoint): Markup {
  const figure = limitFigure(point);
  const { rate, margin } = limitFigureText(figure);
  if (figure.kind !== 'estimate' || margin === '') return html`${rate}`;
  return html`<strong>${rate}</strong> ${margin}<br><span class="muted">${formatCount(figure.low)} to ${formatCount(figure.high)}</span>`;
}

/** One small picture per message size: how the search closed in. */
export function bracketFigures(document: RunDocument): Markup {
  const figures = bySize(document.points).map((point) => {
    const trials = trialsOf(document, point.messageBytes);
    return html`<figure><h3>${formatBytes(point.messageBytes)} messages</h3>${bracketBar(point, trials)}</figure>`;
  });
  return html`<div class="brackets">${figures}</div>`;
}

/** Trials at one message size in the order they ran. */
function trialsOf(document: RunDocument, messageBytes: number): readonly TrialRecord[] {
  return document.trials
    .filter((trial) => trial.plan.messageBytes === messageBytes)
    .sort((a, b) => a.sequence - b.sequence);
}

function known(value: number | null, format: (value: number) => string): string {
  return value === null ? '-' : format(value);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
