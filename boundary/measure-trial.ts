import type { BrokerReading } from './broker-reading.ts';
import { groupReadings } from './consumer-lag.ts';
import { measureDelivery, median } from './delivery.ts';
import { isrChurn } from './isr-churn.ts';
import { idleOfBrokers } from './judge-trial.ts';
import { meterGrowth } from './meter-growth.ts';
import { readingsByBroker } from './polls.ts';
import { readingsInWindow } from './readings-around.ts';
import type { TrialRecord } from './run-document.ts';
import type { TrialEvidence, Window } from './trial.ts';
import { measureLatencies } from './trial-latency.ts';
import type { IdleReading, Verdict } from './verdict.ts';

/** Bounds wider than this tell nothing of an idle; the middle of them would be a made-up number. */
const WIDEST_TELLING = 0.5;

/** What a record tells of a trial besides what was measured; wall times are ms since the epoch. */
export type TrialCircumstances = Pick<
  TrialRecord,
  'sequence' | 'startedAtMs' | 'endedAtMs' | 'why' | 'heldSeconds'
>;

/** Boils the evidence down to the row that tables and reports show. */
export function measureTrial(
  evidence: TrialEvidence,
  verdict: Verdict,
  circumstances: TrialCircumstances,
): TrialRecord {
  const delivery = measureDelivery(evidence.shards, evidence.window);
  const seconds = delivery.windowMs / 1_000;
  const perSecond = (messages: number) => (seconds > 0 ? messages / seconds : 0);
  const byBroker = readingsByBroker(evidence.polls);
  const idles = new Map(idleOfBrokers(evidence).map(({ brokerId, idle }) => [brokerId, tellingRatio(idle)]));
  const inside = [...byBroker.values()].flatMap((readings) => readingsInWindow(readings, evidence.window));
  return {
    ...circumstances,
    plan: evidence.plan,
    verdict,
    windowSeconds: seconds,
    offeredPerSecond: perSecond(delivery.offered),
    acceptedPerSecond: perSecond(delivery.accepted),
    ackedPerSecond: perSecond(delivery.acked),
    bytesInPerSecond: bytesInPerSecond([...byBroker.values()], evidence.window),
    idleByBroker: Object.fromEntries(
      evidence.cluster.expectedBrokerIds.map((id) => [String(id), idles.get(id) ?? null]),
    ),
    isrChurnShare:
      inside.length === 0
        ? null
        : isrChurn(byBroker, evidence.underReplicatedBefore, evidence.window, evidence.pollIntervalMs).share,
    roundTripP99Ms: delivery.roundTripSecondMs,
    generatorCpuCores: delivery.cpuCores,
    scrapeMs: median(inside.map((reading) => reading.scrapeMs)),
    ...measureLatencies(evidence),
    ...measureConsumers(evidence),
  };
}

function measureConsumers({ readers = [], window }: TrialEvidence): Pick<TrialRecord, 'consumers'> {
  if (readers.length === 0) return {};
  const ticks = readers.map((reader) => reader.ticks);
  const consumers = groupReadings(ticks, window).map(({ growth, ...reading }) => ({
    ...reading,
    lagGrowthPerSecond: growth?.perSecond ?? null,
  }));
  return { consumers };
}

function tellingRatio({ ratio, low, high }: IdleReading): number | null {
  return high - low <= WIDEST_TELLING ? ratio : null;
}

function bytesInPerSecond(brokers: readonly (readonly BrokerReading[])[], window: Window): number | null {
  let total = 0;
  for (const readings of brokers) {
    const growth = meterGrowth(readings, window, (reading) => reading.bytesIn);
    if (!growth) return null;
    total += (growth.events / growth.overMs) * 1_000;
  }
  return brokers.length > 0 ? total : null;
}
