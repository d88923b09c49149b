import type { BrokerPoll } from '../../boundary/broker-reading.ts';
import type { TrialRecord } from '../../boundary/run-document.ts';
import type { ShardTick, TrialEvidence, TrialPlan } from '../../boundary/trial.ts';
import type { NewRun } from '../../src/store/stored-run.ts';

export function sampleRun(clusterId = 'cluster-a'): NewRun {
  return {
    cluster: { bootstrap: ['a:1', 'b:2'], clusterId, brokerIds: [1, 2], kafkaVersion: '4.4.0' },
    configuration: { bpm: [100, 1_000], thresholds: { idleRatio: 0.3 } },
    environment: { node: 'v20' },
    searchConfig: { precision: 0.05 },
  };
}

export function samplePlan(sequence: number): TrialPlan {
  return {
    trialId: `trial-${sequence}`,
    messageBytes: 1_000,
    np: 50 + sequence,
    unitRate: 20.5,
    warmUpMs: 3_000,
    windowMs: 15_000,
    purpose: 'bisect',
  };
}

export function sampleRecord(sequence: number): TrialRecord {
  return {
    sequence,
    plan: samplePlan(sequence),
    verdict: {
      kind: 'sustained',
      worst: { brokerId: 2, idle: { ratio: 0.41, low: 0.4, high: 0.42, estimator: 'count, self-clocked' } },
    },
    startedAtMs: 1_000 * sequence,
    endedAtMs: 1_000 * sequence + 18_000,
    windowSeconds: 15,
    offeredPerSecond: 1_045.5,
    acceptedPerSecond: 1_045.4,
    ackedPerSecond: 1_045.1,
    bytesInPerSecond: null,
    idleByBroker: { 1: 0.5, 2: 0.41 },
    isrChurnShare: 0,
    roundTripP99Ms: 12.25,
    generatorCpuCores: 0.2,
    scrapeMs: 4,
  };
}

/** Evidence as large as a real trial of 15 s: 3 brokers polled and 1 shard ticking once a second. */
export function sampleEvidence(sequence: number): TrialEvidence {
  const seconds = Array.from({ length: 18 }, (_, second) => second);
  const ticks = seconds.map((second): ShardTick => {
    const sent = second * 1_045.5;
    return {
      atMs: 1_000 * second + 0.25,
      offered: sent,
      accepted: Math.floor(sent),
      acked: Math.floor(sent) - 3,
      failed: 0,
      queued: 3,
      queueFull: 0,
      roundTripP99Ms: second === 0 ? null : 11.5 + second / 7,
      throttleMs: 0,
      pacerLateMs: 1.5,
      loopLagMs: 2.25,
      cpuCores: 0.2,
    };
  });
  const polls = seconds.flatMap((second) => [1, 2, 3].map((brokerId) => samplePoll(second, brokerId)));
  return {
    plan: samplePlan(sequence),
    window: { startAtMs: 3_000, endAtMs: 18_000 },
    shards: [
      {
        shard: 0,
        workerId: 'w1',
        producers: 51,
        startedLateMs: 0.4,
        ticks,
        accepted: 18_000,
        acked: 18_000,
        failed: 0,
        undelivered: 0,
        acceptedByPartition: [9_000, 9_000],
        errors: {},
        librdkafkaVersion: '2.12.0',
      },
    ],
    shardsExpected: 1,
    signals: 'brokers',
    polls,
    pollIntervalMs: 1_000,
    underReplicatedBefore: { 1: 0 },
    cluster: {
      expectedBrokerIds: [1, 2, 3],
      answeringBrokerIds: [1, 2, 3],
      isTopicPresent: true,
      leadersByBroker: { 1: 10, 2: 10, 3: 10 },
    },
    endOffsetGrowth: 18_000,
    clockErrorMs: 0.2,
  };
}

function samplePoll(second: number, brokerId: number): BrokerPoll {
  const atMs = 1_000 * second + brokerId / 8;
  if (second === 7 && brokerId === 3)
    return { kind: 'missed', brokerId, atMs, reason: 'timeout', isAnsweredLate: false };
  return {
    kind: 'reading',
    brokerId,
    atMs,
    scrapeMs: 4.125,
    idle: {
      kind: 'request handlers',
      pool: 'broker',
      countNs: 8_123_456_789_012 + second * 413_000_000 + brokerId,
      meanRate: 0.93,
      oneMinuteRate: 0.52,
      fiveMinuteRate: null,
      fifteenMinuteRate: null,
      processAgeMs: 8_700_000,
    },
    underReplicatedPartitions: 0,
    underMinIsrPartitions: 0,
    offlinePartitions: 0,
    isrShrinks: { count: 1, oneMinuteRate: null },
    isrExpands: { count: 1, oneMinuteRate: null },
    bytesIn: { count: 1.5e9 + second * 1_070_003, oneMinuteRate: null },
    bytesOut: null,
    replicationBytesIn: null,
    messagesIn: { count: 1.5e6 + second * 1_045, oneMinuteRate: null },
    requests: 52_000 + second * 371,
    requestQueueSize: 0,
    produceP99Ms: 12,
    networkIdle: 0.98,
    gcSeconds: 1.5,
    processCpuSeconds: 12.25 + second * 0.31,
  };
}
