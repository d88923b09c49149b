import type { BoundaryPoint } from '../../../boundary/boundary-point.ts';
import type {
  RunProbe,
  RunTrial,
  SearchConfig,
  SearchEvent,
  TrialFinished,
} from '../../../boundary/search/search.ts';
import { openSearch, type RunningSearch, type StrategyName } from '../../../boundary/search/strategies.ts';
import { isPastBoundary } from '../../../boundary/search/unit-rate.ts';
import type { Verdict } from '../../../boundary/verdict.ts';
import { CONFIG, verdictOf } from './oracle.ts';

/** Searches as they are opened for a run: whatever strategy, with holds and a time budget. */

export const WHOLE_CONFIG: SearchConfig = { ...CONFIG, sizes: [100, 1_000, 10_000], windowMs: 15_000 };

export type Command = RunProbe | RunTrial;

export interface WholeSearch {
  readonly search: RunningSearch;
  readonly commands: readonly Command[];
  readonly events: readonly SearchEvent[];
  readonly points: readonly BoundaryPoint[];
  readonly holds: readonly RunTrial[];
  readonly seconds: number;
}

/** Runs a search to its end; throws when it has none. */
export function playWhole(
  name: StrategyName,
  config: SearchConfig,
  answer: (command: Command) => SearchEvent,
  look: (search: RunningSearch) => void = () => {},
): WholeSearch {
  let search = openSearch(name, config);
  const commands: Command[] = [];
  const events: SearchEvent[] = [];
  for (;;) {
    look(search);
    const { command } = search;
    if (command.type === 'done') {
      const holds = commands.filter(
        (one): one is RunTrial => one.type === 'runTrial' && one.purpose === 'hold',
      );
      const seconds = events.reduce((sum, event) => sum + event.seconds, 0);
      return { search, commands, events, points: command.points, holds, seconds };
    }
    if (events.length > 1_000) throw new Error('the search does not end');
    const event = answer(command);
    commands.push(command);
    events.push(event);
    search = search.tell(event);
  }
}

/** What is around a window in the clusters below, seconds. */
export const OVERHEAD_SECONDS = 8;

/**
 * A noiseless cluster: idle falls as a logistic curve in ln(load) and crosses 0.2 at `limit` messages per second of any
 * size. Under a long hold only `lasting` of it is left after `creditSeconds`.
 */
export function burstCluster(options: {
  readonly limit: number;
  readonly lasting?: number;
  readonly creditSeconds?: number;
}): (command: Command) => SearchEvent {
  const { limit, lasting = 1, creditSeconds = 220 } = options;
  let atSeconds = 0;
  return (command) => {
    if (command.type === 'runProbe') {
      const all = command.unitRates.map((unitRate) => ({
        unitRate,
        idle: idleAt((unitRate * command.np) / limit),
        ackedShare: 1,
      }));
      const end = all.findIndex((step) => isPastBoundary(step, 0.2));
      const steps = end < 0 ? all : all.slice(0, end + 1);
      const seconds = (command.warmUpMs + steps.length * command.stepMs) / 1_000 + OVERHEAD_SECONDS;
      atSeconds += seconds;
      return { type: 'probeFinished', probeId: command.probeId, steps, seconds };
    }
    const load = command.np * command.unitRate;
    const plannedSeconds = command.windowMs / 1_000;
    const isHold = command.purpose === 'hold';
    const drops = isHold && plannedSeconds > creditSeconds && load > lasting * limit;
    const heldSeconds = drops ? (load > limit ? 0 : creditSeconds) : plannedSeconds;
    const seconds = command.warmUpMs / 1_000 + (isHold ? heldSeconds : plannedSeconds) + OVERHEAD_SECONDS;
    atSeconds += seconds;
    const relative = load / limit / (drops ? lasting : 1);
    return trialEvent(command, relative > 1 ? 'overloaded' : 'sustained', {
      idle: [idleAt(relative), idleAt(relative) + 0.05],
      ...(isHold ? { heldSeconds } : {}),
      windowSeconds: drops ? 30 : plannedSeconds,
      seconds,
      atSeconds,
    });
  };
}

function idleAt(relativeLoad: number): number {
  return 1 / (1 + 4 * relativeLoad ** 1.8);
}

/** The end of a trial; without idle the brokers could not be read. */
export function trialEvent(
  command: RunTrial,
  kind: Verdict['kind'],
  seen: {
    readonly idle?: readonly (number | null)[];
    readonly ackedShare?: number;
    readonly windowSeconds?: number;
    readonly heldSeconds?: number;
    readonly seconds?: number;
    readonly atSeconds?: number;
    readonly verdict?: Verdict;
  } = {},
): TrialFinished {
  const load = command.np * command.unitRate;
  return {
    type: 'trialFinished',
    trialId: command.trialId,
    verdict: seen.verdict ?? verdictOf(kind),
    offeredPerSecond: load,
    ackedPerSecond: load * (seen.ackedShare ?? 1),
    idleByBroker: Object.fromEntries((seen.idle ?? []).map((ratio, i) => [String(i + 1), ratio])),
    windowSeconds: seen.windowSeconds ?? command.windowMs / 1_000,
    ...(seen.heldSeconds === undefined ? {} : { heldSeconds: seen.heldSeconds }),
    atSeconds: seen.atSeconds ?? 0,
    seconds: seen.seconds ?? command.windowMs / 1_000 + OVERHEAD_SECONDS,
  };
}
