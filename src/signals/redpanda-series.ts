import type { SignalSeries, SignalTable } from './signal-series.ts';

const REDPANDA = { bean: null, attribute: 'Value', standsInFor: null, remedy: null } as const;

function bytes(title: string, request: string): SignalSeries {
  const names = [`redpanda_kafka_request_bytes_total{redpanda_request=${request}}`];
  return { ...REDPANDA, title, kind: 'counter', gather: 'sum', names };
}

/**
 * Redpanda's /public_metrics. It has neither request-handler threads nor an ISR: the busy time of its cores and the
 * replicas that lag stand for them (handbook "Signals", 1.1 and 1.2).
 */
export const REDPANDA_SERIES = {
  busySeconds: {
    ...REDPANDA,
    title: 'busy time of each core (s)',
    kind: 'seconds',
    gather: 'each',
    names: ['redpanda_cpu_busy_seconds_total'],
  },
  underReplicatedPartitions: {
    ...REDPANDA,
    title: 'under-replicated replicas',
    kind: 'gauge',
    gather: 'sum',
    remedy: 'they come with the first topic that has replicas',
    names: ['redpanda_kafka_under_replicated_replicas'],
  },
  offlinePartitions: {
    ...REDPANDA,
    title: 'unavailable partitions',
    kind: 'gauge',
    gather: 'one',
    names: ['redpanda_cluster_unavailable_partitions'],
  },
  bytesIn: bytes('bytes in', 'produce'),
  bytesOut: bytes('bytes out', 'consume'),
} as const satisfies SignalTable;
