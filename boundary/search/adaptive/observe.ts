import { loadOf, type SizeState, validTrials } from './adaptive-state.ts';
import type { Observation } from './observation.ts';

/** What the valid trials of all sizes say to the model. An invalid trial says nothing. */
export function observationsOf(sizes: readonly SizeState[]): Observation[] {
  const brokers = brokersOf(sizes);
  return sizes.flatMap((size, index) =>
    validTrials(size).map(
      (trial): Observation => ({
        size: index,
        lnLoad: Math.log(loadOf(trial)),
        ackedShare: Math.min(
          1,
          trial.offeredPerSecond > 0 ? trial.ackedPerSecond / trial.offeredPerSecond : 0,
        ),
        idle: brokers.map((id) => trial.idleByBroker[id] ?? null),
        windowSeconds: Math.max(trial.windowSeconds, SHORTEST_WINDOW_SECONDS),
        atSeconds: trial.atSeconds,
        verdict: trial.verdict.kind === 'overloaded' ? trial.verdict.rule : null,
      }),
    ),
  );
}

/** A window cut to nothing still counts as this long. */
const SHORTEST_WINDOW_SECONDS = 1;

/** Ids of all brokers that any valid trial read, in order. */
export function brokersOf(sizes: readonly SizeState[]): string[] {
  const ids = new Set(
    sizes.flatMap((size) => validTrials(size).flatMap((trial) => Object.keys(trial.idleByBroker))),
  );
  return [...ids].sort((a, b) => Number(a) - Number(b));
}
