import type { TrialRecord } from '../../boundary/run-document.ts';
import { planOf, type RunTrial, type TrialFinished } from '../../boundary/search/search.ts';
import type { Verdict } from '../../boundary/verdict.ts';

/**
 * The row of a simulated trial. What only a real load has is left out: round trips, CPU, scrapes, bytes on the brokers.
 * @param startedAtMs when the simulated run started, ms since the epoch; from there its own time counts.
 */
export function simulatedRecord(
  command: RunTrial,
  event: TrialFinished,
  { sequence, startedAtMs }: { readonly sequence: number; readonly startedAtMs: number },
): TrialRecord {
  const endedAtMs = Math.round(startedAtMs + event.atSeconds * 1_000);
  return {
    sequence,
    plan: planOf(command),
    verdict: event.verdict,
    why: command.why,
    ...(event.heldSeconds === undefined ? {} : { heldSeconds: event.heldSeconds }),
    startedAtMs: Math.round(endedAtMs - event.seconds * 1_000),
    endedAtMs,
    windowSeconds: event.windowSeconds,
    offeredPerSecond: event.offeredPerSecond,
    // The simulated client takes what it is given: what is missing is missing on the brokers' side.
    acceptedPerSecond: event.offeredPerSecond,
    ackedPerSecond: event.ackedPerSecond,
    bytesInPerSecond: null,
    idleByBroker: event.idleByBroker,
    isrChurnShare: isrChurnShare(event.verdict),
    roundTripP99Ms: null,
    generatorCpuCores: 0,
    scrapeMs: null,
  };
}

function isrChurnShare(verdict: Verdict): number | null {
  if (verdict.kind === 'invalid') return null;
  return verdict.kind === 'overloaded' && verdict.rule === 'isr churn' ? verdict.value : 0;
}
