import { expit } from '../../statistics/logit.ts';
import { curve } from './idle-model-rows.ts';
import { IDLE_MODEL_PRIORS, type IdleModel } from './idle-model-types.ts';

/** How the cluster has changed over a run, as all trials together show it. */
export interface Trend {
  /** Change of logit(idle) at one load from the first to the last trials, and its deviation by noise alone. */
  readonly change: number;
  readonly deviation: number;
  readonly minutes: number;
}

/** In so short a run a trend is not told from noise, minutes. */
const LEAST_MINUTES = 10;
/** At this many deviations a trend is worth a trial, and at this many it is told. */
const SUSPECT_BEYOND = 1.96;
const TOLD_BEYOND = 2.58;

/**
 * The trend that the drift of the model shows, freed from its belief in little drift: with a prior variance P and V left
 * after the trials, a normal estimate e stands for a measurement of e P / (P - V) with variance P V / (P - V).
 *
 * @returns null in a run too short, or whose trials say nothing of it.
 */
export function trendOf({ trend }: IdleModel): Trend | null {
  if (!trend || trend.seconds / 60 < LEAST_MINUTES) return null;
  const prior = IDLE_MODEL_PRIORS.driftPerHour ** 2 * (trend.seconds / 3_600);
  const learned = prior - trend.variance;
  if (learned <= LEAST_LEARNED * prior) return null;
  return {
    change: (trend.change * prior) / learned,
    deviation: Math.sqrt((prior * trend.variance) / learned),
    minutes: trend.seconds / 60,
  };
}

const LEAST_LEARNED = 0.02;

/** A trend that may be noise: a repeat of an early trial tells. */
export function isSuspect({ change, deviation }: Trend): boolean {
  return Math.abs(change) > SUSPECT_BEYOND * deviation;
}

/** A trend that is none of noise, at 99 %. */
export function isTold({ change, deviation }: Trend): boolean {
  return Math.abs(change) > TOLD_BEYOND * deviation;
}

/**
 * The trend in one sentence, told at the load of a trial.
 *
 * @param lnLoad ln of that load; `limitLogit` is logit of the idle limit.
 */
export function trendText(
  { change, minutes }: Trend,
  model: IdleModel,
  at: { readonly size: number; readonly lnLoad: number; readonly limitLogit: number },
): string {
  const slope = model.slope[at.size] ?? IDLE_MODEL_PRIORS.slope;
  const distance = at.lnLoad - (model.lnLimit[at.size] ?? at.lnLoad);
  const middle = at.limitLogit - slope * curve(model.curvature, distance);
  const idleAt = (logit: number) => expit(logit).toFixed(2);
  const share = (100 * Math.abs(Math.expm1(change / slope))).toFixed(0);
  const [moved, became] = change < 0 ? ['fell', 'slower'] : ['rose', 'faster'];
  return (
    `over the ${minutes.toFixed(0)} min of the run idle at one load ${moved} from ${idleAt(middle - change / 2)} to ` +
    `${idleAt(middle + change / 2)}: the cluster got ${became}, by about ${share} % of its limit`
  );
}
