import type { BrokerReading } from '../../boundary/broker-reading.ts';
import { parseExposition } from './exposition.ts';
import type { PageResolution } from './resolve-series.ts';
import { seriesText } from './series-name.ts';
import type { SignalName } from './series-table.ts';

/** The values of a broker's page, without who and when. */
export type PageValues = Omit<BrokerReading, 'kind' | 'brokerId' | 'atMs' | 'scrapeMs'>;

/**
 * Reads the resolved series from a fresh page of the same exporter.
 * @returns the values, or a short reason why the page does not count as a look at the broker.
 */
export function readPageValues(
  resolution: PageResolution,
  text: string,
):
  | { readonly kind: 'values'; readonly values: PageValues }
  | { readonly kind: 'failed'; readonly reason: string } {
  const names = new Set([...resolution.chosen.values()].map((series) => series.name));
  const page = parseExposition(text, (name) => names.has(name));
  if (page.kind === 'truncated') return { kind: 'failed', reason: `page ends within line ${page.line}` };
  if (page.kind === 'broken') return { kind: 'failed', reason: `line ${page.line}: ${page.reason}` };

  const bySeries = new Map<string, number>();
  for (const sample of page.samples) {
    const series = seriesText(sample);
    if (!bySeries.has(series) && Number.isFinite(sample.value)) bySeries.set(series, sample.value);
  }
  const signalValue = (signal: SignalName): number | null => {
    const series = resolution.chosen.get(signal)?.series;
    return series === undefined ? null : (bySeries.get(series) ?? null);
  };
  const idleCountNs = bySeries.get(resolution.idleCount.series);
  if (idleCountNs === undefined) {
    return { kind: 'failed', reason: `${resolution.idleCount.series} is gone from the page` };
  }
  return {
    kind: 'values',
    values: {
      idleCountNs,
      idleMeanRate: signalValue('brokerIdleMeanRate') ?? signalValue('idleMeanRate'),
      underReplicatedPartitions: signalValue('underReplicatedPartitions'),
      isrShrinks: signalValue('isrShrinks'),
      isrExpands: signalValue('isrExpands'),
      bytesIn: signalValue('bytesIn'),
      messagesIn: signalValue('messagesIn'),
      requests: sumOf(signalValue('produceRequests'), signalValue('fetchRequests')),
      requestQueueSize: signalValue('requestQueueSize'),
      processCpuSeconds: signalValue('processCpuSeconds'),
    },
  };
}

function sumOf(produce: number | null, fetch: number | null): number | null {
  return produce === null || fetch === null ? null : produce + fetch;
}
