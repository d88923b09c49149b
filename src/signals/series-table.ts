import {
  gaugeNames,
  idleCountNames,
  idleRateNames,
  meterCountNames,
  meterRateNames,
} from './series-spelling.ts';
import type { RateAttribute, SignalName, SignalSeries, SignalTable } from './signal-series.ts';

const PLAIN = { gather: 'one', standsInFor: null } as const;

export const RATE_TITLES: Readonly<Record<RateAttribute, string>> = {
  MeanRate: 'mean rate',
  OneMinuteRate: 'one-minute rate',
  FiveMinuteRate: 'five-minute rate',
  FifteenMinuteRate: 'fifteen-minute rate',
};

function idleCount(title: string, bean: string): SignalSeries {
  const objectName = `kafka.server:type=KafkaRequestHandlerPool,name=${bean}`;
  return {
    ...PLAIN,
    title,
    bean: objectName,
    attribute: 'Count',
    kind: 'ns counter',
    remedy: `export the Count of ${objectName}`,
    names: idleCountNames(bean.toLowerCase()),
  };
}

function idleRate(title: string, bean: string, attribute: RateAttribute): SignalSeries {
  return {
    ...idleCount(`${title}, ${RATE_TITLES[attribute]}`, bean),
    attribute,
    kind: 'idle rate',
    remedy: null,
    names: idleRateNames(bean.toLowerCase(), attribute),
  };
}

function meterCount(title: string, type: string, bean: string): SignalSeries {
  const objectName = `kafka.server:type=${type},name=${bean}`;
  return {
    ...PLAIN,
    title,
    bean: objectName,
    attribute: 'Count',
    kind: 'counter',
    remedy: `export the Count of ${objectName}`,
    names: meterCountNames(`kafka_server_${type.toLowerCase()}`, meterStem(bean)),
  };
}

function meterRate(title: string, type: string, bean: string, standsInFor: SignalName): SignalSeries {
  return {
    ...meterCount(`${title}, one-minute rate`, type, bean),
    attribute: 'OneMinuteRate',
    kind: 'rate',
    standsInFor,
    remedy: null,
    names: meterRateNames(`kafka_server_${type.toLowerCase()}`, meterStem(bean)),
  };
}

function meterStem(bean: string): string {
  return bean.toLowerCase().replace(/persec$/, '');
}

function gauge(title: string, bean: string, names: readonly string[]): SignalSeries {
  return { ...PLAIN, title, bean, attribute: 'Value', kind: 'gauge', remedy: `export ${bean}`, names };
}

function replicas(title: string, bean: string): SignalSeries {
  const names = gaugeNames('kafka_server_replicamanager', bean.toLowerCase());
  return gauge(title, `kafka.server:type=ReplicaManager,name=${bean}`, names);
}

const IDLE = 'request-handler idle';
const BROKER_POOL = 'BrokerRequestHandlerAvgIdlePercent';
const SHARED_POOL = 'RequestHandlerAvgIdlePercent';
const TOPICS = 'BrokerTopicMetrics';
const REPLICAS = 'ReplicaManager';

/**
 * Names of Kafka's series in the mainstream exporter set-ups. To teach Plimsoll a new spelling, add it here or in
 * series-spelling.ts; the order of the signals is the order of the doctor's list. `ControllerRequestHandler...` and
 * `ControlPlaneRequestHandler...` are other thread pools and stay out.
 */
export const KAFKA_SERIES = {
  brokerIdleCount: idleCount(`${IDLE} (broker)`, BROKER_POOL),
  brokerIdleMeanRate: idleRate(`${IDLE} (broker)`, BROKER_POOL, 'MeanRate'),
  brokerIdleOneMinuteRate: idleRate(`${IDLE} (broker)`, BROKER_POOL, 'OneMinuteRate'),
  brokerIdleFiveMinuteRate: idleRate(`${IDLE} (broker)`, BROKER_POOL, 'FiveMinuteRate'),
  brokerIdleFifteenMinuteRate: idleRate(`${IDLE} (broker)`, BROKER_POOL, 'FifteenMinuteRate'),
  idleCount: idleCount(IDLE, SHARED_POOL),
  idleMeanRate: idleRate(IDLE, SHARED_POOL, 'MeanRate'),
  idleOneMinuteRate: idleRate(IDLE, SHARED_POOL, 'OneMinuteRate'),
  idleFiveMinuteRate: idleRate(IDLE, SHARED_POOL, 'FiveMinuteRate'),
  idleFifteenMinuteRate: idleRate(IDLE, SHARED_POOL, 'FifteenMinuteRate'),
  underReplicatedPartitions: replicas('under-replicated partitions', 'UnderReplicatedPartitions'),
  underMinIsrPartitions: replicas('partitions under min ISR', 'UnderMinIsrPartitionCount'),
  offlineReplicas: replicas('offline replicas', 'OfflineReplicaCount'),
  offlinePartitions: {
    ...gauge(
      'offline partitions',
      'kafka.controller:type=KafkaController,name=OfflinePartitionsCount',
      gaugeNames('kafka_controller_kafkacontroller', 'offlinepartitionscount'),
    ),
    standsInFor: 'offlineReplicas',
    remedy: null,
  },
  isrShrinks: meterCount('ISR shrinks', REPLICAS, 'IsrShrinksPerSec'),
  isrShrinkRate: meterRate('ISR shrinks', REPLICAS, 'IsrShrinksPerSec', 'isrShrinks'),
  isrExpands: meterCount('ISR expands', REPLICAS, 'IsrExpandsPerSec'),
  isrExpandRate: meterRate('ISR expands', REPLICAS, 'IsrExpandsPerSec', 'isrExpands'),
  bytesIn: meterCount('bytes in', TOPICS, 'BytesInPerSec'),
  bytesInRate: meterRate('bytes in', TOPICS, 'BytesInPerSec', 'bytesIn'),
  bytesOut: meterCount('bytes out', TOPICS, 'BytesOutPerSec'),
  bytesOutRate: meterRate('bytes out', TOPICS, 'BytesOutPerSec', 'bytesOut'),
  replicationBytesIn: meterCount('replication bytes in', TOPICS, 'ReplicationBytesInPerSec'),
  replicationBytesInRate: meterRate(
    'replication bytes in',
    TOPICS,
    'ReplicationBytesInPerSec',
    'replicationBytesIn',
  ),
  messagesIn: meterCount('messages in', TOPICS, 'MessagesInPerSec'),
  messagesInRate: meterRate('messages in', TOPICS, 'MessagesInPerSec', 'messagesIn'),
  produceRequests: meterCount('produce requests', TOPICS, 'TotalProduceRequestsPerSec'),
  fetchRequests: meterCount('fetch requests', TOPICS, 'TotalFetchRequestsPerSec'),
  requestQueueSize: gauge(
    'request queue',
    'kafka.network:type=RequestChannel,name=RequestQueueSize',
    gaugeNames('kafka_network_requestchannel', 'requestqueuesize'),
  ),
  produceP99Ms: {
    ...gauge('produce time, p99 (ms)', 'kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Produce', [
      'kafka_network_requestmetrics_99thpercentile{name=totaltimems,request=produce}',
      'kafka_network_requestmetrics_totaltimems{request=produce,quantile=0.99}',
      'kafka_network_requestmetrics_totaltimems_99thpercentile{request=produce}',
    ]),
    attribute: '99thPercentile',
    remedy: 'export the 99thPercentile of kafka.network:type=RequestMetrics,name=TotalTimeMs,request=Produce',
  },
  networkIdle: gauge('network idle', 'kafka.network:type=SocketServer,name=NetworkProcessorAvgIdlePercent', [
    ...gaugeNames('kafka_network_socketserver', 'networkprocessoravgidlepercent'),
    'kafka_network_socketserver_networkprocessoravgidle_percent',
  ]),
  activeControllers: {
    ...gauge(
      'active controller here',
      'kafka.controller:type=KafkaController,name=ActiveControllerCount',
      gaugeNames('kafka_controller_kafkacontroller', 'activecontrollercount'),
    ),
    remedy: null,
  },
  // The broker's own JVM first: `process_...` of an exporter that runs beside the broker is the exporter's.
  processCpuSeconds: {
    ...PLAIN,
    title: 'CPU of the broker process (s)',
    bean: null,
    attribute: 'Value',
    kind: 'seconds',
    remedy: 'run the exporter as a Java agent, or export java.lang:type=OperatingSystem',
    names: ['java_lang_operatingsystem_processcputime / 1e9', 'process_cpu_seconds_total'],
  },
  gcSeconds: {
    ...PLAIN,
    title: 'garbage collection (s)',
    bean: null,
    attribute: 'Value',
    kind: 'seconds',
    gather: 'sum',
    remedy: 'run the exporter as a Java agent, or export java.lang:type=GarbageCollector,name=*',
    names: [
      'jvm_gc_collection_seconds_sum',
      'java_lang_garbagecollector_collectiontime / 1e3',
      'java_lang_garbagecollector_collectiontime_* / 1e3',
    ],
  },
  processStartSeconds: {
    ...PLAIN,
    title: 'start of the broker process (s)',
    bean: null,
    attribute: 'Value',
    kind: 'seconds',
    remedy: null,
    names: [
      'java_lang_runtime_starttime / 1e3',
      'process_start_time_seconds',
      'kafka_server_app_info_starttimems / 1e3',
      'kafka_server_app_info_start_time_ms / 1e3',
    ],
  },
} as const satisfies SignalTable;
