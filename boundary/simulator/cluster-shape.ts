import { type Draws, TURN } from './draws.ts';
import { CURVE_FAMILIES, type CurveFamily, IDLE_LIMIT } from './idle-curve.ts';

/** What the sizes of a simulated cluster share: the form of its idle curve, and where deliveries fall behind. */
export interface ClusterShape {
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

/** Other families than D and E, which always have one, have a delivery cliff this often. */
const CLIFF_SHARE = 0.15;

export function drawFamily(draws: Draws): CurveFamily {
  const value = draws.uniform();
  let sum = 0;
  for (const family of CURVE_FAMILIES) {
    sum += MIXED_WEIGHTS[family];
    if (value < sum) return family;
  }
  return 'F';
}

/** Draws what all sizes share. Every family draws the values of all of them, so that seeds stay comparable. */
export function drawShape(draws: Draws, family: CurveFamily): ClusterShape {
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

/** Puts the cliff at a place of the range of sizes, as steep as it was drawn; null takes it away. */
export function withCliffAt(shape: ClusterShape, place: number | null): ClusterShape {
  if (place === null) return { ...shape, hasCliff: false };
  return { ...shape, hasCliff: true, cliffPlace: place, cliffHeight: shape.cliffHeight * place };
}

/** ln of the delivery cap over the idle capacity at a place 0..1 of the range of sizes. */
export function lnCapOverIdle(shape: ClusterShape, idleLoss: number, place: number): number {
  // `lin` delivers until the handlers have a tenth of their idle limit's work left.
  const open = shape.capOverIdle ?? 1 + (0.9 * IDLE_LIMIT) / (1 - IDLE_LIMIT - idleLoss);
  if (!shape.hasCliff) return Math.log(open);
  return Math.min(Math.log(open), shape.cliffHeight * (1 - place / shape.cliffPlace));
}
