import type { BrokerPoll, BrokerReading } from '../../boundary/broker-reading.ts';
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
  readonly underReplicated?: (brokerId: number, second: number) => number;
  readonly shrinks?: (brokerId: number, second: number) => number;
  /** The scrape of a second came back this much late, ms. */
  readonly scrapeLateMs?: (second: number) => number;
  readonly hasMeanRate?: boolean;
  readonly hasRequests?: boolean;
  readonly requestQueueSize?: (second: number) => number;
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
    for (let second = 0; second <= seconds; second++) {
      if (second > 0) idleCountNs += (scene.idle?.(brokerId, second) ?? 0.5) * 1e9;
      const atMs = START_MS + second * 1_000;
      if (scene.missed?.(brokerId, second)) polls.push({ kind: 'missed', brokerId, atMs, reason: 'timeout' });
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
    idleCountNs,
    idleMeanRate: (scene.hasMeanRate ?? true) ? idleCountNs / ((METER_AGE_SECONDS + second) * 1e9) : null,
    underReplicatedPartitions: scene.underReplicated?.(brokerId, second) ?? 0,
    isrShrinks: scene.shrinks?.(brokerId, second) ?? 0,
    isrExpands: 0,
    bytesIn: second * 1_000_000,
    messagesIn: second * 1_000,
    requests: (scene.hasRequests ?? true) ? second * 2_000 : null,
    requestQueueSize: scene.requestQueueSize?.(second) ?? 0,
    processCpuSeconds: second * 0.4,
  };
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
