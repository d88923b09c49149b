/** A trial as the idle model sees it. */
export interface IdleReading {
  readonly size: number;
  readonly lnLoad: number;
  /** logit(idle) of the worst broker less logit(limit): above 0 the limit is not reached. */
  readonly height: number;
  readonly windowSeconds: number;
  /** Seconds since the run's start. */
  readonly atSeconds: number;
  /** Deviation to add where idle may not follow the offered load, logit. */
  readonly doubt: number;
  /** Index of the ramp that it is a step of: the cluster feels less than a ramp offers. Null for a trial. */
  readonly ramp: number | null;
}

/** A rough idea of where the limit of a size is. */
export interface LimitHint {
  readonly size: number;
  readonly lnLimit: number;
  readonly deviation: number;
}

export interface IdleModelInput {
  /** Message sizes, bytes. */
  readonly sizes: readonly number[];
  readonly readings: readonly IdleReading[];
  readonly hints: readonly LimitHint[];
  /** Ramps among the readings. */
  readonly ramps: number;
}

export interface IdleModel {
  /** ln of the load at the idle limit, and the variance of it, by size. */
  readonly lnLimit: readonly number[];
  readonly variance: readonly number[];
  /** Fall of logit(idle) per unit of ln(load) at the limit, by size. */
  readonly slope: readonly number[];
  readonly lnSlopeVariance: readonly number[];
  readonly curvature: number;
  /** Deviation of a reading over 8 s, logit, and how many readings have taught it, the guess before included. */
  readonly noise: number;
  readonly noiseDegrees: number;
  /** Deviation of the limits around the cost law, ln(load). */
  readonly misfit: number;
  /** Drift of logit(idle) in each block of time. */
  readonly drift: readonly number[];
  /** Change of logit(idle) from the first block to the last, its variance and the time between; null within one block. */
  readonly trend: { readonly change: number; readonly variance: number; readonly seconds: number } | null;
  /** Residual of each reading over its deviation, and the weight that it kept as no outlier, 0..1. */
  readonly residuals: readonly number[];
  readonly weights: readonly number[];
}

/** Beliefs before the first trial. Deviations of ln or logit; `...Degrees` are how many readings a guess is worth. */
export interface IdleModelPriors {
  readonly slope: number;
  readonly slopeSpread: number;
  readonly sizeSlopeSpread: number;
  readonly curvature: number;
  readonly curvatureSpread: number;
  readonly noise: number;
  readonly noiseDegrees: number;
  readonly misfit: number;
  readonly misfitDegrees: number;
  /** Misfits of sizes this far apart in ln(bytes) are about half alike ... */
  readonly misfitLength: number;
  /** ... but for this share of their variance, which every size has for itself. */
  readonly misfitRoughShare: number;
  /** Repeats of one trial differ by this, ln(load). */
  readonly runToRun: number;
  /** How wrong the curve may be, logit per logit away from the limit. */
  readonly farError: number;
  readonly driftPerHour: number;
  readonly outlierShare: number;
  readonly outlierSpread: number;
  /** Spread of the two costs of the law around the first rough reading. */
  readonly costSpread: number;
  /** How far the load of a ramp is ahead of what the cluster feels, ln(load). */
  readonly rampLead: number;
  readonly rampLeadSpread: number;
}

export const IDLE_MODEL_PRIORS: IdleModelPriors = {
  slope: 1.3,
  slopeSpread: 0.6,
  sizeSlopeSpread: 0.15,
  curvature: 0.3,
  curvatureSpread: 0.8,
  noise: 0.09,
  noiseDegrees: 3,
  misfit: 0.06,
  misfitDegrees: 8,
  misfitLength: 1.3,
  misfitRoughShare: 0.1,
  runToRun: 0.015,
  farError: 0.25,
  driftPerHour: 0.06,
  outlierShare: 0.04,
  outlierSpread: 0.7,
  costSpread: 3,
  rampLead: 0.35,
  rampLeadSpread: 0.5,
};
