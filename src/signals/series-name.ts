import type { Sample } from './exposition.ts';
import { SIGNAL_NAMES, SIGNAL_SERIES, type SignalName } from './series-table.ts';

/** One name of the series table, taken apart. */
export interface SeriesName {
  readonly name: string;
  readonly label: { readonly name: string; readonly value: string } | null;
  /** The name alone does not tell the attribute. */
  readonly isUnsure: boolean;
}

/** Names of every signal, taken apart once. */
export const SERIES_NAMES: ReadonlyMap<SignalName, readonly SeriesName[]> = new Map(
  SIGNAL_NAMES.map((signal) => [signal, SIGNAL_SERIES[signal].names.map(parseSeriesName)]),
);

const TABLE_NAMES: ReadonlySet<string> = new Set(
  [...SERIES_NAMES.values()].flat().map((seriesName) => seriesName.name),
);

function parseSeriesName(text: string): SeriesName {
  const isUnsure = text.endsWith('?');
  const plain = isUnsure ? text.slice(0, -1) : text;
  const brace = plain.indexOf('{');
  if (brace < 0) return { name: plain, label: null, isUnsure };
  const [name = '', value = ''] = plain.slice(brace + 1, -1).split('=');
  return { name: plain.slice(0, brace), label: { name, value }, isUnsure };
}

/** Names worth building for a first look at a page: the table's, and what explains a page that is not enough. */
export function isTellingName(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    TABLE_NAMES.has(lower) ||
    lower.includes('requesthandler') ||
    lower.includes('replicamanager') ||
    lower.startsWith('kafka_controller_') ||
    isAppInfo(lower) ||
    isExporterInfo(lower)
  );
}

/** Kafka's `kafka.server:type=app-info,id=<node id>` under whatever rule. */
export function isAppInfo(name: string): boolean {
  return name.toLowerCase().startsWith('kafka_server_app_info');
}

/** The JMX exporter's word about its own version. */
export function isExporterInfo(name: string): boolean {
  return name.toLowerCase() === 'jmx_exporter_build_info';
}

/** @returns true when the sample has this name (case aside) and label, and speaks for the whole broker. */
export function hasSeriesName(sample: Sample, wanted: SeriesName): boolean {
  if (sample.name.toLowerCase() !== wanted.name) return false;
  if (labelOf(sample, 'topic') !== null || labelOf(sample, 'partition') !== null) return false;
  return wanted.label === null || labelOf(sample, wanted.label.name)?.toLowerCase() === wanted.label.value;
}

/** A label's value by its name, case aside; null when the sample does not have it. */
export function labelOf(sample: Sample, label: string): string | null {
  for (const [name, value] of sample.labels) {
    if (name.toLowerCase() === label) return value;
  }
  return null;
}

/** A series written as a page writes it, labels sorted: equal text, equal series. */
export function seriesText(sample: Pick<Sample, 'name' | 'labels'>): string {
  if (sample.labels.size === 0) return sample.name;
  const labels = [...sample.labels].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${sample.name}{${labels.map(([name, value]) => `${name}="${value}"`).join(',')}}`;
}
