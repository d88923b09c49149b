import type { Residual } from '../../levenberg-marquardt.ts';
import type { CostLaw } from './cost-law.ts';
import type { IdleModelInput, IdleModelPriors, IdleReading } from './idle-model-types.ts';
import { NOISE_SECONDS } from './observation.ts';

const BLOCK_SECONDS = 360;
const MOST_BLOCKS = 20;
/** The drift is 0 on average over the run, within this. */
const DRIFT_MEAN_DEVIATION = 0.004;
/** Readings this close to the limit do not feel the shape of the curve, logit. */
const NEAR = 0.15;

/** Where each unknown stands in the vector. */
export class Layout {
  readonly sizes: number;
  readonly blocks: number;
  readonly blockSeconds: number;
  readonly ramps: number;

  constructor({ sizes, readings, ramps }: IdleModelInput) {
    const lastSeconds = readings.reduce((latest, { atSeconds }) => Math.max(latest, atSeconds), 0);
    this.sizes = sizes.length;
    this.ramps = ramps;
    this.blockSeconds = Math.max(BLOCK_SECONDS, lastSeconds / (MOST_BLOCKS - 1));
    this.blocks = Math.floor(lastSeconds / this.blockSeconds) + 1;
  }

  get length(): number {
    return 2 * this.sizes + 4 + this.blocks + this.ramps;
  }
  limit(size: number): number {
    return size;
  }
  lnSlope(size: number): number {
    return this.sizes + size;
  }
  get meanLnSlope(): number {
    return 2 * this.sizes;
  }
  get curvature(): number {
    return 2 * this.sizes + 1;
  }
  get lnMessageCost(): number {
    return 2 * this.sizes + 2;
  }
  get lnByteCost(): number {
    return 2 * this.sizes + 3;
  }
  lead(ramp: number): number {
    return 2 * this.sizes + 4 + this.blocks + ramp;
  }
  drift(block: number): number {
    return 2 * this.sizes + 4 + block;
  }
  driftOf({ atSeconds }: IdleReading): number {
    return this.drift(Math.min(this.blocks - 1, Math.max(0, Math.floor(atSeconds / this.blockSeconds))));
  }
}

/** What is learned between the rounds of a fit and held within one. */
export interface Scales {
  readonly noise: number;
  readonly noiseDegrees: number;
  readonly misfit: number;
  /** Deviation of each reading, and its weight as no outlier. */
  readonly deviations: readonly number[];
  readonly weights: readonly number[];
}

/** What does not change during a fit. */
export interface Frame {
  readonly input: IdleModelInput;
  readonly layout: Layout;
  readonly priors: IdleModelPriors;
  readonly whitening: readonly Float64Array[];
  /** The law that the fit starts at; the costs' weak priors are around it. */
  readonly startLaw: CostLaw;
}

/** (exp(k d) - 1) / k, and its derivative by d. Held within what a double and a fit can bear. */
export function curve(curvature: number, distance: number): number {
  const z = curvature * distance;
  if (Math.abs(z) < 1e-4) return distance * (1 + z / 2);
  return (curveSlope(curvature, distance) - 1) / curvature;
}

function curveSlope(curvature: number, distance: number): number {
  return Math.exp(Math.min(3, Math.max(-8, curvature * distance)));
}

/** How far over the limit the load is that the cluster feels, ln(load). */
function distanceOf(reading: IdleReading, unknowns: Float64Array, layout: Layout): number {
  const lead = reading.ramp === null ? 0 : (unknowns[layout.lead(reading.ramp)] ?? 0);
  return reading.lnLoad - lead - (unknowns[layout.limit(reading.size)] ?? 0);
}

/** How far a reading is off the model, logit. */
export function heightError(reading: IdleReading, unknowns: Float64Array, layout: Layout): number {
  const at = (index: number) => unknowns[index] ?? 0;
  const distance = distanceOf(reading, unknowns, layout);
  const fall = Math.exp(at(layout.lnSlope(reading.size))) * curve(at(layout.curvature), distance);
  return reading.height + fall - at(layout.driftOf(reading));
}

/** Deviations that readings should have around the model: noise, run to run, shape of the curve, doubt; logit. */
export function readingDeviations(frame: Frame, unknowns: Float64Array, noise: number): number[] {
  const { input, layout, priors } = frame;
  return input.readings.map((reading) => {
    const slope = Math.exp(unknowns[layout.lnSlope(reading.size)] ?? 0);
    const runToRun = priors.runToRun * Math.max(1, noise / priors.noise) * slope;
    const far = priors.farError * Math.max(0, Math.abs(reading.height) - NEAR);
    const shortNoise = (noise ** 2 * NOISE_SECONDS) / reading.windowSeconds;
    return Math.sqrt(shortNoise + runToRun ** 2 + far ** 2 + reading.doubt ** 2);
  });
}

/** All rows of the least-squares problem: readings, hints and priors. */
export function modelRows(frame: Frame, scales: Scales, unknowns: Float64Array): Residual[] {
  const { input, layout, priors, startLaw } = frame;
  const at = (index: number) => unknowns[index] ?? 0;
  const rows = input.readings.map((reading, j) =>
    readingRow(reading, unknowns, layout, (scales.deviations[j] ?? 1) / Math.sqrt(scales.weights[j] ?? 1)),
  );
  for (const { size, lnLimit, deviation } of input.hints) {
    rows.push(priorRow(at(layout.limit(size)) - lnLimit, deviation, layout.limit(size)));
  }
  for (let size = 0; size < layout.sizes; size++) {
    const index = layout.lnSlope(size);
    rows.push(differenceRow(unknowns, index, layout.meanLnSlope, priors.sizeSlopeSpread));
  }
  for (let ramp = 0; ramp < layout.ramps; ramp++) {
    rows.push(priorRow(at(layout.lead(ramp)) - priors.rampLead, priors.rampLeadSpread, layout.lead(ramp)));
  }
  rows.push(
    ...driftRows(frame, unknowns),
    ...misfitRows(frame, unknowns, scales.misfit),
    priorRow(at(layout.meanLnSlope) - Math.log(priors.slope), priors.slopeSpread, layout.meanLnSlope),
    priorRow(at(layout.curvature) - priors.curvature, priors.curvatureSpread, layout.curvature),
    priorRow(at(layout.lnMessageCost) - startLaw.lnMessageCost, priors.costSpread, layout.lnMessageCost),
    priorRow(at(layout.lnByteCost) - startLaw.lnByteCost, priors.costSpread, layout.lnByteCost),
  );
  return rows;
}

function priorRow(value: number, deviation: number, index: number): Residual {
  return { value: value / deviation, unknowns: [index], slopes: [1 / deviation] };
}

function differenceRow(unknowns: Float64Array, a: number, b: number, deviation: number): Residual {
  const value = ((unknowns[a] ?? 0) - (unknowns[b] ?? 0)) / deviation;
  return { value, unknowns: [a, b], slopes: [1 / deviation, -1 / deviation] };
}

function readingRow(
  reading: IdleReading,
  unknowns: Float64Array,
  layout: Layout,
  deviation: number,
): Residual {
  const at = (index: number) => unknowns[index] ?? 0;
  const slope = Math.exp(at(layout.lnSlope(reading.size)));
  const curvature = at(layout.curvature);
  const distance = distanceOf(reading, unknowns, layout);
  const byLoad = (slope * curveSlope(curvature, distance)) / deviation;
  const ramp = reading.ramp === null ? [] : [layout.lead(reading.ramp)];
  const byCurvature = (curve(curvature + 1e-3, distance) - curve(curvature - 1e-3, distance)) / 2e-3;
  return {
    value: heightError(reading, unknowns, layout) / deviation,
    unknowns: [
      layout.limit(reading.size),
      layout.lnSlope(reading.size),
      layout.curvature,
      layout.driftOf(reading),
      ...ramp,
    ],
    slopes: [
      -byLoad,
      (slope * curve(curvature, distance)) / deviation,
      (slope * byCurvature) / deviation,
      -1 / deviation,
      ...ramp.map(() => -byLoad),
    ],
  };
}

/** A random walk from block to block, 0 on average. */
function driftRows({ layout, priors }: Frame, unknowns: Float64Array): Residual[] {
  const { blocks, blockSeconds } = layout;
  const stepDeviation = priors.driftPerHour * Math.sqrt(blockSeconds / 3_600) + 1e-4;
  const all = Array.from({ length: blocks }, (_, block) => layout.drift(block));
  const mean = all.reduce((sum, index) => sum + (unknowns[index] ?? 0), 0) / blocks;
  return [
    ...all.slice(1).map((index) => differenceRow(unknowns, index, index - 1, stepDeviation)),
    {
      value: mean / DRIFT_MEAN_DEVIATION,
      unknowns: all,
      slopes: all.map(() => 1 / blocks / DRIFT_MEAN_DEVIATION),
    },
  ];
}

/** How far the limits are off the cost law, as independent values. */
export function misfitRows(
  { input, layout, whitening }: Frame,
  unknowns: Float64Array,
  misfit: number,
): Residual[] {
  const at = (index: number) => unknowns[index] ?? 0;
  const message = Math.exp(at(layout.lnMessageCost));
  const bytes = input.sizes.map((size) => Math.exp(at(layout.lnByteCost)) * size);
  const misfits = bytes.map((byte, size) => at(layout.limit(size)) + Math.log(message + byte));
  const messageShares = bytes.map((byte) => message / (message + byte));
  const indices = [...input.sizes.keys(), layout.lnMessageCost, layout.lnByteCost];
  return whitening.map((row) => {
    const dot = (values: readonly number[]) =>
      values.reduce((sum, value, i) => sum + value * (row[i] ?? 0), 0);
    const byMessage = dot(messageShares);
    const byByte = dot(messageShares.map((share) => 1 - share));
    return {
      value: dot(misfits) / misfit,
      unknowns: indices,
      slopes: [...row, byMessage, byByte].map((slope) => slope / misfit),
    };
  });
}
