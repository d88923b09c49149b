import { type Fit, leastSquares, type Residual } from '../../levenberg-marquardt.ts';
import { inverseDiagonal, solveLower } from '../../linear-algebra.ts';
import { type CostLaw, lnLimitOf, misfitWhitening, roughCostLaw, type WeightedLimit } from './cost-law.ts';
import {
  type Frame,
  heightError,
  Layout,
  misfitRows,
  modelRows,
  readingDeviations,
  type Scales,
} from './idle-model-rows.ts';
import {
  IDLE_MODEL_PRIORS,
  type IdleModel,
  type IdleModelInput,
  type IdleModelPriors,
  type IdleReading,
} from './idle-model-types.ts';
import { NOISE_SECONDS } from './observation.ts';

const ROUNDS = 4;
/** A fit that starts from too little noise takes much of it for outliers, logit over 8 s. */
const FIRST_NOISE = 0.15;
const LIMITS = { maxSteps: 10, maxMove: 1.5, tolerance: 1e-3 };
/** Only readings this close to the limit teach how noisy they are, logit. */
const TEACHES_WITHIN = 1.2;
const DOUBTFUL = 0.2;
/** A weight under this, squared residual over its deviation, is not taken at the first round. */
const SMALLEST_WEIGHT = 0.01;
/** A reading tells the limit this well for each unit of ln(load) away from it. */
const ERROR_PER_DISTANCE = 0.4;

/**
 * The idle of the worst broker as a function of load and message size, fitted to all trials of a run at once:
 *
 *   logit(idle) = logit(limit) - slope_i x curve(ln load - limit_i) + drift(t)     curve(d) = (exp(k d) - 1) / k
 *   limit_i = -ln(a + b x bytes_i) + misfit_i
 *
 * `limit_i` is ln of the load at which size i meets the idle limit. A message costs a time (a) and a time per byte (b);
 * the misfit is a smooth random function of ln(bytes). Slopes are alike, k is one for the cluster: 0 is a power law,
 * 0.5 close to an exponential, 2.3 to a straight line. Drift is a random walk, 0 on average over the run.
 *
 * Deterministic. The order of readings does not matter but for rounding.
 */
export function fitIdleModel(input: IdleModelInput, priors: IdleModelPriors = IDLE_MODEL_PRIORS): IdleModel {
  const layout = new Layout(input);
  const guess = roughLimits(input, priors);
  const startLaw = roughCostLaw(guess.filter((limit) => limit.weight > 0));
  const whitening = misfitWhitening(input.sizes, {
    length: priors.misfitLength,
    roughShare: priors.misfitRoughShare,
  });
  const frame: Frame = { input, layout, priors, whitening, startLaw };
  let unknowns = startAt(frame, guess, startLaw);
  const noise = Math.max(priors.noise, FIRST_NOISE);
  let scales: Scales = {
    noise,
    noiseDegrees: priors.noiseDegrees,
    misfit: priors.misfit,
    deviations: readingDeviations(frame, unknowns, noise),
    weights: input.readings.map(() => 1),
  };
  let fit: Fit | null = null;
  for (let round = 0; round < ROUNDS; round++) {
    const held = scales;
    fit = leastSquares(unknowns, (at) => modelRows(frame, held, at), LIMITS);
    unknowns = fit.unknowns;
    scales = learnScales(frame, fit, held);
  }
  return describe(frame, fit, scales);
}

function describe(frame: Frame, fit: Fit | null, scales: Scales): IdleModel {
  if (!fit) throw new RangeError('a fit takes at least one round');
  const { input, layout } = frame;
  const at = (index: number) => fit.unknowns[index] ?? 0;
  const sizes = [...input.sizes.keys()];
  return {
    lnLimit: sizes.map((size) => at(layout.limit(size))),
    variance: sizes.map((size) => inverseDiagonal(fit.factor, layout.limit(size))),
    slope: sizes.map((size) => Math.exp(at(layout.lnSlope(size)))),
    lnSlopeVariance: sizes.map((size) => inverseDiagonal(fit.factor, layout.lnSlope(size))),
    curvature: at(layout.curvature),
    noise: scales.noise,
    noiseDegrees: scales.noiseDegrees,
    misfit: scales.misfit,
    drift: Array.from({ length: layout.blocks }, (_, block) => at(layout.drift(block))),
    trend: trendOf(fit, layout),
    residuals: input.readings.map(
      (reading, j) => heightError(reading, fit.unknowns, layout) / (scales.deviations[j] ?? 1),
    ),
    weights: scales.weights,
  };
}

function trendOf(fit: Fit, layout: Layout): IdleModel['trend'] {
  if (layout.blocks < 2) return null;
  const first = layout.drift(0);
  const last = layout.drift(layout.blocks - 1);
  return {
    change: (fit.unknowns[last] ?? 0) - (fit.unknowns[first] ?? 0),
    variance: rowVariance({ value: 0, unknowns: [first, last], slopes: [-1, 1] }, fit),
    seconds: (layout.blocks - 1) * layout.blockSeconds,
  };
}

/** Where each size's limit seems to be from its own readings and hints, taken one by one. */
function roughLimits({ sizes, readings, hints }: IdleModelInput, priors: IdleModelPriors): WeightedLimit[] {
  return sizes.map((bytes, size) => {
    let sum = 0;
    let weight = 0;
    const take = (lnLimit: number, variance: number) => {
      sum += lnLimit / variance;
      weight += 1 / variance;
    };
    for (const reading of readings) if (reading.size === size) take(...limitFrom(reading, priors));
    for (const hint of hints) if (hint.size === size) take(hint.lnLimit, hint.deviation ** 2);
    return { bytes, lnLimit: weight > 0 ? sum / weight : 0, weight };
  });
}

/** The limit that a single reading speaks for, and its variance: the farther away, the less. */
function limitFrom(reading: IdleReading, priors: IdleModelPriors): [number, number] {
  const { slope, curvature } = priors;
  const distance = Math.log(Math.max(0.12, 1 - (curvature * reading.height) / slope)) / curvature;
  const noise = (priors.noise ** 2 * NOISE_SECONDS) / reading.windowSeconds + reading.doubt ** 2;
  const isRamp = reading.ramp !== null;
  const lead = isRamp ? priors.rampLead : 0;
  const leadVariance = isRamp ? priors.rampLeadSpread ** 2 : 0;
  return [
    reading.lnLoad - lead - distance,
    noise / slope ** 2 + (ERROR_PER_DISTANCE * distance) ** 2 + priors.runToRun ** 2 + leadVariance,
  ];
}

function startAt(
  { input, layout, priors }: Frame,
  guess: readonly WeightedLimit[],
  law: CostLaw,
): Float64Array {
  const unknowns = new Float64Array(layout.length);
  guess.forEach(({ bytes, lnLimit, weight }, size) => {
    unknowns[layout.limit(size)] = weight > 0 ? lnLimit : lnLimitOf(law, bytes);
    unknowns[layout.lnSlope(size)] = Math.log(priors.slope);
  });
  for (let ramp = 0; ramp < layout.ramps; ramp++) unknowns[layout.lead(ramp)] = priors.rampLead;
  unknowns[layout.meanLnSlope] = Math.log(priors.slope);
  unknowns[layout.curvature] = priors.curvature;
  unknowns[layout.lnMessageCost] = law.lnMessageCost;
  unknowns[layout.lnByteCost] = law.lnByteCost;
  if (input.sizes.length === 0) throw new RangeError('no size to search at');
  return unknowns;
}

/** Takes noise, misfit and outliers from what a fit leaves over. */
function learnScales(frame: Frame, fit: Fit, held: Scales): Scales {
  const { input, layout, priors } = frame;
  const errors = input.readings.map((reading) => heightError(reading, fit.unknowns, layout));
  const before = errors.map((error, j) => error / (held.deviations[j] ?? 1));
  const weights = before.map((z, j) => inlierWeight(z, held.deviations[j] ?? 1, priors));
  const { noise, noiseDegrees } = learnNoise(frame, before, weights, held.noise);
  return {
    noise,
    noiseDegrees,
    misfit: learnMisfit(frame, fit, held.misfit),
    deviations: readingDeviations(frame, fit.unknowns, noise),
    weights,
  };
}

/**
 * Weight of a residual under a mixture: noise with Student tails, and now and then an outlier from anywhere. Steeper than
 * Student's alone: what is plainly an outlier counts for nothing.
 */
export function inlierWeight(z: number, deviation: number, priors: IdleModelPriors): number {
  const { outlierShare, outlierSpread } = priors;
  const wide = Math.hypot(deviation, outlierSpread);
  // In logarithms: far out both densities are 0 to a double.
  const lnInside = Math.log((1 - outlierShare) / deviation) - 0.5 * z * z;
  const lnOutside = Math.log(outlierShare / wide) - 0.5 * ((z * deviation) / wide) ** 2;
  const isInside = 1 / (1 + Math.exp(lnOutside - lnInside));
  return Math.max(SMALLEST_WEIGHT, isInside + (1 - isInside) * (deviation / wide) ** 2);
}

/**
 * From the residuals of trials near a limit. How far the brokers of a trial differ says nothing of it: what they share, a
 * disk or a neighbour of their machine, may be nearly all of the noise.
 */
function learnNoise(
  { input, priors }: Frame,
  z: readonly number[],
  weights: readonly number[],
  noise: number,
): Pick<Scales, 'noise' | 'noiseDegrees'> {
  let square = priors.noiseDegrees * priors.noise ** 2;
  let degrees = priors.noiseDegrees;
  const teaching = input.readings.flatMap(({ height, doubt, ramp }, j) =>
    Math.abs(height) < TEACHES_WITHIN && doubt < DOUBTFUL && ramp === null ? [j] : [],
  );
  const sizes = new Set(teaching.map((j) => input.readings[j]?.size)).size;
  const free = teaching.length - sizes - 1;
  if (free > 0) {
    square += teaching.reduce((sum, j) => sum + (weights[j] ?? 0) * (z[j] ?? 0) ** 2, 0) * noise ** 2;
    degrees += free;
  }
  return {
    noise: Math.sqrt(square / degrees),
    // Slopes, curvature and drift are learned from the same residuals and take their part of them.
    noiseDegrees: priors.noiseDegrees + Math.max(0, free) / 2,
  };
}

/** One step of expectation and maximisation: the squared misfits that the fit expects, uncertainty included. */
function learnMisfit(frame: Frame, fit: Fit, misfit: number): number {
  const rows = misfitRows(frame, fit.unknowns, 1);
  const { misfit: prior, misfitDegrees: degrees } = frame.priors;
  const expected = rows.reduce((sum, row) => sum + row.value ** 2 + rowVariance(row, fit), 0);
  const learned = Math.sqrt((degrees * prior ** 2 + expected) / (degrees + rows.length));
  return Math.min(Math.max(learned, 0.3 * misfit), 3 * misfit);
}

function rowVariance(row: Residual, fit: Fit): number {
  const direction = new Float64Array(fit.unknowns.length);
  row.unknowns.forEach((index, i) => {
    direction[index] = row.slopes[i] ?? 0;
  });
  return solveLower(fit.factor, direction).reduce((sum, value) => sum + value * value, 0);
}
