import { describe, expect, it } from 'vitest';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import { BARE, PLACE, POOL, pageOf, REPLICAS, refusalOf, sampleText } from './sample-pages.ts';

describe('resolveSeries refuses in one line that names the exporter and says what to do', () => {
  for (const { why, text, code, says } of [
    {
      why: 'kafka_exporter',
      text: sampleText('s02-kafka_exporter-1.3.1-full.txt'),
      code: 'METRIC_MISSING',
      says: /is that of kafka_exporter or one like it, which gives lag and offsets, not load: run the JMX exporter/,
    },
    {
      why: 'odd formats of other beans',
      text: sampleText('s10-format-gotchas-snippets.txt'),
      code: 'METRIC_MISSING',
      says: /has no request-handler idle/,
    },
    {
      why: 'OpenTelemetry, as Prometheus translates it',
      text: 'kafka_request_count_total{type="produce"} 5\nkafka_network_io_bytes_total{state="in"} 6\n',
      code: 'METRIC_MISSING',
      says: /is OpenTelemetry's, which has no request-handler idle: run the JMX exporter/,
    },
    {
      why: 'OpenTelemetry, with its own names',
      text: '{"kafka.request.count",type="fetch"} 5\n{"kafka.network.io"} 6\n',
      code: 'METRIC_MISSING',
      says: /is OpenTelemetry's/,
    },
    {
      why: 'the OpenTelemetry collector by metadata',
      text: 'kafka_brokers{otel_scope_name="x"} 3\nkafka_topic_partitions{topic="a"} 3\n',
      code: 'METRIC_MISSING',
      says: /lag and offsets, not load/,
    },
    {
      why: "Redpanda's internal page",
      text: 'vectorized_application_uptime 5\nvectorized_reactor_utilization{shard="0"} 60\n',
      code: 'METRIC_MISSING',
      says: /is Redpanda's internal page.*give \/public_metrics/,
    },
    {
      why: 'Redpanda without its cores',
      text: 'redpanda_kafka_under_replicated_replicas 0\n',
      code: 'METRIC_MISSING',
      says: /lacks redpanda_cpu_busy_seconds_total/,
    },
    {
      why: 'node_exporter',
      text: 'node_load1 0.5\nnode_exporter_build_info{version="1"} 1\n',
      code: 'METRIC_MISSING',
      says: /is node_exporter's, which speaks of the machine/,
    },
    {
      why: 'an exporter whose beans are not there yet',
      text: 'jmx_exporter_build_info{version="1.0.1"} 1\nprocess_cpu_seconds_total 3\n',
      code: 'METRIC_MISSING',
      says: /has no request-handler idle; nothing there is a Kafka broker's; add kafka.server:type=KafkaRequestHandlerPool.* or wait/,
    },
    { why: 'nothing wanted', text: '', code: 'METRIC_MISSING', says: /has no request-handler idle/ },
    {
      why: 'a broker with narrow rules',
      text: `${REPLICAS}kafka_server_brokertopicmetrics_bytesin_total 5\n`,
      code: 'METRIC_MISSING',
      says: /has no request-handler idle; add kafka.server:type=KafkaRequestHandlerPool,name=RequestHandlerAvgIdlePercent/,
    },
    {
      why: 'a controller of Kafka 4.2 or later',
      text: `kafka_server_app_info_version{id="3000",version="4.4.0"} 1\n${POOL}_controllerrequesthandleravgidlepercent_count 5e12\n${BARE}_count 5e12\n`,
      code: 'METRICS_MISMATCH',
      says: /controller's \(node 3000\)/,
    },
    {
      why: 'a controller by its own beans',
      text: `kafka_controller_kafkacontroller_activecontrollercount 1\n${BARE}_count 5e12\n`,
      code: 'METRICS_MISMATCH',
      says: /controller's: it has no ReplicaManager/,
    },
    {
      why: 'no ReplicaManager',
      text: `${BARE}_count 5e12\n`,
      code: 'METRIC_MISSING',
      says: /add kafka.server:type=ReplicaManager/,
    },
    {
      why: 'only other pools',
      text: `${REPLICAS}${POOL}_controlplanerequesthandleravgidlepercent_count 5e12\n${POOL}_controllerrequesthandleravgidlepercent_count 5e12\n`,
      code: 'METRIC_MISSING',
      says: /has no request-handler idle \(\S*controlplanerequest\S* is another pool of threads\)/,
    },
    {
      why: 'two brokers on one page (federation)',
      text: `${REPLICAS}${BARE}_count{instance="a"} 5e12\n${BARE}_count{instance="b"} 5e12\n`,
      code: 'METRICS_MISMATCH',
      says: /more than one broker .*instance="a".* and .*instance="b"/,
    },
    {
      why: 'two Redpanda brokers on one page',
      text: 'redpanda_cpu_busy_seconds_total{shard="0",instance="a"} 5\nredpanda_cpu_busy_seconds_total{shard="0",instance="b"} 5\n',
      code: 'METRICS_MISMATCH',
      says: /more than one broker/,
    },
  ]) {
    it(why, () => {
      const { code: got, message } = refusalOf(() => resolveSeries(pageOf(text), PLACE));
      expect(message).toMatch(says);
      expect(got).toBe(code);
      expect(message).toContain(PLACE);
      expect(message).not.toContain('\n');
    });
  }
});
