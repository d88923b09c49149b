import { idleLogit } from '../../idle/idle-logit.ts';
import { leastOfNormals, type MeanAndVariance } from '../../statistics/normal.ts';
import { NOISE_SECONDS, type Observation } from './observation.ts';

/**
 * One logit per trial: what the worst broker would show but for its own noise. All brokers tell of it: each is read less
 * its lasting offset. The least of noisy readings would come out too low instead, the more so the more brokers there are.
 */
export interface WorstBrokerReadings {
  /** By observation; null where no broker's idle could be read. */
  readonly logits: readonly (number | null)[];
  /** Variance that unsure offsets add to all readings of a size alike, by size. */
  readonly offsetVariance: readonly number[];
  /** Index of the broker that is likely the worst at each size; null without brokers. */
  readonly worst: readonly (number | null)[];
}

/** A broker's own noise over 8 s before anything is seen, logit, and the number of readings this is worth. */
const PRIOR_OWN_DEVIATION = 0.105;
const PRIOR_OWN_DEGREES = 6;
/** Spread of the brokers' lasting offsets, and of what each size adds to them, logit. */
const OFFSET_SPREAD = 0.5;
const SIZE_JITTER = 0.03;
/** A broker this much idler than the worst tells little of how the worst behaves, logit. */
const ALIKE_WITHIN = 0.6;
const DOUBTFUL_WEIGHT = 0.2;
/** Squared disagreement of a trial's brokers over its expectation at which it starts to lose weight. */
const DISAGREE_AT = 5;
const ROUNDS = 6;

interface Reading {
  readonly size: number;
  readonly seconds: number;
  readonly logits: readonly (number | null)[];
  readonly trust: number;
}

/** Parts the brokers' offsets from what a trial shows of all of them. `isDoubtful`: idle that may not follow the load. */
export function worstBrokerReadings(
  observations: readonly Observation[],
  sizes: number,
  isDoubtful: (observation: Observation) => boolean,
): WorstBrokerReadings {
  const brokers = observations.reduce((most, { idle }) => Math.max(most, idle.length), 0);
  const readings = observations.map(
    (observation): Reading => ({
      size: observation.size,
      seconds: observation.windowSeconds,
      logits: observation.idle.map((ratio) => (ratio === null ? null : idleLogit(ratio))),
      trust: isDoubtful(observation) ? DOUBTFUL_WEIGHT : 1,
    }),
  );
  let ownVariance = PRIOR_OWN_DEVIATION ** 2;
  let offsets = Array.from({ length: sizes }, () => new Array<MeanAndVariance>(brokers).fill(UNKNOWN));
  for (let round = 0; round < ROUNDS; round++) {
    offsets = offsetsBySize(readings, offsets, ownVariance);
    ownVariance = ownNoise(readings, offsets, ownVariance);
  }
  const least = offsets.map((here) => (brokers > 0 ? leastOfNormals(here) : null));
  return {
    logits: readings.map((reading) => {
      const level = levelOf(reading, offsets[reading.size] ?? []);
      return level === null ? null : level + (least[reading.size]?.mean ?? 0);
    }),
    offsetVariance: least.map((value) => value?.variance ?? 0),
    worst: offsets.map((here) => (brokers > 0 ? indexOfLeast(here) : null)),
  };
}

const UNKNOWN: MeanAndVariance = { mean: 0, variance: OFFSET_SPREAD ** 2 };

/** The trial's level: the mean over its brokers, each less its offset; brokers close to the worst count most. */
function levelOf({ logits }: Reading, offsets: readonly MeanAndVariance[]): number | null {
  const least = Math.min(...offsets.map(({ mean }) => mean));
  let sum = 0;
  let weight = 0;
  logits.forEach((logit, broker) => {
    if (logit === null) return;
    const offset = offsets[broker]?.mean ?? 0;
    const alike = 1 / (1 + ((offset - least) / ALIKE_WITHIN) ** 2);
    sum += alike * (logit - offset);
    weight += alike;
  });
  return weight > 0 ? sum / weight : null;
}

/** How far each broker is off the trial's level; null without readings. */
function deviations(reading: Reading, offsets: readonly MeanAndVariance[]): readonly (number | null)[] {
  const level = levelOf(reading, offsets);
  return reading.logits.map((logit) => (logit === null || level === null ? null : logit - level));
}

function offsetsBySize(
  readings: readonly Reading[],
  before: readonly (readonly MeanAndVariance[])[],
  ownVariance: number,
): MeanAndVariance[][] {
  const brokers = before[0]?.length ?? 0;
  // In seconds of window: how much each prior is worth.
  const lastingPrior = (ownVariance * NOISE_SECONDS) / OFFSET_SPREAD ** 2;
  const sizePrior = (ownVariance * NOISE_SECONDS) / SIZE_JITTER ** 2;
  const sums = before.map(() => zeros(brokers));
  const seconds = before.map(() => zeros(brokers));
  for (const reading of readings) {
    const offsets = before[reading.size] ?? [];
    const trust = reading.trust * robustWeight(reading, offsets, ownVariance) * reading.seconds;
    deviations(reading, offsets).forEach((deviation, broker) => {
      if (deviation === null) return;
      add(sums[reading.size], broker, trust * deviation);
      add(seconds[reading.size], broker, trust);
    });
  }
  // Offsets are from the mean of the brokers: one broker alone has none.
  const variance = ownVariance * NOISE_SECONDS * (1 - 1 / Math.max(1, brokers));
  const lasting = zeros(brokers).map((_, broker): MeanAndVariance => {
    const weight = lastingPrior + total(seconds, broker);
    return { mean: total(sums, broker) / weight, variance: variance / weight };
  });
  return before.map((_, size) =>
    lasting.map((everywhere, broker): MeanAndVariance => {
      const weight = sizePrior + (seconds[size]?.[broker] ?? 0);
      const prior = sizePrior / weight;
      return {
        mean: (sums[size]?.[broker] ?? 0) / weight + prior * everywhere.mean,
        variance: variance / weight + prior * prior * everywhere.variance,
      };
    }),
  );
}

/** A trial whose brokers disagree far more than their noise allows counts for less. */
function robustWeight(reading: Reading, offsets: readonly MeanAndVariance[], ownVariance: number): number {
  const { square, degrees } = squaredResiduals(reading, offsets);
  return Math.min(1, (DISAGREE_AT * degrees * ownVariance) / Math.max(square, 1e-12));
}

function squaredResiduals(
  reading: Reading,
  offsets: readonly MeanAndVariance[],
): { readonly square: number; readonly degrees: number } {
  let square = 0;
  let count = 0;
  deviations(reading, offsets).forEach((deviation, broker) => {
    if (deviation === null) return;
    square += ((deviation - (offsets[broker]?.mean ?? 0)) ** 2 * reading.seconds) / NOISE_SECONDS;
    count += 1;
  });
  return { square, degrees: Math.max(0, count - 1) };
}

/** Variance of one broker's own noise over 8 s of window, logit. */
function ownNoise(
  readings: readonly Reading[],
  offsets: readonly (readonly MeanAndVariance[])[],
  before: number,
): number {
  let square = PRIOR_OWN_DEGREES * PRIOR_OWN_DEVIATION ** 2;
  // The offsets of the brokers are learned from the same readings.
  let degrees = -Math.max(0, (offsets[0]?.length ?? 0) - 1);
  for (const reading of readings) {
    const here = offsets[reading.size] ?? [];
    const seen = squaredResiduals(reading, here);
    square += robustWeight(reading, here, before) * seen.square;
    degrees += seen.degrees;
  }
  return square / (PRIOR_OWN_DEGREES + Math.max(0, degrees));
}

function zeros(length: number): number[] {
  return new Array<number>(length).fill(0);
}

function add(row: number[] | undefined, index: number, value: number): void {
  if (row) row[index] = (row[index] ?? 0) + value;
}

function total(rows: readonly (readonly number[])[], index: number): number {
  return rows.reduce((sum, row) => sum + (row[index] ?? 0), 0);
}

function indexOfLeast(values: readonly MeanAndVariance[]): number {
  return values.reduce((best, { mean }, i) => (mean < (values[best]?.mean ?? Infinity) ? i : best), 0);
}
