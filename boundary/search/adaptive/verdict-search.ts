import type { BoundaryPoint } from '../../boundary-point.ts';
import { bracketOf, type Vote } from '../bracket.ts';
import { type NextLoad, nextLoad } from '../next-load.ts';
import { pointResult } from '../point-result.ts';
import type { PointState } from '../point-state.ts';
import type { SearchConfig } from '../search.ts';
import { rescaledUnitRate } from '../unit-rate.ts';
import { type SizeState, type StoredTrial, validTrials } from './adaptive-state.ts';
import { isSustained } from './confirmed-bounds.ts';

/**
 * What is left where idle does not follow the model: the verdicts. The size goes on as in bisection, from all the votes
 * that it has.
 */
export function verdictStep(size: SizeState, config: SearchConfig): NextLoad {
  return nextLoad(pointStateOf(size, config), config);
}

/** The point that the verdicts alone make. `why`: what keeps the model from it. */
export function verdictPoint(size: SizeState, config: SearchConfig, why: string): BoundaryPoint {
  const step = verdictStep(size, config);
  const ending =
    step.kind === 'finished' ? step : { note: `ended after ${size.trials.length} trials`, isGivenUp: false };
  const point = pointResult(pointStateOf(size, config), ending, config);
  return { ...point, notes: [...point.notes, why] };
}

function pointStateOf(size: SizeState, config: SearchConfig): PointState {
  const votes = validTrials(size).map(voteOf);
  const unitRate = size.unitRate ?? size.trials.at(-1)?.unitRate ?? 1;
  return {
    messageBytes: size.messageBytes,
    unitRate: rescaledUnitRate(unitRate, bracketOf(votes), config),
    probes: size.probes.map(({ steps }) => steps),
    votes,
    invalid: size.trials.flatMap(({ np, unitRate: rate, verdict }) =>
      verdict.kind === 'invalid'
        ? [{ np, unitRate: rate, reason: verdict.reason, detail: verdict.detail }]
        : [],
    ),
    trials: size.trials.length,
    seconds: size.seconds,
  };
}

function voteOf(trial: StoredTrial): Vote {
  const { np, unitRate, verdict, plannedWindowMs } = trial;
  const held = isSustained(trial);
  return {
    np,
    unitRate,
    isSustained: held,
    messagesPerSecond: held ? trial.ackedPerSecond : trial.offeredPerSecond,
    windowMs: plannedWindowMs,
    limit: verdict.kind === 'overloaded' ? { rule: verdict.rule, brokerId: verdict.brokerId } : null,
  };
}
