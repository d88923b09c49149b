import type { BoundaryPoint, RateInterval } from '../boundary/boundary-point.ts';
import type { RunDocument } from '../boundary/run-document.ts';
import { formatBytes } from '../boundary/units.ts';
import { formatCount, formatMegabytes, formatPrecision } from './number-text.ts';
import { bySize, limitText, pointFigures } from './point-figures.ts';
import { deliveryOnlyMark, lowerBoundWord, signalsSentence } from './signals-text.ts';

export interface TableStyle {
  /** Characters per line. */
  readonly columns: number;
  /** Nothing outside ASCII, for terminals and logs that cannot show it. */
  readonly isAscii: boolean;
}

interface Column {
  readonly heading: readonly [string, string];
  readonly align: 'left' | 'right';
  /** Left out first: the highest number. 0 stays whatever happens. */
  readonly dropOrder: number;
  readonly cell: (point: BoundaryPoint, brokers: number) => string;
}

const NOTHING = '-';

/** `limited by` comes first in the order of dropping since it is then said below the table, nothing being lost. */
const COLUMNS: readonly Column[] = [
  { heading: ['message', 'size'], align: 'right', dropOrder: 0, cell: (p) => formatBytes(p.messageBytes) },
  { heading: ['np', ''], align: 'right', dropOrder: 5, cell: (p) => orNothing(p.lower?.np) },
  {
    heading: ['messages/s', 'sustained'],
    align: 'right',
    dropOrder: 0,
    cell: (p) => orNothing(p.lower?.messagesPerSecond),
  },
  {
    heading: ['overloaded', 'at'],
    align: 'right',
    dropOrder: 4,
    cell: (p) => orNothing(p.upper?.messagesPerSecond),
  },
  { heading: ['+/-', ''], align: 'right', dropOrder: 3, cell: (p, brokers) => halfWidth(p, brokers) },
  {
    heading: ['MB/s', ''],
    align: 'right',
    dropOrder: 1,
    cell: (p, brokers) => megabytes(pointFigures(p, brokers).megabytesPerSecond),
  },
  {
    heading: ['MB/s per', 'broker'],
    align: 'right',
    dropOrder: 2,
    cell: (p, brokers) => megabytes(pointFigures(p, brokers).megabytesPerSecondPerBroker),
  },
  { heading: ['quality', ''], align: 'left', dropOrder: 0, cell: (p) => p.quality },
  { heading: ['trials', ''], align: 'right', dropOrder: 6, cell: (p) => String(p.trials) },
  { heading: ['limited by', ''], align: 'left', dropOrder: 7, cell: (p) => limitText(p) || NOTHING },
];

/**
 * Writes the result as a table for the terminal: one row per message size, lesser columns left out until it fits,
 * then what limited each size (when its column had to go) and the notes, wrapped.
 * @returns lines joined by newlines, with one at the end; never a colour code.
 */
export function terminalTable(document: RunDocument, style: TableStyle): string {
  const points = bySize(document.points);
  if (points.length === 0) return 'No message size has a result yet.\n';
  const brokers = document.cluster.brokerIds.length;
  const columns = fittingColumns(points, brokers, style.columns);
  const widths = columns.map((column) => columnWidth(column, points, brokers));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align ?? 'left'))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => (style.isAscii ? '-' : '─').repeat(width)).join('  ');
  const rows = [
    line(columns.map((column) => column.heading[0])),
    line(columns.map(({ heading }) => (heading[1] === 'sustained' ? lowerBoundWord(document) : heading[1]))),
    rule,
    ...points.map((point) => line(columns.map((column) => column.cell(point, brokers)))),
  ];
  const signals = deliveryOnlyMark(document) === null ? [] : [signalsSentence(document)];
  const remarks = [...signals, ...points.flatMap((point) => remarksOf(point, columns))].flatMap((text) =>
    wrap(text, style.columns),
  );
  const text = `${[...rows, ...(remarks.length > 0 ? ['', ...remarks] : [])].join('\n')}\n`;
  return style.isAscii ? toAscii(text) : text.replaceAll('+/-', '±  ');
}

function fittingColumns(
  points: readonly BoundaryPoint[],
  brokers: number,
  available: number,
): readonly Column[] {
  let columns = COLUMNS;
  for (;;) {
    const width = columns.reduce((sum, column) => sum + columnWidth(column, points, brokers) + 2, -2);
    const least = columns.reduce((worst, column) => (column.dropOrder > worst.dropOrder ? column : worst));
    if (width <= available || least.dropOrder === 0) return columns;
    columns = columns.filter((column) => column !== least);
  }
}

function columnWidth(column: Column, points: readonly BoundaryPoint[], brokers: number): number {
  return Math.max(
    ...column.heading.map((text) => text.length),
    ...points.map((point) => column.cell(point, brokers).length),
  );
}

function remarksOf(point: BoundaryPoint, shown: readonly Column[]): string[] {
  const size = formatBytes(point.messageBytes);
  const isLimitShown = shown.some((column) => column.heading[0] === 'limited by');
  return [
    ...(point.limit && !isLimitShown ? [`${size}: limited by ${limitText(point)}`] : []),
    ...(point.interval && point.estimate !== null
      ? [`${size}: ${intervalText(point.estimate, point.interval)}`]
      : []),
    ...point.notes.map((note) => `${size}: ${note}`),
  ];
}

function intervalText(estimate: number, { low, high }: RateInterval): string {
  return `the limit is about ${formatCount(estimate)}/s, with 95 % between ${formatCount(low)} and ${formatCount(high)}`;
}

/** Breaks a text at spaces; continued lines are indented. A word longer than the line stays whole. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = `  ${word}`;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  return align === 'right' ? text.padStart(width) : text.padEnd(width);
}

function orNothing(value: number | undefined): string {
  return value === undefined ? NOTHING : formatCount(value);
}

function megabytes(value: number | null): string {
  return value === null ? NOTHING : formatMegabytes(value);
}

function halfWidth(point: BoundaryPoint, brokers: number): string {
  const ratio = pointFigures(point, brokers).halfWidthRatio;
  return ratio === null ? NOTHING : formatPrecision(ratio);
}

function toAscii(text: string): string {
  return text.replace(/[^\n\x20-\x7e]/g, '?');
}
