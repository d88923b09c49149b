import type { BrokerPoll, BrokerReading, HandlerIdle, Meter } from '../../boundary/broker-reading.ts';
import type { ShardReport, ShardTick, TrialEvidence } from '../../boundary/trial.ts';

/** What a made-up trial looks like from outside; every field has a healthy default. */
export interface Scene {
  readonly seconds?: number;
  /** Messages per second offered by the one shard. */
  readonly offered?: number;
  readonly acceptedShare?: number;
  readonly ackedShare?: number;
  /** Idle per broker, by second of the window. */
  readonly idle?: (brokerId: number, second: number) => number;
  readonly missed?: (brokerId: number, second: number) => boolean;
  /** Of the missed polls: the look came in the end. */
  readonly isAnsweredLate?: boolean;
  /** Polls go on for this long after the window, s. */
  readonly secondsAfter?: number;
  readonly underReplicated?: (brokerId: number, second: number) => number;
  /** Counts since the start; null when only the one-minute rate is shown. */
  readonly shrinks?: (brokerId: number, second: number) => number | Meter;
  readonly expands?: (brokerId: number, second: number) => number | Meter;
  /** What else the reading of a second shows. */
  readonly reading?: (brokerId: number, second: number) => Partial<BrokerReading>;
  /** What else the idle meter of a second shows, or shows not. */
  readonly meter?: (brokerId: number, second: number) => Partial<HandlerIdle>;
  /** The scrape of a second came back this much late, ms. */
  readonly scrapeLateMs?: (second: number) => number;
  readonly hasMeanRate?: boolean;
  readonly hasRequests?: boolean;
  readonly requestQueueSize?: (second: number) => number;
  readonly produceP99Ms?: (second: number) => number;
  readonly tick?: (second: number) => Partial<ShardTick>;
  readonly shard?: Partial<ShardReport>;
  readonly evidence?: Partial<TrialEvidence>;
}

const START_MS = 1_000_000;
const METER_AGE_SECONDS = 600;

/** Evidence of a trial with three brokers and one shard, as the scene tells it. */
export function evidenceOf(scene: Scene = {}): TrialEvidence {
  const seconds = scene.seconds ?? 10;
  const offered = scene.offered ?? 1_000;
  const shard = shardOf(scene, seconds, offered);
  return {
    plan: {
      trialId: '1-1',
      messageBytes: 1_000,
      np: 50,
      unitRate: offered / 50,
      warmUpMs: 3_000,
      windowMs: seconds * 1_000,
      purpose: 'bisect',
    },
    window: { startAtMs: START_MS, endAtMs: START_MS + seconds * 1_000 },
    shards: [shard],
    shardsExpected: 1,
    signals: 'brokers',
    polls: pollsOf(scene, seconds),
    pollIntervalMs: 1_000,
    underReplicatedBefore: { '1': 0, '2': 0, '3': 0 },
    cluster: {
      expectedBrokerIds: [1, 2, 3],
      answeringBrokerIds: [1, 2, 3],
      isTopicPresent: true,
      leadersByBroker: { '1': 10, '2': 10, '3': 10 },
    },
    endOffsetGrowth: shard.acked,
    clockErrorMs: 1,
    ...scene.evidence,
  };
}

function pollsOf(scene: Scene, seconds: number): BrokerPoll[] {
  const polls: BrokerPoll[] = [];
  for (const brokerId of [1, 2, 3]) {
    let idleCountNs = METER_AGE_SECONDS * 0.9e9;
    for (let second = 0; second <= seconds + (scene.secondsAfter ?? 0); second++) {
      if (second > 0) idleCountNs += (scene.idle?.(brokerId, second) ?? 0.5) * 1e9;
      const atMs = START_MS + second * 1_000;
      const isAnsweredLate = scene.isAnsweredLate ?? false;
      if (scene.missed?.(brokerId, second))
        polls.push({ kind: 'missed', brokerId, atMs, reason: 'timeout', isAnsweredLate });
      else polls.push(readingOf(scene, brokerId, second, atMs, idleCountNs));
    }
  }
  return polls;
}

function readingOf(
  scene: Scene,
  brokerId: number,
  second: number,
  atMs: number,
  idleCountNs: number,
): BrokerReading {
  return {
    kind: 'reading',
    brokerId,
    atMs: atMs + (scene.scrapeLateMs?.(second) ?? 0),
    scrapeMs: 20,
    idle: {
      kind: 'request handlers',
      pool: 'broker',
      countNs: idleCountNs,
      meanRate: (scene.hasMeanRate ?? true) ? idleCountNs / ((METER_AGE_SECONDS + second) * 1e9) : null,
      oneMinuteRate: null,
      fiveMinuteRate: null,
      fifteenMinuteRate: null,
      processAgeMs: null,
      ...scene.meter?.(brokerId, second),
    },
    underReplicatedPartitions: scene.underReplicated?.(brokerId, second) ?? 0,
    underMinIsrPartitions: 0,
    offlinePartitions: 0,
    isrShrinks: meterOf(scene.shrinks?.(brokerId, second) ?? 0),
    isrExpands: meterOf(scene.expands?.(brokerId, second) ?? 0),
    bytesIn: meterOf(second * 1_000_000),
    bytesOut: meterOf(second * 500_000),
    replicationBytesIn: meterOf(0),
    messagesIn: meterOf(second * 1_000),
    requests: (scene.hasRequests ?? true) ? second * 2_000 : null,
    requestQueueSize: scene.requestQueueSize?.(second) ?? 0,
    produceP99Ms: scene.produceP99Ms?.(second) ?? null,
    networkIdle: null,
    processCpuSeconds: second * 0.4,
    gcSeconds: null,
    ...scene.reading?.(brokerId, second),
  };
}

function meterOf(shown: number | Meter): Meter {
  return typeof shown === 'number' ? { count: shown, oneMinuteRate: null } : shown;
}

function shardOf(scene: Scene, seconds: number, offered: number): ShardReport {
  const warmUpSeconds = 3;
  const total = offered * (seconds + warmUpSeconds);
  const accepted = total * (scene.acceptedShare ?? 1);
  const acked = total * (scene.ackedShare ?? scene.acceptedShare ?? 1);
  const ticks = Array.from({ length: seconds + warmUpSeconds + 1 }, (_, second): ShardTick => {
    const share = second / (seconds + warmUpSeconds);
    return {
      atMs: START_MS + (second - warmUpSeconds) * 1_000,
      offered: total * share,
      accepted: accepted * share,
      acked: acked * share,
      failed: 0,
      queued: 20,
      queueFull: 0,
      roundTripP99Ms: 8,
      throttleMs: 0,
      pacerLateMs: 2,
      loopLagMs: 4,
      cpuCores: 0.3,
      ...scene.tick?.(second - warmUpSeconds),
    };
  });
  return {
    shard: 0,
    workerId: 'w1',
    producers: 50,
    startedLateMs: 5,
    ticks,
    accepted,
    acked,
    failed: 0,
    undelivered: 0,
    acceptedByPartition: [],
    errors: {},
    librdkafkaVersion: '2.12.0',
    ...scene.shard,
  };
}
