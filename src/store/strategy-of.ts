import type { StrategyName } from '../../boundary/search/strategies.ts';
import type { StoredRun } from './stored-run.ts';

/** The strategy of a run; before there was a choice, all went by bisection. */
export function strategyOf({ strategy }: StoredRun['configuration']): StrategyName {
  return (strategy as StrategyName | undefined) ?? 'bisection';
}
