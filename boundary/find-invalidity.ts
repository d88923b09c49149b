import type { Delivery } from './delivery.ts';
import type { TrialEvidence } from './trial.ts';
import type { InvalidReason, InvalidVerdict, Thresholds } from './verdict.ts';

/** Beyond this the window's place on the brokers' time line is unsure, ms. */
const LARGEST_CLOCK_ERROR_MS = 250;

type Finding = readonly [InvalidReason, string] | null;

/** Rule 1 but for metrics (`findBlindness`): what makes a trial worthless, whatever it seems to show. Null when nothing does. */
export function findInvalidity(
  evidence: TrialEvidence,
  delivery: Delivery,
  thresholds: Thresholds,
): InvalidVerdict | null {
  const finding =
    brokerLost(evidence) ??
    shardTrouble(evidence, thresholds) ??
    topicTrouble(evidence) ??
    quota(delivery) ??
    readerQuota(evidence) ??
    clockUnsure(evidence) ??
    nothingOffered(delivery);
  return finding ? { kind: 'invalid', reason: finding[0], detail: finding[1] } : null;
}

function brokerLost({ cluster }: TrialEvidence): Finding {
  const lost = cluster.expectedBrokerIds.filter((id) => !cluster.answeringBrokerIds.includes(id));
  return lost.length > 0 ? ['broker lost', `broker ${lost.join(', ')} does not answer Kafka`] : null;
}

function shardTrouble(evidence: TrialEvidence, thresholds: Thresholds): Finding {
  const { shards, shardsExpected, readers = [], readersExpected = 0 } = evidence;
  const lost = shardsExpected - shards.length;
  if (lost > 0) return ['shard lost', `${lost} of ${shardsExpected} load shards did not report`];
  const lostReaders = readersExpected - readers.length;
  if (lostReaders > 0)
    return ['shard lost', `${lostReaders} of ${readersExpected} shards of consumers did not report`];
  const late = [...shards, ...readers].find((shard) => shard.startedLateMs > thresholds.shardLateMs);
  return late
    ? ['shard late', `shard ${late.shard} started ${Math.round(late.startedLateMs)} ms late`]
    : null;
}

function topicTrouble({ cluster }: TrialEvidence): Finding {
  if (!cluster.isTopicPresent) return ['topic gone', 'the topic of the run is gone'];
  const leaders = cluster.expectedBrokerIds.map((id) => cluster.leadersByBroker[String(id)] ?? 0);
  return Math.max(...leaders) === Math.min(...leaders)
    ? null
    : [
        'uneven leaders',
        `brokers ${cluster.expectedBrokerIds.join(', ')} lead ${leaders.join(', ')} partitions`,
      ];
}

function quota(delivery: Delivery): Finding {
  return delivery.throttleMs > 0
    ? ['throttled by quota', `the brokers held responses back for ${Math.round(delivery.throttleMs)} ms`]
    : null;
}

function readerQuota({ readers = [], window }: TrialEvidence): Finding {
  const ticks = readers.flatMap((reader) => reader.ticks);
  const inside = ticks.filter(({ atMs }) => atMs > window.startAtMs && atMs <= window.endAtMs);
  const throttleMs = inside.reduce((most, tick) => Math.max(most, tick.throttleMs), 0);
  return throttleMs > 0
    ? ['throttled by quota', `the brokers held what consumers fetch back for ${Math.round(throttleMs)} ms`]
    : null;
}

function clockUnsure({ clockErrorMs }: TrialEvidence): Finding {
  return clockErrorMs > LARGEST_CLOCK_ERROR_MS
    ? ['clock unsure', `the common clock is unsure by ${Math.round(clockErrorMs)} ms`]
    : null;
}

function nothingOffered(delivery: Delivery): Finding {
  return delivery.offered > 0 ? null : ['shard lost', 'no load was offered in the window'];
}
