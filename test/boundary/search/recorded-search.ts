import type { TrialRecord } from '../../../boundary/run-document.ts';
import type { RecordedSearch } from '../../../boundary/search/journal.ts';
import type { RunTrial, SearchConfig, SearchEvent, TrialFinished } from '../../../boundary/search/search.ts';
import { openSearch, type StrategyName } from '../../../boundary/search/strategies.ts';
import { DEFAULT_WORLD, drawClusterWorld } from '../../../boundary/simulator/cluster-world.ts';
import { SimulatedCluster } from '../../../boundary/simulator/simulated-cluster.ts';
import { CONFIG } from './oracle.ts';

const SEARCH: SearchConfig = { ...CONFIG, sizes: [1_000, 10_000], windowMs: 15_000, precision: 0.1 };

/** A search of a simulated cluster as a store keeps it; cut off after so many events. */
export function recordedSearch(
  strategy: StrategyName,
  mostEvents = Number.POSITIVE_INFINITY,
): RecordedSearch {
  const world = drawClusterWorld(7, { ...DEFAULT_WORLD, sizes: SEARCH.sizes });
  const cluster = new SimulatedCluster(world, 7);
  const events: SearchEvent[] = [];
  const trials: TrialRecord[] = [];
  let search = openSearch(strategy, SEARCH);
  for (;;) {
    const { command } = search;
    if (command.type === 'done' || events.length >= mostEvents) {
      return { strategy, config: SEARCH, events, trials, isFinished: command.type === 'done' };
    }
    const event = cluster.answer(command);
    if (command.type === 'runTrial' && event.type === 'trialFinished')
      trials.push(recordOf(command, event, trials.length + 1));
    events.push(event);
    search = search.tell(event);
  }
}

function recordOf(command: RunTrial, event: TrialFinished, sequence: number): TrialRecord {
  const { trialId, messageBytes, np, unitRate, warmUpMs, windowMs, purpose, why } = command;
  return {
    sequence,
    plan: { trialId, messageBytes, np, unitRate, warmUpMs, windowMs, purpose },
    verdict: event.verdict,
    why,
    startedAtMs: Date.UTC(2026, 10, 30, 12, 3, sequence),
    endedAtMs: Date.UTC(2026, 10, 30, 12, 3, sequence + 20),
    windowSeconds: event.windowSeconds,
    offeredPerSecond: event.offeredPerSecond,
    acceptedPerSecond: event.offeredPerSecond,
    ackedPerSecond: event.ackedPerSecond,
    bytesInPerSecond: null,
    idleByBroker: event.idleByBroker,
    isrChurnShare: 0,
    roundTripP99Ms: null,
    generatorCpuCores: 0,
    scrapeMs: null,
  };
}
