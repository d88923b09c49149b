import { idleLogit } from '../../idle/idle-logit.ts';
import { NORMAL_975, student975 } from '../../statistics/student.ts';
import { OVERLOAD_RULES, type OverloadRule } from '../../verdict.ts';
import { worstBrokerReadings } from './broker-offsets.ts';
import { type CensoredTrial, censoredLimit } from './censored-limit.ts';
import { fitIdleModel } from './idle-model.ts';
import {
  IDLE_MODEL_PRIORS,
  type IdleModel,
  type IdleModelInput,
  type LimitHint,
} from './idle-model-types.ts';
import { estimateLimit, type LimitEstimate, probabilityAbove, type RuleLimit } from './limit-estimate.ts';
import { DELIVERED_SHARE, type Observation, TELLING_SHARE } from './observation.ts';

export interface AnalysisInput {
  readonly sizes: readonly number[];
  readonly idleLimit: number;
  readonly observations: readonly Observation[];
  readonly hints: readonly LimitHint[];
  readonly ramps: readonly Ramp[];
}

/** A probe: one run whose load goes up step by step. */
export interface Ramp {
  readonly size: number;
  readonly steps: readonly RampStep[];
}

export interface RampStep {
  readonly lnLoad: number;
  /** Idle of the worst broker, 0..1. */
  readonly idle: number;
  readonly ackedShare: number;
  readonly seconds: number;
}

export interface SizeAnalysis {
  /** The limit as it is during the run. */
  readonly estimate: LimitEstimate;
  /**
   * The limit as it is reported: over an hour, with what a shorter run cannot see of the drift, and with a noise that few
   * trials have taught.
   */
  readonly lasting: LimitEstimate;
  /** Variance of that drift, ln(load). */
  readonly unseenDrift: number;
  /** Chance that the limit lies above ln(load). */
  readonly probabilityAbove: (lnLoad: number) => number;
  /** Fall of logit(idle) per unit of ln(load). */
  readonly slope: number;
  /** Deviation of a trial's reading over 8 s, logit. */
  readonly noise: number;
  readonly noiseDegrees: number;
  /** Index of the broker that is likely the worst; null without readings. */
  readonly worstBroker: number | null;
  /** Readings of trials, and how many of them the model takes for outliers. */
  readonly readings: number;
  readonly outliers: number;
}

export interface Analysis {
  readonly sizes: readonly SizeAnalysis[];
  readonly model: IdleModel;
}

/** Beyond the delivery limit idle does not follow the offered load, logit. */
const DOUBT_BEYOND = 0.35;
/** The steps of a ramp are short, and a cluster has not come to rest in them, logit. */
const DOUBT_RAMP = 0.15;
/** A reading that keeps less weight than this is an outlier. */
const OUTLIER_WEIGHT = 0.1;
/** The curve is not known to better than this at the limit, logit. */
const CURVE_ERROR = 0.015;
/** Nor is any limit, whatever the trials say, ln(load). */
const LIMIT_ERROR = 0.008;

/** Reads everything that is known about a run's limits from its trials. The order of observations does not matter. */
export function analyse(input: AnalysisInput): Analysis {
  const { sizes, hints } = input;
  const observations = [...input.observations].sort(
    (a, b) => a.atSeconds - b.atSeconds || a.lnLoad - b.lnLoad,
  );
  const worst = worstBrokerReadings(observations, sizes.length, isBeyondDelivery);
  const limitLogit = idleLogit(input.idleLimit);
  const readings = [
    ...observations.flatMap((observation, j) => {
      const logit = worst.logits[j] ?? null;
      return logit === null || observation.ackedShare < TELLING_SHARE
        ? []
        : [readingOf(observation, logit - limitLogit)];
    }),
    ...input.ramps.flatMap(({ size, steps }, ramp) =>
      steps.map((step) => rampReading(step, size, ramp, limitLogit)),
    ),
  ];
  const model = fitIdleModel({
    sizes,
    hints,
    readings,
    ramps: input.ramps.length,
  });
  const unseenDrift = unseenDriftVariance(observations, IDLE_MODEL_PRIORS.driftPerHour);
  return {
    model,
    sizes: sizes.map((_, size): SizeAnalysis => {
      const slope = model.slope[size] ?? IDLE_MODEL_PRIORS.slope;
      const scale = Math.max(1, model.noise / IDLE_MODEL_PRIORS.noise);
      const lnLimit = model.lnLimit[size] ?? 0;
      const added = (worst.offsetVariance[size] ?? 0) + (CURVE_ERROR * scale) ** 2;
      const slopeDoubt = Math.exp(2 * Math.min(1, model.lnSlopeVariance[size] ?? 0));
      const variance = ((model.variance[size] ?? 1) + added / slope ** 2) * slopeDoubt + LIMIT_ERROR ** 2;
      const idle = { lnLimit, variance };
      const here = observations.filter((observation) => observation.size === size);
      const others: RuleLimit[] = [
        {
          rule: 'delivery',
          limit: censoredLimit(
            here.map((observation) => deliveryTrial(observation, scale)),
            scale,
          ),
        },
        ...verdictLimits(here),
      ];
      const estimate = estimateLimit(idle, others);
      const unsure = (student975(model.noiseDegrees) / NORMAL_975) ** 2;
      const drifting = estimateLimit(
        { lnLimit, variance: variance * unsure + unseenDrift / slope ** 2 },
        others,
      );
      return {
        estimate,
        unseenDrift: unseenDrift / slope ** 2,
        lasting: {
          ...estimate,
          low: Math.min(estimate.low, drifting.low),
          high: Math.max(estimate.high, drifting.high),
        },
        probabilityAbove: probabilityAbove(idle, others),
        slope,
        noise: model.noise,
        noiseDegrees: model.noiseDegrees,
        worstBroker: worst.worst[size] ?? null,
        readings: here.length,
        outliers: readings.filter(
          (reading, j) =>
            reading.size === size && reading.ramp === null && (model.weights[j] ?? 1) < OUTLIER_WEIGHT,
        ).length,
      };
    }),
  };
}

/**
 * Variance between the mean of a random walk over the run and over an hour, logit: a third of an hour's variance for a
 * run of no length, none for a run of an hour.
 */
function unseenDriftVariance(observations: readonly Observation[], driftPerHour: number): number {
  const hours = observations.reduce((latest, { atSeconds }) => Math.max(latest, atSeconds), 0) / 3_600;
  return (driftPerHour ** 2 / 3) * Math.max(0, 1 - hours) ** 2;
}

function isBeyondDelivery({ ackedShare }: Observation): boolean {
  return ackedShare < DELIVERED_SHARE;
}

function readingOf(observation: Observation, height: number): IdleModelInput['readings'][number] {
  const { size, lnLoad, ackedShare, windowSeconds, atSeconds } = observation;
  const isBeyond = isBeyondDelivery(observation);
  return {
    size,
    // Beyond the delivery limit the brokers work at what comes through.
    lnLoad: isBeyond ? lnLoad + Math.log(ackedShare) : lnLoad,
    height,
    windowSeconds,
    atSeconds,
    doubt: isBeyond ? DOUBT_BEYOND : 0,
    ramp: null,
  };
}

function rampReading(
  step: RampStep,
  size: number,
  ramp: number,
  limitLogit: number,
): IdleModelInput['readings'][number] {
  return {
    size,
    lnLoad: step.lnLoad,
    height: idleLogit(step.idle) - limitLogit,
    windowSeconds: step.seconds,
    atSeconds: 0,
    doubt: step.ackedShare < DELIVERED_SHARE ? DOUBT_BEYOND : DOUBT_RAMP,
    ramp,
  };
}

/** Limits of rules that give a verdict and no number, wherever a trial broke one. */
function verdictLimits(observations: readonly Observation[]): RuleLimit[] {
  const broken = new Set(observations.flatMap(({ verdict }) => (verdict === null ? [] : [verdict])));
  return [...broken]
    .filter((rule) => rule !== 'request-handler idle' && rule !== 'delivery')
    .map((rule) => ({
      rule,
      limit: censoredLimit(
        observations
          // A trial that broke a rule before this one was not asked about it.
          .filter(({ verdict }) => verdict === null || placeOf(verdict) >= placeOf(rule))
          .map(({ lnLoad, verdict }) => ({ lnLoad, isBeyond: verdict === rule, reading: null })),
      ),
    }));
}

function placeOf(rule: OverloadRule): number {
  return OVERLOAD_RULES.indexOf(rule);
}

/** The largest load that is delivered, from a trial: what came through, once the rest fell behind. */
function deliveryTrial(observation: Observation, scale: number): CensoredTrial {
  const { lnLoad, ackedShare } = observation;
  if (!isBeyondDelivery(observation)) return { lnLoad, isBeyond: false, reading: null };
  if (ackedShare < TELLING_SHARE) return { lnLoad, isBeyond: true, reading: null };
  const lnAcked = Math.log(ackedShare);
  return {
    lnLoad,
    isBeyond: true,
    // The limit is where acked / offered falls to the threshold.
    reading: {
      lnLimit: lnLoad + lnAcked - Math.log(DELIVERED_SHARE),
      deviation: 0.04 * scale + 0.1 * Math.min(1, -lnAcked),
    },
  };
}
