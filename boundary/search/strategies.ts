import { type BisectionState, bisection } from './bisection.ts';

/** Strategies by the name in the configuration. */
export const STRATEGIES = { bisection } as const;

export type StrategyName = keyof typeof STRATEGIES;
export type SearchState = BisectionState;
