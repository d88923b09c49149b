/** What one metrics page can tell about its broker. */
export type SignalName =
  | 'brokerIdleCount'
  | 'brokerIdleMeanRate'
  | 'idleCount'
  | 'idleMeanRate'
  | 'underReplicatedPartitions'
  | 'isrShrinks'
  | 'isrExpands'
  | 'bytesIn'
  | 'messagesIn'
  | 'produceRequests'
  | 'fetchRequests'
  | 'requestQueueSize'
  | 'processCpuSeconds';

/** Attribute of the bean behind a series. `Value`: a plain number, not part of a meter. */
export type BeanAttribute = 'Count' | 'MeanRate' | 'Value';

export interface SignalSeries {
  /** What a person calls it. */
  readonly title: string;
  /** Kafka's bean, null when the JVM and not Kafka speaks. */
  readonly bean: string | null;
  readonly attribute: BeanAttribute;
  /** ns counter: nanoseconds, so a live value is huge; counter: whole events or bytes; seconds; gauge. */
  readonly kind: 'ns counter' | 'counter' | 'ratio' | 'seconds' | 'gauge';
  /**
   * Names, best first, all in lower case (pages are compared without regard to case). `{label=value}` must hold;
   * a trailing `?` marks a name that carries the wanted attribute in one set-up and another one elsewhere, so the
   * page itself must tell (handbook "Signals", 1.3).
   */
  readonly names: readonly string[];
}

const POOL = 'kafka_server_kafkarequesthandlerpool';
const REPLICAS = 'kafka_server_replicamanager';
const TOPICS = 'kafka_server_brokertopicmetrics';

/** Count of the idle meter of one bean: no rules, jmx examples and Strimzi, Bitnami, Strimzi reporter, Confluent. */
function idleCountNames(bean: string): readonly string[] {
  return [
    `${POOL}_count{name=${bean}}`,
    `${POOL}_${bean}_count_total`,
    `${POOL}_${bean}_count`,
    `${POOL}_total_${bean}_count`,
    `${POOL}_${bean}_total?`,
    `${POOL}_${bean}?`,
  ];
}

/** MeanRate of the same meter; the jmx examples call it `..._percent`, koperator spells the attribute. */
function idleMeanRateNames(bean: string): readonly string[] {
  const stem = bean.replace(/percent$/, '');
  return [
    `${POOL}_meanrate{name=${bean}}`,
    `${POOL}_${stem}_percent`,
    `${POOL}_${stem}_meanrate_percent`,
    `${POOL}_${bean}_meanrate`,
    `${POOL}_total_${bean}_meanrate`,
  ];
}

/** A `...PerSec` meter's Count, in the same order of set-ups. */
function meterCountNames(family: string, meter: string): readonly string[] {
  return [
    `${family}_count{name=${meter}persec}`,
    `${family}_${meter}_total`,
    `${family}_${meter}persec_total`,
    `${family}_total_${meter}persec_count`,
    `${family}_${meter}persec_count`,
    `${family}_${meter}persec?`,
  ];
}

/** A gauge's value, in the same order of set-ups. */
function gaugeNames(family: string, gauge: string): readonly string[] {
  return [
    `${family}_value{name=${gauge}}`,
    `${family}_${gauge}`,
    `${family}_${gauge}_value`,
    `${family}_total_${gauge}_value`,
  ];
}

/**
 * Names of the series in the mainstream exporter set-ups. To teach Plimsoll a new spelling, add it here; the order of
 * the signals is the order of the doctor's list. `ControllerRequestHandler...` and `ControlPlaneRequestHandler...` are
 * other thread pools and stay out.
 */
export const SIGNAL_SERIES: Readonly<Record<SignalName, SignalSeries>> = {
  brokerIdleCount: {
    title: 'request-handler idle (broker)',
    bean: 'BrokerRequestHandlerAvgIdlePercent',
    attribute: 'Count',
    kind: 'ns counter',
    names: idleCountNames('brokerrequesthandleravgidlepercent'),
  },
  brokerIdleMeanRate: {
    title: 'its mean rate (broker)',
    bean: 'BrokerRequestHandlerAvgIdlePercent',
    attribute: 'MeanRate',
    kind: 'ratio',
    names: idleMeanRateNames('brokerrequesthandleravgidlepercent'),
  },
  idleCount: {
    title: 'request-handler idle',
    bean: 'RequestHandlerAvgIdlePercent',
    attribute: 'Count',
    kind: 'ns counter',
    names: idleCountNames('requesthandleravgidlepercent'),
  },
  idleMeanRate: {
    title: 'its mean rate',
    bean: 'RequestHandlerAvgIdlePercent',
    attribute: 'MeanRate',
    kind: 'ratio',
    names: idleMeanRateNames('requesthandleravgidlepercent'),
  },
  underReplicatedPartitions: {
    title: 'under-replicated partitions',
    bean: 'UnderReplicatedPartitions',
    attribute: 'Value',
    kind: 'gauge',
    names: gaugeNames(REPLICAS, 'underreplicatedpartitions'),
  },
  isrShrinks: {
    title: 'ISR shrinks',
    bean: 'IsrShrinksPerSec',
    attribute: 'Count',
    kind: 'counter',
    names: meterCountNames(REPLICAS, 'isrshrinks'),
  },
  isrExpands: {
    title: 'ISR expands',
    bean: 'IsrExpandsPerSec',
    attribute: 'Count',
    kind: 'counter',
    names: meterCountNames(REPLICAS, 'isrexpands'),
  },
  bytesIn: {
    title: 'bytes in',
    bean: 'BytesInPerSec',
    attribute: 'Count',
    kind: 'counter',
    names: meterCountNames(TOPICS, 'bytesin'),
  },
  messagesIn: {
    title: 'messages in',
    bean: 'MessagesInPerSec',
    attribute: 'Count',
    kind: 'counter',
    names: meterCountNames(TOPICS, 'messagesin'),
  },
  produceRequests: {
    title: 'produce requests',
    bean: 'TotalProduceRequestsPerSec',
    attribute: 'Count',
    kind: 'counter',
    names: meterCountNames(TOPICS, 'totalproducerequests'),
  },
  fetchRequests: {
    title: 'fetch requests',
    bean: 'TotalFetchRequestsPerSec',
    attribute: 'Count',
    kind: 'counter',
    names: meterCountNames(TOPICS, 'totalfetchrequests'),
  },
  requestQueueSize: {
    title: 'request queue',
    bean: 'RequestQueueSize',
    attribute: 'Value',
    kind: 'gauge',
    names: gaugeNames('kafka_network_requestchannel', 'requestqueuesize'),
  },
  processCpuSeconds: {
    title: 'CPU of the broker process',
    bean: null,
    attribute: 'Value',
    kind: 'seconds',
    names: ['process_cpu_seconds_total'],
  },
};

export const SIGNAL_NAMES = Object.keys(SIGNAL_SERIES) as readonly SignalName[];
