import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isTellingName,
  KAFKA_SIGNALS,
  REDPANDA_SIGNALS,
  TELLING_NAME_PATTERN,
} from '../../src/signals/series-name.ts';

const PATTERN = new RegExp(`^(?:${TELLING_NAME_PATTERN.replace('(?i)', '')})$`, 'i');

describe('telling names', () => {
  for (const { name, why, isTelling } of [
    { name: 'kafka_server_KafkaRequestHandlerPool_Count', why: 'the idle', isTelling: true },
    {
      name: 'cp_kafka_kafkarequesthandlerpool_requesthandleravgidlepercent',
      why: 'the idle, prefixed',
      isTelling: true,
    },
    { name: 'kafka_server_app_info_version', why: 'names broker and version', isTelling: true },
    { name: 'kafka_server_raftmetrics_current_state', why: 'tells a combined node', isTelling: true },
    { name: 'kafka_server_raft_metrics_current_state_info', why: 'tells a combined node', isTelling: true },
    {
      name: 'kafka_consumergroup_lag',
      why: 'thousands, and another line tells kafka_exporter',
      isTelling: false,
    },
    { name: 'kafka_exporter_build_info', why: 'tells kafka_exporter', isTelling: true },
    { name: 'kafka.request.count', why: 'tells OpenTelemetry', isTelling: true },
    { name: 'kafkaXrequestXcount', why: 'a dot is a dot', isTelling: false },
    { name: 'kafka_log_log_size', why: 'one for each partition', isTelling: false },
    { name: 'jvm_gc_collection_seconds_sum', why: 'GC', isTelling: true },
    { name: 'redpanda_cpu_busy_seconds_total', why: 'cores', isTelling: true },
    { name: 'node_cpu_seconds_total', why: 'another line tells node_exporter', isTelling: false },
  ]) {
    it(`${name}: ${why}`, () => {
      expect(isTellingName(name)).toBe(isTelling);
      expect(PATTERN.test(name)).toBe(isTelling);
    });
  }

  it('covers the table', () => {
    const names = [...KAFKA_SIGNALS, ...REDPANDA_SIGNALS].flatMap((signal) => signal.names);
    expect(names.length).toBeGreaterThan(100);
    for (const { name } of names) {
      expect(isTellingName(name)).toBe(true);
      expect(isTellingName(name.toUpperCase())).toBe(true);
    }
  });

  it('has nothing that RE2 lacks or that a PromQL string must escape', () => {
    expect(TELLING_NAME_PATTERN).toMatch(/^\(\?i\)\([a-z0-9_.*?|[\]()]+\)$/);
    expect(TELLING_NAME_PATTERN.slice(4)).not.toMatch(/\(\?|\\|"/);
  });

  it('agrees with the pattern on any name', () => {
    const parts = fc.constantFrom(
      'kafka',
      '_',
      '.',
      'request',
      'handler',
      'server',
      'count',
      'raft',
      'metrics',
      'x',
      'NODE',
      'load1',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (chosen) => {
        const name = chosen.join('');
        expect(isTellingName(name)).toBe(PATTERN.test(name));
      }),
    );
  });
});

describe('the table', () => {
  it('has no name twice in one signal, and no sure name in two signals with the same labels', () => {
    const owners = new Map<string, string>();
    for (const { signal, wanted } of KAFKA_SIGNALS) {
      expect(new Set(wanted.names).size).toBe(wanted.names.length);
      for (const name of wanted.names) {
        if (name.includes('?')) continue;
        expect([name, owners.get(name) ?? signal]).toEqual([name, signal]);
        owners.set(name, signal);
      }
    }
  });
});
