import { type Draws, drawsFrom } from './draws.ts';

/** How much a cluster of the simulation can take at every size, and where its owner would stop looking. */
export interface CostTruth {
  /** Messages per second at which the request handlers reach their limit, per size. */
  readonly capacities: readonly number[];
  /** The largest load the owner would offer: 2 to 16 times the capacity, per size. */
  readonly largestLoads: readonly number[];
}

export type CostLaw = 'sum' | 'roofline';

/** The roofline takes the lesser of two ceilings, rounded: a norm of this order joins them. */
const ROOFLINE_ORDER = 6;

/** The phases of the misfit, radians: 2 pi to two digits, kept so that recorded worlds stay as they are. */
const TURN = 6.28;

/**
 * Draws a cost law: a message costs a fixed time plus a time per byte (`sum`), or the dearer of the two (`roofline`),
 * times a misfit that is smooth over the sizes, with a little roughness.
 *
 * @param misfit standard deviation of ln(capacity) around the law, about.
 */
export function drawCostTruth(
  seed: number,
  sizes: readonly number[],
  options: { readonly misfit: number; readonly law: CostLaw },
): CostTruth {
  const draws = drawsFrom(seed * 7919 + 13);
  const messageLimit = Math.exp(Math.log(5e4) + draws.uniform() * Math.log(40));
  const byteLimit = Math.exp(Math.log(3e7) + draws.uniform() * Math.log(33));
  const misfitOf = drawMisfit(draws, options.misfit);
  const last = Math.max(1, sizes.length - 1);
  const capacities = sizes.map((bytes, index) => {
    const misfit = misfitOf(index / last);
    if (options.law === 'sum') return Math.exp(misfit) / (1 / messageLimit + bytes / byteLimit);
    const slowness = (1 / messageLimit) ** ROOFLINE_ORDER + (bytes / byteLimit) ** ROOFLINE_ORDER;
    return Math.exp(misfit) * slowness ** (-1 / ROOFLINE_ORDER);
  });
  const largestLoads = capacities.map(
    (capacity) => capacity * Math.exp(Math.log(2) + draws.uniform() * Math.log(8)),
  );
  return { capacities, largestLoads };
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
