import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import type { RunDocument } from '../boundary/run-document.ts';
import { formatBytes } from '../boundary/units.ts';
import { betweenSizesText, doseText } from './curve-remarks.ts';
import { hasEstimates } from './limit-figure.ts';
import { bySize, limitText } from './point-figures.ts';
import { pointRemarks } from './point-remarks.ts';
import { deliveryOnlyMark, lowerBoundWord, signalsSentence } from './signals-text.ts';
import { isSimulated, SIMULATED_SENTENCE } from './simulated-text.ts';
import { type TableColumn, tableColumns } from './table-columns.ts';

export interface TableStyle {
  /** Characters per line. */
  readonly columns: number;
  /** Nothing outside ASCII, for terminals and logs that cannot show it. */
  readonly isAscii: boolean;
}

/**
 * Writes the result as a table for the terminal: one row per message size, lesser columns left out until it fits,
 * then what limited each size (when its column had to go), holds, comparisons and notes, wrapped.
 * @returns lines joined by newlines, with one at the end; never a colour code.
 */
export function terminalTable(document: RunDocument, style: TableStyle): string {
  const points = bySize(document.points);
  const first = isSimulated(document) ? [...wrap(SIMULATED_SENTENCE, style.columns), ''] : [];
  if (points.length === 0) return `${[...first, 'No message size has a result yet.'].join('\n')}\n`;
  const columns = fittingColumns(document, points, style);
  const remarks = remarksOf(document, points, columns).flatMap((text) =>
    wrap(written(text, style), style.columns),
  );
  const lines = [
    ...first,
    ...rowsOf(columns, points.length, style),
    ...(remarks.length > 0 ? ['', ...remarks] : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** A column with its cells written out. */
interface WrittenColumn {
  readonly column: TableColumn;
  readonly cells: readonly string[];
  readonly width: number;
}

function fittingColumns(
  document: RunDocument,
  points: readonly BoundaryPoint[],
  style: TableStyle,
): readonly WrittenColumn[] {
  const brokers = document.cluster.brokerIds.length;
  let columns = tableColumns(points, lowerBoundWord(document)).map((column): WrittenColumn => {
    const cells = [...column.heading, ...points.map((point) => column.cell(point, brokers))].map((text) =>
      written(text, style),
    );
    return { column, cells, width: Math.max(...cells.map((cell) => cell.length)) };
  });
  for (;;) {
    const width = columns.reduce((sum, column) => sum + column.width + 2, -2);
    const least = columns.reduce((a, b) => (b.column.dropOrder > a.column.dropOrder ? b : a));
    if (width <= style.columns || least.column.dropOrder === 0) return columns;
    columns = columns.filter((column) => column !== least);
  }
}

const HEADING_ROWS = 2;

function rowsOf(columns: readonly WrittenColumn[], points: number, style: TableStyle): string[] {
  const rows = Array.from({ length: HEADING_ROWS + points }, (_, row) =>
    columns
      .map(({ column, cells, width }) => pad(cells[row] ?? '', width, column.align))
      .join('  ')
      .trimEnd(),
  );
  const rule = columns.map(({ width }) => (style.isAscii ? '-' : '─').repeat(width)).join('  ');
  return [...rows.slice(0, HEADING_ROWS), rule, ...rows.slice(HEADING_ROWS)];
}

function remarksOf(
  document: RunDocument,
  points: readonly BoundaryPoint[],
  shown: readonly WrittenColumn[],
): string[] {
  const isLimitShown = shown.some(({ column }) => column.heading[0] === 'limited by');
  const between = betweenSizesText(points);
  const dose = doseText(document);
  return [
    ...(deliveryOnlyMark(document) === null ? [] : [signalsSentence(document)]),
    ...(hasEstimates(points) ? [HOW_TO_READ] : []),
    ...sharedLines(points, isLimitShown),
    ...(between === null ? [] : [between]),
    ...(dose === null ? [] : [`overload dose ${dose}`]),
  ];
}

const HOW_TO_READ = 'The limit is an estimate with its 95 % interval; plan with what was sustained.';

/** What there is to say of each size, once for all that share it: `1 kB, 4 kB: limited by ...`. */
function sharedLines(points: readonly BoundaryPoint[], isLimitShown: boolean): string[] {
  const sizesOfLine = new Map<string, string[]>();
  for (const point of points) {
    for (const line of pointLines(point, isLimitShown)) {
      sizesOfLine.set(line, [...(sizesOfLine.get(line) ?? []), formatBytes(point.messageBytes)]);
    }
  }
  return [...sizesOfLine].map(([line, sizes]) => {
    const isOfAll = sizes.length === points.length && sizes.length > 1;
    return `${isOfAll ? 'all sizes' : sizes.join(', ')}: ${line}`;
  });
}

function pointLines(point: BoundaryPoint, isLimitShown: boolean): string[] {
  return [
    ...(point.limit && !isLimitShown ? [`limited by ${limitText(point)}`] : []),
    ...pointRemarks(point),
  ];
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

/** Turns a text into what the terminal can show; before anything is measured, since `±` grows. */
function written(text: string, style: TableStyle): string {
  return style.isAscii ? text.replaceAll('±', '+/-').replace(/[^\n\x20-\x7e]/g, '?') : text;
}
