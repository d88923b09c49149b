import type { RunDocument } from '../boundary/run-document.ts';
import { brokerBytesIn } from './broker-bytes-in.ts';
import { bySize, pointFigures } from './point-figures.ts';

/** Columns of `curve.csv`; units in the names. Appending is compatible, renaming is not. */
export const CURVE_CSV_COLUMNS = [
  'run_id',
  'message_bytes',
  'quality',
  'lower_messages_per_second',
  'upper_messages_per_second',
  'estimate_messages_per_second',
  'lower_megabytes_per_second',
  'lower_megabytes_per_second_per_broker',
  'half_width_ratio',
  'lower_np',
  'lower_unit_rate_messages_per_second',
  'upper_np',
  'upper_unit_rate_messages_per_second',
  'limit_rule',
  'limit_broker_id',
  'brokers',
  'kafka_version',
  'trials',
  'seconds',
  'notes',
  'lower_broker_bytes_in_megabytes_per_second',
  'signals',
  'interval_low_messages_per_second',
  'interval_high_messages_per_second',
  'hold_planned_seconds',
  'hold_lasted_messages_per_second',
  'former_ratio',
  'simulated',
] as const;

type Cell = string | number | null;

/** Writes one row per point (RFC 4180: CRLF, fields quoted when needed); an empty field means "not known". */
export function curveCsv(document: RunDocument): string {
  const brokers = document.cluster.brokerIds.length;
  const rows = bySize(document.points).map((point): readonly Cell[] => {
    const figures = pointFigures(point, brokers);
    return [
      document.run.runId,
      point.messageBytes,
      point.quality,
      figures.lowerMessagesPerSecond,
      figures.upperMessagesPerSecond,
      point.estimate,
      figures.megabytesPerSecond,
      figures.megabytesPerSecondPerBroker,
      figures.halfWidthRatio,
      point.lower?.np ?? null,
      point.lower?.unitRate ?? null,
      point.upper?.np ?? null,
      point.upper?.unitRate ?? null,
      point.limit?.rule ?? null,
      point.limit?.brokerId ?? null,
      brokers,
      document.cluster.kafkaVersion,
      point.trials,
      point.seconds,
      point.notes.join('; '),
      brokerBytesIn(point, document.trials),
      document.signals.source,
      point.interval?.low ?? null,
      point.interval?.high ?? null,
      point.hold?.plannedSeconds ?? null,
      point.hold?.lasted?.messagesPerSecond ?? null,
      point.former?.ratio ?? null,
      document.environment.simulated ?? null,
    ];
  });
  return [CURVE_CSV_COLUMNS, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function field(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
