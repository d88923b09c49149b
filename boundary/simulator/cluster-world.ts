import { type ClusterShape, drawFamily, drawShape, lnCapOverIdle, withCliffAt } from './cluster-shape.ts';
import { type ClusterCost, type CostLaw, type CostLimits, drawCostTruth } from './cost-truth.ts';
import { type Draws, drawsFrom, TURN } from './draws.ts';
import type { CurveFamily, IdleCurve } from './idle-curve.ts';

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
  readonly cost: ClusterCost;
  /** Sizes that were drawn; what lies between follows from them (`sizeWorldAt`). */
  readonly sizes: readonly SizeWorld[];
  /** What idle gains beyond the delivery cap, where less work comes in than is offered. */
  readonly idleBump: number;
  /** 1 = noise as measured. */
  readonly noiseFactor: number;
  /** Share of the noise's variance that all brokers have in common: what they share, a disk or a machine, does not average out. */
  readonly noiseInCommon: number;
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
  readonly noiseInCommon: number;
  readonly rippleLogit: number;
  readonly rippleRate: number;
  readonly outlierShare: number;
  readonly driftPerHour: number;
  readonly misfit: number;
  readonly law: CostLaw;
  /** null: drawn. */
  readonly limits: CostLimits | null;
  /** Deliveries fall behind before the handlers are out of idle from this size on, bytes; else as the family has it, or never. */
  readonly cliff: number | 'as drawn' | 'none';
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
  noiseInCommon: 0.3,
  rippleLogit: 0.04,
  rippleRate: 3,
  outlierShare: 0.03,
  driftPerHour: 0.05,
  misfit: 0.05,
  law: 'sum',
  limits: null,
  cliff: 'as drawn',
  runToRun: 0.015,
  brokers: 3,
  brokerSpread: 0.125,
  sizes: WORLD_SIZES,
};

/** Acknowledged over offered at which a load counts as delivered. */
const DELIVERED = 0.99;

/** Draws a cluster. Equal seeds and options give equal clusters; the order of the draws is part of the contract. */
export function drawClusterWorld(seed: number, options: WorldOptions = DEFAULT_WORLD): ClusterWorld {
  const { sizes } = options;
  const truth = drawCostTruth(seed, sizes, options);
  const draws = drawsFrom(seed * 15_485_863 + 29);
  const family = options.family === 'mixed' ? drawFamily(draws) : options.family;
  const shape = placedCliff(drawShape(draws, family), options);
  const curves = drawCurves(draws, family, shape, options);
  const capOverIdle = curves.map((curve, index) =>
    Math.exp(lnCapOverIdle(shape, curve.idleLoss, index / Math.max(1, sizes.length - 1))),
  );
  const offsets = drawBrokerOffsets(draws, options);
  const lagSeconds = draws.between(1, 4);
  return {
    family,
    hasCliff: shape.hasCliff,
    cost: truth.cost,
    idleBump: shape.idleBump,
    noiseFactor: options.noiseFactor * (family === 'F' ? 1.5 : 1),
    noiseInCommon: options.noiseInCommon,
    outlierShare: Math.max(options.outlierShare, family === 'F' ? 0.08 : 0),
    driftPerHour: options.driftPerHour,
    lagSeconds,
    runToRun: options.runToRun,
    sizes: sizes.map((messageBytes, index): SizeWorld => {
      const idleCapacity = at(truth.capacities, index);
      const deliveryCap = idleCapacity * at(capOverIdle, index);
      const boundary = boundaryOf(idleCapacity, deliveryCap);
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

/** The lesser of the idle and the delivery limits, messages per second. */
export function boundaryOf(idleCapacity: number, deliveryCap: number): number {
  return Math.min(idleCapacity, deliveryCap / DELIVERED);
}

/** Whether deliveries fall behind before the handlers are out of idle. */
export function isDeliveryLimited({
  idleCapacity,
  deliveryCap,
}: Pick<SizeWorld, 'idleCapacity' | 'deliveryCap'>): boolean {
  return deliveryCap / DELIVERED < idleCapacity;
}

function placedCliff(shape: ClusterShape, { cliff, sizes }: WorldOptions): ClusterShape {
  if (cliff === 'as drawn') return shape;
  if (cliff === 'none') return withCliffAt(shape, null);
  const smallest = Math.min(...sizes);
  return withCliffAt(shape, Math.log(cliff / smallest) / Math.log(Math.max(...sizes) / smallest));
}

/** Draws how the curve differs from size to size. */
function drawCurves(
  draws: Draws,
  family: CurveFamily,
  shape: ClusterShape,
  options: WorldOptions,
): IdleCurve[] {
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
