import { type CostLaw, drawCostTruth } from './cost-truth.ts';
import { type Draws, drawsFrom } from './draws.ts';
import { CURVE_FAMILIES, type CurveFamily, type IdleCurve } from './idle-curve.ts';

/** Ten sizes from 100 B to 1 MB, evenly spaced in the logarithm. */
export const WORLD_SIZES: readonly number[] = Array.from(
  { length: 10 },
  (_, i) => 100 * (1e6 / 100) ** (i / 9),
);

/** One simulated cluster; plain data. Loads are messages per second of the whole cluster. */
export interface ClusterWorld {
  readonly family: CurveFamily;
  /** Whether deliveries fall behind before the handlers are out of idle, at some sizes. */
  readonly hasCliff: boolean;
  readonly sizes: readonly SizeWorld[];
  /** What idle gains beyond the delivery cap, where less work comes in than is offered. */
  readonly idleBump: number;
  /** 1 = noise as measured. */
  readonly noiseFactor: number;
  /** Probability that a trial's idle is off by 0.1. */
  readonly outlierShare: number;
  /** Standard deviation of the relative drift of idle after an hour. */
  readonly driftPerHour: number;
  /** How fast the cluster follows a change of load, seconds. */
  readonly lagSeconds: number;
  /** Standard deviation of ln(load) between repeats of one trial. */
  readonly runToRun: number;
}

export interface SizeWorld {
  readonly messageBytes: number;
  /** The true boundary: the lesser of the idle and the delivery limits. */
  readonly boundary: number;
  /** Where the worst broker's idle is at its limit. */
  readonly idleCapacity: number;
  /** More than this is not delivered. */
  readonly deliveryCap: number;
  /** What the owner would offer at most. */
  readonly largestLoad: number;
  readonly curve: IdleCurve;
  /** Logit of each broker's idle above the worst broker's, which is 0. */
  readonly brokerOffsets: readonly number[];
  /** Error of ln(load) that a ramp has at this size. */
  readonly rampBias: number;
}

export interface WorldOptions {
  /** A family, or `mixed`: drawn, lin and exp more often than A to F. */
  readonly family: CurveFamily | 'mixed';
  readonly noiseFactor: number;
  readonly rippleLogit: number;
  readonly rippleRate: number;
  readonly outlierShare: number;
  readonly driftPerHour: number;
  readonly misfit: number;
  readonly law: CostLaw;
  readonly runToRun: number;
  readonly brokers: number;
  /** Standard deviation of the brokers' offsets, logit. */
  readonly brokerSpread: number;
  readonly sizes: readonly number[];
}

/** The noise as measured on a cluster of three. */
export const DEFAULT_WORLD: WorldOptions = {
  family: 'mixed',
  noiseFactor: 1,
  rippleLogit: 0.04,
  rippleRate: 3,
  outlierShare: 0.03,
  driftPerHour: 0.05,
  misfit: 0.05,
  law: 'sum',
  runToRun: 0.015,
  brokers: 3,
  brokerSpread: 0.125,
  sizes: WORLD_SIZES,
};

const MIXED_WEIGHTS: Readonly<Record<CurveFamily, number>> = {
  lin: 0.25,
  exp: 0.15,
  A: 0.1,
  B: 0.1,
  C: 0.1,
  D: 0.1,
  E: 0.1,
  F: 0.1,
};

const TURN = 6.28;
const IDLE_LIMIT = 0.2;
/** Acknowledged over offered at which a load counts as delivered. */
const DELIVERED = 0.99;
/** Other families than D and E, which always have one, have a delivery cliff this often. */
const CLIFF_SHARE = 0.15;

/** Draws a cluster. Equal seeds and options give equal clusters; the order of the draws is part of the contract. */
export function drawClusterWorld(seed: number, options: WorldOptions = DEFAULT_WORLD): ClusterWorld {
  const { sizes } = options;
  const truth = drawCostTruth(seed, sizes, options);
  const draws = drawsFrom(seed * 15_485_863 + 29);
  const family = options.family === 'mixed' ? drawFamily(draws) : options.family;
  const shape = drawShape(draws, family);
  const curves = drawCurves(draws, family, shape, options);
  const capOverIdle = curves.map((curve, index) =>
    Math.exp(lnCapOverIdle(shape, curve.idleLoss, index / Math.max(1, sizes.length - 1))),
  );
  const offsets = drawBrokerOffsets(draws, options);
  const lagSeconds = draws.between(1, 4);
  return {
    family,
    hasCliff: shape.hasCliff,
    idleBump: shape.idleBump,
    noiseFactor: options.noiseFactor * (family === 'F' ? 1.5 : 1),
    outlierShare: Math.max(options.outlierShare, family === 'F' ? 0.08 : 0),
    driftPerHour: options.driftPerHour,
    lagSeconds,
    runToRun: options.runToRun,
    sizes: sizes.map((messageBytes, index): SizeWorld => {
      const idleCapacity = at(truth.capacities, index);
      const deliveryCap = idleCapacity * at(capOverIdle, index);
      const boundary = Math.min(idleCapacity, deliveryCap / DELIVERED);
      return {
        messageBytes,
        boundary,
        idleCapacity,
        deliveryCap,
        largestLoad: (boundary * at(truth.largestLoads, index)) / idleCapacity,
        curve: at(curves, index),
        brokerOffsets: at(offsets, index),
        rampBias: 0.03 * draws.gaussian(),
      };
    }),
  };
}

interface Shape {
  readonly steepness: number;
  readonly idleLoss: number;
  readonly idleAtRest: number;
  readonly phase: number;
  /** Delivery cap over idle capacity; null where it follows from the size's curve. */
  readonly capOverIdle: number | null;
  readonly hasCliff: boolean;
  /** Place 0..1 of the range of sizes where the cliff crosses the idle limit, and its height at the smallest. */
  readonly cliffPlace: number;
  readonly cliffHeight: number;
  readonly idleBump: number;
}

function drawFamily(draws: Draws): CurveFamily {
  const value = draws.uniform();
  let sum = 0;
  for (const family of CURVE_FAMILIES) {
    sum += MIXED_WEIGHTS[family];
    if (value < sum) return family;
  }
  return 'F';
}

/** Draws what all sizes share. Every family draws the values of all of them, so that seeds stay comparable. */
function drawShape(draws: Draws, family: CurveFamily): Shape {
  const { between } = draws;
  const steepness = {
    lin: 0,
    exp: 0,
    A: between(0.85, 1),
    B: between(1.1, 1.35),
    C: between(0.9, 1.05),
    D: between(0.9, 1.05),
    E: between(1.6, 2),
    F: between(0.8, 1),
  }[family];
  const idleLoss = between(0.02, 0.15);
  const idleAtRest = between(0.75, 1);
  const phase = between(0, TURN);
  const capOverIdle = {
    lin: null,
    exp: between(1.5, 3),
    A: between(3, 8),
    B: between(1.25, 1.5),
    C: between(2, 5),
    D: 2,
    E: 2,
    F: between(1.1, 1.25),
  }[family];
  const hasCliff = family === 'D' || family === 'E' || draws.uniform() < CLIFF_SHARE;
  const cliffPlace = between(0.5, 1);
  const cliffHeight = between(0.3, 1.2);
  const bumpOfF = between(0.08, 0.15);
  const idleBump = { D: 0.09, E: 0.07, F: bumpOfF }[family as string] ?? between(0, 0.06);
  return {
    steepness,
    idleLoss,
    idleAtRest,
    phase,
    capOverIdle,
    hasCliff,
    cliffPlace,
    cliffHeight,
    idleBump,
  };
}

/** Draws how the curve differs from size to size. */
function drawCurves(draws: Draws, family: CurveFamily, shape: Shape, options: WorldOptions): IdleCurve[] {
  const { sizes, rippleLogit, rippleRate } = options;
  const tilt = draws.between(0, TURN);
  return sizes.map((_, index) => {
    const place = index / Math.max(1, sizes.length - 1);
    return {
      family,
      steepness: shape.steepness * Math.exp(0.1 * Math.cos(Math.PI * place + tilt) + 0.05 * draws.gaussian()),
      idleLoss: shape.idleLoss * Math.exp(0.2 * draws.gaussian()),
      idleAtRest: shape.idleAtRest,
      rippleLogit,
      rippleRate,
      ripplePhase: shape.phase + 0.7 * draws.gaussian(),
    };
  });
}

function lnCapOverIdle(shape: Shape, idleLoss: number, place: number): number {
  // `lin` delivers until the handlers have a tenth of their idle limit's work left.
  const open = shape.capOverIdle ?? 1 + (0.9 * IDLE_LIMIT) / (1 - IDLE_LIMIT - idleLoss);
  if (!shape.hasCliff) return Math.log(open);
  return Math.min(Math.log(open), shape.cliffHeight * (1 - place / shape.cliffPlace));
}

/** The worst broker of every size has offset 0; which one it is may change with the size. */
function drawBrokerOffsets(draws: Draws, options: WorldOptions): number[][] {
  const brokers = Array.from({ length: options.brokers }, () => options.brokerSpread * draws.gaussian());
  const least = Math.min(...brokers);
  const lasting = brokers.map((offset) => offset - least);
  return options.sizes.map(() => {
    const here = lasting.map((offset) => offset + 0.03 * draws.gaussian());
    const worst = Math.min(...here);
    return here.map((offset) => offset - worst);
  });
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new RangeError(`no element ${index} of ${values.length}`);
  return value;
}
