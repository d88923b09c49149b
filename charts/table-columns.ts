import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import { formatBytes } from '../boundary/units.ts';
import { hasEstimates, limitFigure, limitFigureText } from './limit-figure.ts';
import { formatCount, formatMegabytes, formatPrecision } from './number-text.ts';
import { limitText, pointFigures } from './point-figures.ts';

/** A column of the table for the terminal. */
export interface TableColumn {
  readonly heading: readonly [string, string];
  readonly align: 'left' | 'right';
  /** Left out first: the highest number. 0 stays whatever happens. */
  readonly dropOrder: number;
  readonly cell: (point: BoundaryPoint, brokers: number) => string;
}

export const NOTHING = '-';

/** The columns for these points: led by the estimate where a model gave intervals, else by the bounds. */
export function tableColumns(
  points: readonly BoundaryPoint[],
  lowerWord: 'sustained' | 'delivered',
): readonly TableColumn[] {
  return hasEstimates(points) ? estimateColumns(lowerWord) : boundColumns(lowerWord);
}

/**
 * Short headings, so that 80 columns show both bounds. Rate and margin of the limit both stay whatever happens: neither is ever shown without the other.
 */
function estimateColumns(lowerWord: string): readonly TableColumn[] {
  return [
    { ...SIZE, heading: ['size', ''] },
    {
      heading: ['limit', 'messages/s'],
      align: 'right',
      dropOrder: 0,
      cell: (point) => limitFigureText(limitFigure(point)).rate,
    },
    {
      heading: ['95 %', ''],
      align: 'right',
      dropOrder: 0,
      cell: (point) => limitFigureText(limitFigure(point)).margin,
    },
    { ...LOWER, heading: [lowerWord, ''] },
    UPPER,
    ...REST,
  ];
}

function boundColumns(lowerWord: string): readonly TableColumn[] {
  return [
    SIZE,
    { heading: ['np', ''], align: 'right', dropOrder: 5, cell: (point) => orNothing(point.lower?.np) },
    { ...LOWER, heading: ['messages/s', lowerWord] },
    UPPER,
    { heading: ['±', ''], align: 'right', dropOrder: 3, cell: halfWidth },
    ...REST,
  ];
}

const SIZE: TableColumn = {
  heading: ['message', 'size'],
  align: 'right',
  dropOrder: 0,
  cell: (point) => formatBytes(point.messageBytes),
};

const LOWER: Omit<TableColumn, 'heading'> = {
  align: 'right',
  dropOrder: 0,
  cell: (point) => orNothing(point.lower?.messagesPerSecond),
};

const UPPER: TableColumn = {
  heading: ['overloaded', 'at'],
  align: 'right',
  dropOrder: 4,
  cell: (point) => orNothing(point.upper?.messagesPerSecond),
};

/** `limited by` comes first in the order of dropping since it is then said below the table, nothing being lost. */
const REST: readonly TableColumn[] = [
  {
    heading: ['MB/s', ''],
    align: 'right',
    dropOrder: 1,
    cell: (point, brokers) => megabytes(pointFigures(point, brokers).megabytesPerSecond),
  },
  {
    heading: ['MB/s per', 'broker'],
    align: 'right',
    dropOrder: 2,
    cell: (point, brokers) => megabytes(pointFigures(point, brokers).megabytesPerSecondPerBroker),
  },
  { heading: ['quality', ''], align: 'left', dropOrder: 0, cell: (point) => point.quality },
  { heading: ['trials', ''], align: 'right', dropOrder: 6, cell: (point) => String(point.trials) },
  {
    heading: ['limited by', ''],
    align: 'left',
    dropOrder: 7,
    cell: (point) => limitText(point) || NOTHING,
  },
];

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
