import type { BoundaryPoint } from '../boundary-point.ts';
import { adaptive } from './adaptive/adaptive.ts';
import { bisection } from './bisection.ts';
import { withHolds } from './hold/with-holds.ts';
import type { Remaining } from './remaining.ts';
import {
  replay,
  type SearchCommand,
  type SearchConfig,
  type SearchEvent,
  type SearchStrategy,
} from './search.ts';
import { withTimeBudget } from './time-budget.ts';

/** Strategies by the name in the configuration. */
export const STRATEGIES = { adaptive, bisection } as const;

export type StrategyName = keyof typeof STRATEGIES;

/** A search under way, whatever its strategy. Nothing in it changes: an event leads to another one. */
export interface RunningSearch {
  /** The command that is due. */
  readonly command: SearchCommand;
  readonly remaining: Remaining;
  /** Points that will not change any more. */
  readonly finished: readonly BoundaryPoint[];
  /** The answer as it stands. */
  soFar(): readonly BoundaryPoint[];
  /** Takes in a result. */
  tell(event: SearchEvent): RunningSearch;
}

/** Starts a search within its time budget, holds and all, or takes up one from the events that it has seen. */
export function openSearch(
  name: StrategyName,
  config: SearchConfig,
  events: readonly SearchEvent[] = [],
): RunningSearch {
  switch (name) {
    case 'adaptive':
      return open(adaptive, config, events);
    case 'bisection':
      return open(bisection, config, events);
  }
}

function open<State>(
  strategy: SearchStrategy<State>,
  config: SearchConfig,
  events: readonly SearchEvent[],
): RunningSearch {
  const whole = withTimeBudget(withHolds(strategy));
  return running(whole, replay(whole, config, events));
}

function running<State>(strategy: SearchStrategy<State>, state: State): RunningSearch {
  return {
    command: strategy.ask(state),
    remaining: strategy.remaining(state),
    finished: strategy.finished(state),
    soFar: () => strategy.soFar(state),
    tell: (event) => running(strategy, strategy.tell(state, event)),
  };
}
