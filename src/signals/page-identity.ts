import { PlimsollError } from '../errors.ts';
import type { Exposition, Sample } from './exposition.ts';
import { beanText, isAppInfo, isExporterInfo, labelOf } from './series-name.ts';

/** Who a page says it is; null where it does not say. */
export interface PageIdentity {
  readonly brokerId: number | null;
  readonly kafkaVersion: string | null;
  /** Name and version of the exporter, as in `jmx_prometheus_javaagent 1.0.1`. */
  readonly exporter: string | null;
  /** The node is broker and controller in one process (KRaft combined mode). */
  readonly isCombined: boolean | null;
  /** The shared idle meter is the mean over the threads of both pools, no sum (Kafka 4.2 and later, KIP-1207). */
  readonly isMeterAveraged: boolean | null;
}

/** Reads broker id and Kafka version from the app-info bean, when the exporter's rules let it through, and the exporter. */
export function readPageIdentity(page: Exposition): PageIdentity {
  let brokerId: number | null = null;
  let kafkaVersion: string | null = null;
  let exporter: string | null = null;
  for (const sample of page.samples) {
    if (isExporterInfo(sample.name)) {
      exporter = [labelOf(sample, 'name'), labelOf(sample, 'version')].filter(Boolean).join(' ') || null;
    }
    if (!isAppInfo(sample.name)) continue;
    const id = labelOf(sample, 'id') ?? labelOf(sample, 'broker_id');
    if (id !== null && /^\d+$/.test(id)) brokerId ??= Number(id);
    const version = labelOf(sample, 'version');
    if (version !== null && /^\d+\.\d+/.test(version)) kafkaVersion ??= version;
  }
  return {
    brokerId,
    kafkaVersion,
    exporter,
    isCombined: isCombinedNode(page, kafkaVersion),
    isMeterAveraged: isMeterAveraged(page, kafkaVersion),
  };
}

const CONTROLLER_HANDLERS = /(^|[^a-z])controllerrequesthandleravgidle/;
const CONTROLLER_BEAN = /kafka_controller_kafkacontroller_.*activecontrollercount/;

/**
 * A broker alone only observes the metadata quorum. Without ZooKeeper, beans of the controller mean that there is one;
 * so do handlers of its own, from Kafka 4.2.
 */
function isCombinedNode(page: Exposition, kafkaVersion: string | null): boolean | null {
  const raft = page.samples.filter(({ name }) => /raft_?metrics/i.test(name));
  const state = raft.map(quorumState).find((told) => told !== null);
  if (state !== undefined) return state !== 'observer';
  if (hasSeries(page, CONTROLLER_HANDLERS)) return true;
  const isKraft = raft.length > 0 || (kafkaVersion !== null && Number(kafkaVersion.split('.')[0]) >= 4);
  return isKraft && hasSeries(page, CONTROLLER_BEAN) ? true : null;
}

/** Meters of single pools came with the averaged one. */
function isMeterAveraged(page: Exposition, kafkaVersion: string | null): boolean | null {
  if (kafkaVersion === null) return hasSeries(page, CONTROLLER_HANDLERS) ? true : null;
  const [major = 0, minor = 0] = kafkaVersion.split('.').map(Number);
  return major > 4 || (major === 4 && minor >= 2);
}

function hasSeries(page: Exposition, pattern: RegExp): boolean {
  return page.samples.some((sample) => pattern.test(beanText(sample)));
}

/** The attribute current-state of raft-metrics is text, which exporters put into a label or the name's end. */
function quorumState({ name, labels, value }: Sample): string | null {
  const parts = /_current_?state(?:_([a-z]+))?$/i.exec(name.replace(/_info$/i, ''));
  if (parts === null || value !== 1) return null;
  for (const [label, state] of labels) {
    if (/^(current[-_]?)?state$/i.test(label)) return state.toLowerCase();
  }
  return parts[1]?.toLowerCase() ?? null;
}

/**
 * Refuses a page without ReplicaManager. A node that is only a controller has a request-handler idle too, of threads
 * that never see a produce request, and only ReplicaManager tells it from a broker.
 * @throws PlimsollError METRICS_MISMATCH for a controller's page, METRIC_MISSING when it may be a broker's with
 * narrow rules.
 */
export function requireReplicaManager(page: Exposition, place: string): void {
  const series = page.samples.map(beanText);
  if (series.some((text) => text.includes('replicamanager'))) return;
  if (!series.some((text) => text.includes('requesthandleravgidle'))) return;
  const isController =
    series.some((text) => text.startsWith('kafka_controller_')) ||
    (series.some((text) => text.includes('controllerrequesthandleravgidle')) &&
      !series.some((text) => text.includes('brokerrequesthandleravgidle')));
  if (isController) {
    const { brokerId } = readPageIdentity(page);
    throw new PlimsollError(
      'METRICS_MISMATCH',
      `${place} is a controller's${brokerId === null ? '' : ` (node ${brokerId})`}: it has no ` +
        "ReplicaManager; give the brokers' metrics pages only",
    );
  }
  throw new PlimsollError(
    'METRIC_MISSING',
    `${place} has no ReplicaManager series: it is a controller's, or the exporter's rules are too narrow; ` +
      "give a broker's page, or add kafka.server:type=ReplicaManager,name=* to the rules",
  );
}
