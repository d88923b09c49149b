import { hasBrokerSlowed, shortfallText } from './broker-slowdown.ts';
import { judgeConsumerLag, requireLag } from './consumer-rule.ts';
import { type Delivery, measureDelivery } from './delivery.ts';
import { findBlindness, findRestart } from './find-blindness.ts';
import { findInvalidity } from './find-invalidity.ts';
import { findStranger, strangerText } from './find-stranger.ts';
import { generatorLimit } from './generator-shortfall.ts';
import { isHard, windowedIdle } from './idle/windowed-idle.ts';
import { isrChurn } from './isr-churn.ts';
import { judgeLatency, requireLatency } from './latency-rule.ts';
import { observedPart } from './observed-part.ts';
import { readingsByBroker } from './polls.ts';
import { findUnreconciled, sentBytesPerMessage } from './reconciliation.ts';
import type { TrialEvidence } from './trial.ts';
import type {
  IdleOfBroker,
  InvalidReason,
  InvalidVerdict,
  OverloadedVerdict,
  Thresholds,
  Verdict,
} from './verdict.ts';

/**
 * Judges one trial. The rules stand in the order of the verdict page; the first that applies is the verdict.
 * `sustained` comes last and only when every other rule could be checked and did not apply. One thing comes before a
 * blind spot: an idle that is under the limit whatever the missing readings were, for scrapes fail just when a broker
 * is overloaded. A load that put the cluster at risk comes first of all. A run without signals is judged by delivery alone.
 *
 * @param evidence everything seen, times on the run's clock.
 * @param thresholds limits of the rules (ratios 0..1, times in ms).
 */
export function judgeTrial(evidence: TrialEvidence, thresholds: Thresholds): Verdict {
  const delivery = measureDelivery(evidence.shards, evidence.window);
  const idles = evidence.signals === 'none' ? [] : idleOfBrokers(evidence);
  return (
    judgeRisk(evidence, delivery, thresholds) ??
    findInvalidity(evidence, delivery, thresholds) ??
    findRestart(evidence) ??
    judgeStranger(evidence, delivery) ??
    judgeLowIdle(
      idles.filter(({ idle }) => isHard(idle)),
      thresholds,
    ) ??
    findBlindness(evidence, thresholds) ??
    judgeLowIdle(idles, thresholds) ??
    judgeUndecidedIdle(idles, thresholds) ??
    judgeIsrChurn(evidence, thresholds) ??
    judgeConsumerLag(evidence, thresholds) ??
    judgeLatency(evidence, thresholds) ??
    judgeGenerator(evidence, thresholds) ??
    judgeDelivery(evidence, delivery, thresholds) ??
    findUnreconciled(evidence) ??
    requireLag(evidence) ??
    requireLatency(evidence, thresholds) ??
    sustained(evidence, idles)
  );
}

/** Windowed idle of every broker that could be read, least idle first. */
export function idleOfBrokers(evidence: Pick<TrialEvidence, 'polls' | 'window'>): IdleOfBroker[] {
  const found: IdleOfBroker[] = [];
  for (const [brokerId, readings] of readingsByBroker(evidence.polls)) {
    const idle = windowedIdle(readings, observedPart(evidence.polls, brokerId, evidence.window));
    if (idle) found.push({ brokerId, idle });
  }
  return found.sort((a, b) => a.idle.ratio - b.idle.ratio);
}

/**
 * A load that had to be taken off the cluster is too much, whatever else its cut-short window lacks; it counts as trouble
 * of all the time. Not so when a broker went away or started anew: that explains the trouble without the load.
 */
function judgeRisk(
  evidence: TrialEvidence,
  delivery: Delivery,
  thresholds: Thresholds,
): OverloadedVerdict | null {
  const { risk, cluster } = evidence;
  const isWhole = cluster.expectedBrokerIds.every((id) => cluster.answeringBrokerIds.includes(id));
  if (!risk || !isWhole || findRestart(evidence) !== null || delivery.offered <= 0) return null;
  const { brokerId, detail } = risk;
  const limit = thresholds.isrChurnShare;
  return { kind: 'overloaded', rule: 'isr churn', brokerId, value: 1, limit, detail };
}

/** Signals that do not know of the load say nothing about it, neither that it was carried nor that it was too much. */
function judgeStranger(evidence: TrialEvidence, delivery: Delivery): InvalidVerdict | null {
  const stranger = findStranger(evidence.polls, {
    window: evidence.window,
    messageBytes: sentBytesPerMessage(evidence.shards) ?? evidence.plan.messageBytes,
    acked: delivery.acked,
    brokerIds: evidence.cluster.expectedBrokerIds,
  });
  return stranger && invalid('metrics of another', strangerText(stranger));
}

/** Rule 2. Holds even when the generator fell short: the offered load is then a lower bound of what overloads. */
function judgeLowIdle(idles: readonly IdleOfBroker[], thresholds: Thresholds): OverloadedVerdict | null {
  const limit = thresholds.idleRatio;
  const below = idles.find(({ idle }) => idle.high < limit);
  if (!below) return null;
  return {
    kind: 'overloaded',
    rule: 'request-handler idle',
    brokerId: below.brokerId,
    value: below.idle.ratio,
    limit,
    detail: `broker ${below.brokerId} idle ${below.idle.ratio.toFixed(3)}, under ${limit}`,
  };
}

function judgeUndecidedIdle(idles: readonly IdleOfBroker[], thresholds: Thresholds): InvalidVerdict | null {
  const unsure = undecidedIdle(idles, thresholds);
  if (!unsure) return null;
  const { low, high } = unsure.idle;
  return invalid(
    'idle undecided',
    `broker ${unsure.brokerId} idle ${low.toFixed(3)}-${high.toFixed(3)} spans ${thresholds.idleRatio}`,
  );
}

/** The broker whose reading spans the limit, so that a longer window is needed to tell; undefined when all are clear. */
export function undecidedIdle(
  idles: readonly IdleOfBroker[],
  thresholds: Thresholds,
): IdleOfBroker | undefined {
  if (idles.some(({ idle }) => idle.high < thresholds.idleRatio)) return undefined;
  return idles.find(({ idle }) => idle.low < thresholds.idleRatio);
}

/** Rule 3. */
function judgeIsrChurn(evidence: TrialEvidence, thresholds: Thresholds): OverloadedVerdict | null {
  if (evidence.signals === 'none') return null;
  const churn = isrChurn(
    readingsByBroker(evidence.polls),
    evidence.underReplicatedBefore,
    evidence.window,
    evidence.pollIntervalMs,
  );
  if (churn.share <= thresholds.isrChurnShare) return null;
  return {
    kind: 'overloaded',
    rule: 'isr churn',
    brokerId: churn.brokerId,
    value: churn.share,
    limit: thresholds.isrChurnShare,
    detail: `in-sync replicas changed or missing in ${Math.round(churn.share * 100)} % of the window (${churn.trouble})`,
  };
}

/** Rule 6: the generator was the limit. */
function judgeGenerator(evidence: TrialEvidence, thresholds: Thresholds): InvalidVerdict | null {
  const limit = generatorLimit(evidence.shards, evidence.window, thresholds);
  return limit === null ? null : invalid('generator-limited', limit);
}

/** Rule 7: delivery fell behind, and the brokers' side slowed; without the slowing nothing is known. */
function judgeDelivery(evidence: TrialEvidence, delivery: Delivery, thresholds: Thresholds): Verdict | null {
  const share = delivery.acked / delivery.offered;
  if (share >= thresholds.deliveryRatio) return null;
  const detail = `${(share * 100).toFixed(1)} % of the offered messages acknowledged`;
  const slowed = hasBrokerSlowed(evidence, thresholds);
  if (!slowed) return invalid('unexplained shortfall', `${detail}, ${shortfallText(evidence)}`);
  return {
    kind: 'overloaded',
    rule: 'delivery',
    brokerId: slowed.brokerId,
    value: share,
    limit: thresholds.deliveryRatio,
    detail: `${detail}; ${slowed.detail}`,
  };
}

/** Rule 8. */
function sustained(evidence: TrialEvidence, idles: readonly IdleOfBroker[]): Verdict {
  if (evidence.signals === 'none') return { kind: 'sustained', worst: null };
  const worst = idles[0];
  return worst ? { kind: 'sustained', worst } : invalid('metrics missing', 'no broker has an idle reading');
}

function invalid(reason: InvalidReason, detail: string): InvalidVerdict {
  return { kind: 'invalid', reason, detail };
}
