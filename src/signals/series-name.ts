import type { Sample } from './exposition.ts';
import { REDPANDA_SERIES } from './redpanda-series.ts';
import { KAFKA_SERIES } from './series-table.ts';
import type { SignalName, SignalSeries, SignalTable } from './signal-series.ts';

/** One name of the series table, taken apart. */
export interface SeriesName {
  readonly name: string;
  /** The name is only the beginning. */
  readonly isPrefix: boolean;
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  /** The page's value is divided by this. */
  readonly divisor: number;
  /** The name alone does not tell the attribute. */
  readonly isUnsure: boolean;
}

/** A signal as the table has it, names taken apart. */
export interface WantedSignal {
  readonly signal: SignalName;
  readonly wanted: SignalSeries;
  readonly names: readonly SeriesName[];
}

export const KAFKA_SIGNALS = wantedSignals(KAFKA_SERIES);
export const REDPANDA_SIGNALS = wantedSignals(REDPANDA_SERIES);

function wantedSignals(table: SignalTable): readonly WantedSignal[] {
  return Object.entries(table).map(([signal, wanted]) => ({
    signal: signal as SignalName,
    wanted,
    names: wanted.names.map(parseSeriesName),
  }));
}

function parseSeriesName(text: string): SeriesName {
  const parts = /^([a-z0-9_]+)(\*?)(?:\{([^}]*)\})?(\??)(?: \/ (\S+))?$/.exec(text);
  if (parts === null) throw new Error(`series table: ${text}`);
  const [, name = '', star, labels = '', unsure, divisor = '1'] = parts;
  return {
    name,
    isPrefix: star !== '',
    labels: labels.split(',').filter(Boolean).map(parseLabel),
    divisor: Number(divisor),
    isUnsure: unsure !== '',
  };
}

function parseLabel(text: string): { readonly name: string; readonly value: string } {
  const [name = '', value = ''] = text.split('=');
  return { name, value };
}

/** Names that no signal has, but that tell what a page is: whose it is, or which exporter's. */
const TELLING = [
  '.*requesthandler.*',
  '.*replicamanager.*',
  '.*kafka_controller_.*',
  'kafka_server_app_info.*',
  '.*raft_?metrics.*current_?state.*',
  'jmx_exporter_build_info',
  'kafka_exporter_build_info',
  'kafka_brokers',
  'kafka_topic_partitions',
  'kafka[._]request[._](count|failed|queue|time).*',
  'kafka[._]network[._]io.*',
  'kafka[._]message[._]count.*',
  'kafka[._]partition[._]count.*',
  'kafka[._]brokers.*',
  'vectorized_(application_uptime|reactor_utilization)',
  'redpanda_application_build',
  'node_(exporter_build_info|load1)',
  'jvm_info',
  'jvm_runtime_info',
];

const TABLE_NAMES = [...KAFKA_SIGNALS, ...REDPANDA_SIGNALS].flatMap(({ names }) => names);
const WHOLE_NAMES = new Set(TABLE_NAMES.filter(({ isPrefix }) => !isPrefix).map(({ name }) => name));
const PATTERNS = [
  ...TELLING,
  ...TABLE_NAMES.filter(({ isPrefix }) => isPrefix).map(({ name }) => `${name}.*`),
].join('|');

/**
 * The names of `isTellingName` as one regular expression of the RE2 kind, to be matched against whole names: what a
 * Prometheus server takes in `{__name__=~"..."}`. Has no backslash and no quote.
 */
export const TELLING_NAME_PATTERN = `(?i)(${PATTERNS}|${[...WHOLE_NAMES].join('|')})`;

const TELLING_NAME = new RegExp(`^(${PATTERNS})$`);

/** Names worth building for a first look at a page: the table's, and what explains a page that is not enough. */
export function isTellingName(name: string): boolean {
  const lower = name.toLowerCase();
  return WHOLE_NAMES.has(lower) || TELLING_NAME.test(lower);
}

/** Kafka's `kafka.server:type=app-info,id=<node id>` under whatever rule. */
export function isAppInfo(name: string): boolean {
  return name.toLowerCase().startsWith('kafka_server_app_info');
}

/** The JMX exporter's word about its own version. */
export function isExporterInfo(name: string): boolean {
  return name.toLowerCase() === 'jmx_exporter_build_info';
}

/** @returns true when the sample has this name (case aside) and these labels, and speaks for the whole broker. */
export function hasSeriesName(sample: Sample, wanted: SeriesName): boolean {
  return isNamed(sample.name.toLowerCase(), wanted) && hasLabels(sample, wanted);
}

/** A page's samples by name, in lower case: it may have thousands, and the table hundreds of names. */
export type SamplesByName = ReadonlyMap<string, readonly Sample[]>;

export function samplesByName(samples: readonly Sample[]): SamplesByName {
  const byName = new Map<string, Sample[]>();
  for (const sample of samples) {
    const name = sample.name.toLowerCase();
    const others = byName.get(name);
    if (others === undefined) byName.set(name, [sample]);
    else others.push(sample);
  }
  return byName;
}

/** The samples for which `hasSeriesName` holds. */
export function samplesOf(byName: SamplesByName, wanted: SeriesName): readonly Sample[] {
  const named = wanted.isPrefix
    ? [...byName].filter(([name]) => isNamed(name, wanted)).flatMap(([, samples]) => samples)
    : (byName.get(wanted.name) ?? []);
  return named.filter((sample) => hasLabels(sample, wanted));
}

function isNamed(name: string, wanted: SeriesName): boolean {
  return wanted.isPrefix ? name.startsWith(wanted.name) : name === wanted.name;
}

function hasLabels(sample: Sample, wanted: SeriesName): boolean {
  // Exporters with one label set for all write an empty one for the total.
  if ((labelOf(sample, 'topic') ?? '') !== '' || (labelOf(sample, 'partition') ?? '') !== '') return false;
  return wanted.labels.every((label) => isSameValue(labelOf(sample, label.name), label.value));
}

/** Exporters write a quantile as 0.5 or 0.50. */
function isSameValue(given: string | null, wanted: string): boolean {
  if (given === null) return false;
  return given.toLowerCase() === wanted || (given.trim() !== '' && Number(given) === Number(wanted));
}

/** A label's value by its name, case aside; null when the sample does not have it. */
export function labelOf(sample: Sample, label: string): string | null {
  for (const [name, value] of sample.labels) {
    if (name.toLowerCase() === label) return value;
  }
  return null;
}

/** What names a series' bean: the name alone, or with its `name` label where one family holds many beans. */
export function beanText(sample: Sample): string {
  return `${sample.name}/${labelOf(sample, 'name') ?? ''}`.toLowerCase();
}

/** A series written as a page writes it, labels sorted: equal text, equal series. */
export function seriesText(sample: Pick<Sample, 'name' | 'labels'>): string {
  if (sample.labels.size === 0) return sample.name;
  const labels = [...sample.labels].sort(([a], [b]) => (a < b ? -1 : 1));
  return `${sample.name}{${labels.map(([name, value]) => `${name}="${value}"`).join(',')}}`;
}
