import type { BoundaryPoint } from '../boundary/boundary-point.ts';
import type { RunDocument, TrialRecord } from '../boundary/run-document.ts';
import { brokerBytesIn } from './broker-bytes-in.ts';
import { latencyTrial } from './latency-table.ts';
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
  'lower_ack_latency_p50_ms',
  'lower_ack_latency_p99_ms',
  'lower_ack_latency_p999_ms',
] as const;

/** Of runs with consumer groups, behind the others. */
export const CONSUMER_CSV_COLUMNS = ['consumer_groups', 'lower_consumed_messages_per_second'] as const;

type Cell = string | number | null;

/** Writes one row per point (RFC 4180: CRLF, fields quoted when needed); an empty field means "not known". */
export function curveCsv(document: RunDocument): string {
  const brokers = document.cluster.brokerIds.length;
  const isRead = document.trials.some(({ consumers }) => consumers !== undefined);
  const rows = bySize(document.points).map((point): readonly Cell[] => {
    const figures = pointFigures(point, brokers);
    const latency = latencyTrial(point, document.trials)?.ackLatency;
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
      latency?.p50Ms ?? null,
      latency?.p99Ms ?? null,
      latency?.p999Ms ?? null,
      ...(isRead ? consumerCells(point, document.trials) : []),
    ];
  });
  const columns = [...CURVE_CSV_COLUMNS, ...(isRead ? CONSUMER_CSV_COLUMNS : [])];
  return [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

/** Groups, and what all of them consumed together at the lower bound. */
function consumerCells({ lower, messageBytes }: BoundaryPoint, trials: readonly TrialRecord[]): Cell[] {
  const consumers = trials.findLast(
    ({ plan, verdict }) =>
      plan.messageBytes === messageBytes &&
      plan.np === lower?.np &&
      plan.unitRate === lower.unitRate &&
      verdict.kind === 'sustained',
  )?.consumers;
  if (!consumers) return [null, null];
  return [consumers.length, consumers.reduce((sum, group) => sum + group.consumedPerSecond, 0)];
}

function field(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
