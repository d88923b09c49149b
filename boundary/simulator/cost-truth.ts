import { type Draws, drawsFrom, TURN } from './draws.ts';

/** How much a cluster of the simulation can take at every size, and where its owner would stop looking. */
export interface CostTruth {
  /** Messages per second at which the request handlers reach their limit, per size. */
  readonly capacities: readonly number[];
  /** The largest load the owner would offer: 2 to 16 times the capacity, per size. */
  readonly largestLoads: readonly number[];
  readonly cost: ClusterCost;
}

export type CostLaw = 'sum' | 'roofline';

/** What messages cost the cluster, as the two limits that follow from it. */
export interface ClusterCost extends CostLimits {
  readonly law: CostLaw;
}

export interface CostLimits {
  /** Limit of messages without bytes, messages per second. */
  readonly messagesPerSecond: number;
  /** Limit of messages so large that they alone do not count, bytes per second. */
  readonly bytesPerSecond: number;
}

/** The roofline takes the lesser of two ceilings, rounded: a norm of this order joins them. */
const ROOFLINE_ORDER = 6;

/** Messages per second at which the request handlers reach their limit, but for the misfit. */
export function lawCapacity(cost: ClusterCost, messageBytes: number): number {
  const { messagesPerSecond, bytesPerSecond } = cost;
  if (cost.law === 'sum') return 1 / (1 / messagesPerSecond + messageBytes / bytesPerSecond);
  const slowness =
    (1 / messagesPerSecond) ** ROOFLINE_ORDER + (messageBytes / bytesPerSecond) ** ROOFLINE_ORDER;
  return slowness ** (-1 / ROOFLINE_ORDER);
}

/**
 * Draws a cost law: a message costs a fixed time plus a time per byte (`sum`), or the dearer of the two (`roofline`),
 * times a misfit that is smooth over the sizes, with a little roughness.
 *
 * @param options.misfit standard deviation of ln(capacity) around the law, about.
 * @param options.limits in place of the drawn ones; everything else is drawn as without them.
 */
export function drawCostTruth(
  seed: number,
  sizes: readonly number[],
  options: { readonly misfit: number; readonly law: CostLaw; readonly limits: CostLimits | null },
): CostTruth {
  const draws = drawsFrom(seed * 7919 + 13);
  const drawn = {
    messagesPerSecond: Math.exp(Math.log(5e4) + draws.uniform() * Math.log(40)),
    bytesPerSecond: Math.exp(Math.log(3e7) + draws.uniform() * Math.log(33)),
  };
  const cost: ClusterCost = { law: options.law, ...(options.limits ?? drawn) };
  const misfitOf = drawMisfit(draws, options.misfit);
  const last = Math.max(1, sizes.length - 1);
  const capacities = sizes.map((bytes, index) => Math.exp(misfitOf(index / last)) * lawCapacity(cost, bytes));
  const largestLoads = capacities.map(
    (capacity) => capacity * Math.exp(Math.log(2) + draws.uniform() * Math.log(8)),
  );
  return { capacities, largestLoads, cost };
}

/** The misfit at a place 0..1 of the range of sizes; each call draws its roughness. */
function drawMisfit(draws: Draws, misfit: number): (place: number) => number {
  const phases = [0, 1, 2].map(() => draws.uniform() * TURN);
  const amplitudes = [0, 1, 2].map(() => draws.gaussian());
  return (place) => {
    const smooth = amplitudes.reduce(
      (sum, amplitude, wave) =>
        sum + (amplitude * Math.cos((wave + 1) * Math.PI * place + (phases[wave] ?? 0))) / 1.22,
      0,
    );
    return misfit * (0.95 * smooth + 0.3 * draws.gaussian());
  };
}
