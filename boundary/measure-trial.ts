import type { BrokerReading } from './broker-reading.ts';
import { measureDelivery, median } from './delivery.ts';
import { readingsInWindow } from './idle-window.ts';
import { isrChurn } from './isr-churn.ts';
import { idleOfBrokers } from './judge-trial.ts';
import { readingsByBroker } from './polls.ts';
import type { TrialRecord } from './run-document.ts';
import type { TrialEvidence } from './trial.ts';
import type { Verdict } from './verdict.ts';

/** Boils the evidence down to the row that tables and reports show. Wall times are ms since the epoch. */
export function measureTrial(
  evidence: TrialEvidence,
  verdict: Verdict,
  when: { readonly sequence: number; readonly startedAtMs: number; readonly endedAtMs: number },
): TrialRecord {
  const delivery = measureDelivery(evidence.shards, evidence.window);
  const seconds = delivery.windowMs / 1_000;
  const perSecond = (messages: number) => (seconds > 0 ? messages / seconds : 0);
  const byBroker = readingsByBroker(evidence.polls);
  const idles = new Map(idleOfBrokers(evidence).map(({ brokerId, idle }) => [brokerId, idle.ratio]));
  const inside = [...byBroker.values()].map((readings) => readingsInWindow(readings, evidence.window));
  return {
    ...when,
    plan: evidence.plan,
    verdict,
    windowSeconds: seconds,
    offeredPerSecond: perSecond(delivery.offered),
    acceptedPerSecond: perSecond(delivery.accepted),
    ackedPerSecond: perSecond(delivery.acked),
    bytesInPerSecond: bytesInPerSecond(inside),
    idleByBroker: Object.fromEntries(
      evidence.cluster.expectedBrokerIds.map((id) => [String(id), idles.get(id) ?? null]),
    ),
    isrChurnShare: isrChurn(
      byBroker,
      evidence.underReplicatedBefore,
      evidence.window,
      evidence.pollIntervalMs,
    ).share,
    roundTripP99Ms: delivery.roundTripSecondMs,
    generatorCpuCores: delivery.cpuCores,
    scrapeMs: median(inside.flat().map((reading) => reading.scrapeMs)),
  };
}

function bytesInPerSecond(brokers: readonly (readonly BrokerReading[])[]): number | null {
  let total = 0;
  for (const readings of brokers) {
    const first = readings[0];
    const last = readings.at(-1);
    if (!first || !last || first.bytesIn === null || last.bytesIn === null || last.atMs <= first.atMs)
      return null;
    total += ((last.bytesIn - first.bytesIn) / (last.atMs - first.atMs)) * 1_000;
  }
  return brokers.length > 0 ? total : null;
}
