import { normalCdf } from '../../statistics/normal.ts';

/**
 * A limit that is not seen coming: deliveries that fall behind, followers that leave the ISR, consumers that lag. A trial
 * shows only on which side of it the load was, and sometimes, once beyond, roughly where it lies.
 */
export interface CensoredTrial {
  readonly lnLoad: number;
  readonly isBeyond: boolean;
  /** ln of the throughput that came through beyond the limit, and its deviation; null when that does not tell. */
  readonly reading: { readonly lnLimit: number; readonly deviation: number } | null;
}

export interface CensoredLimit {
  /** Probability that the limit lies above ln(load). */
  probabilityAbove(lnLoad: number): number;
}

/** A trial's side is wrong this often for no reason of the load. */
const FALSE_SIDE = 0.02;
/** Near the limit the side is a matter of chance, within this, ln(load) ... */
const EDGE = 0.03;
/** ... but what came through says most of it: with a reading only the load's own chance is left. */
const EDGE_WITH_READING = 0.025;
const STEP = 0.01;
/** Before any trial: the chance that there is such a limit within one unit of ln(load). */
const PRIOR_DENSITY = 0.05;
const LEAST_NO_LIMIT = 0.3;
const ROOM_BELOW = 1;
const ROOM_ABOVE = 0.7;

/**
 * What the trials say of a limit, as the chance that it lies above each load.
 *
 * @param scale noise of the cluster over the usual: edges are as much wider.
 */
export function censoredLimit(trials: readonly CensoredTrial[], scale = 1): CensoredLimit {
  if (!trials.some(({ isBeyond }) => isBeyond)) return fromPassedTrials(trials);
  const seen = trials.flatMap(({ lnLoad, reading }) => (reading ? [lnLoad, reading.lnLimit] : [lnLoad]));
  const low = Math.min(...seen) - ROOM_BELOW;
  const high = Math.max(...seen) + ROOM_ABOVE;
  const count = Math.max(2, Math.ceil((high - low) / STEP));
  const logs = Array.from({ length: count + 1 }, (_, k) => logLikelihood(low + k * STEP, trials, scale));
  const largest = Math.max(...logs);
  const noLimit = Math.max(LEAST_NO_LIMIT, 1 - PRIOR_DENSITY * (high - low));
  const cell = (1 - noLimit) / count;
  // The last cell stands for all limits out of reach, none at all included.
  const masses = logs.map((log, k) => Math.exp(log - largest) * (k === count ? noLimit : cell));
  const above = new Float64Array(count + 1);
  let sum = 0;
  for (let k = count; k >= 0; k--) {
    sum += masses[k] ?? 0;
    above[k] = sum;
  }
  return {
    probabilityAbove: (lnLoad) => {
      const place = (lnLoad - low) / STEP + 0.5;
      if (place <= 0) return 1;
      if (place >= count) return (above[count] ?? 0) / sum;
      const cellIndex = Math.floor(place);
      const share = place - cellIndex;
      return ((above[cellIndex] ?? 0) * (1 - share) + (above[cellIndex + 1] ?? 0) * share) / sum;
    },
  };
}

/** Without a trial beyond it, a limit is as likely above the largest load as it was before, and hardly below. */
function fromPassedTrials(trials: readonly CensoredTrial[]): CensoredLimit {
  const largest = trials.reduce((most, { lnLoad }) => Math.max(most, lnLoad), Number.NEGATIVE_INFINITY);
  return {
    probabilityAbove: (lnLoad) =>
      lnLoad <= largest || largest === Number.NEGATIVE_INFINITY
        ? 1
        : Math.max(LEAST_NO_LIMIT, 1 - PRIOR_DENSITY * (lnLoad - largest)),
  };
}

function logLikelihood(lnLimit: number, trials: readonly CensoredTrial[], scale: number): number {
  let sum = 0;
  for (const { lnLoad, isBeyond, reading } of trials) {
    if (!isBeyond) {
      sum += Math.log(FALSE_SIDE + (1 - FALSE_SIDE) * normalCdf((lnLimit - lnLoad) / (EDGE * scale)));
      continue;
    }
    const edge = (reading ? EDGE_WITH_READING : EDGE) * scale;
    const side = normalCdf((lnLoad - lnLimit) / edge);
    sum += Math.log(FALSE_SIDE / 2 + (1 - FALSE_SIDE) * side * readingDensity(lnLimit, reading));
  }
  return sum;
}

/** Student's t with 4 degrees of freedom; 1 without a reading. */
function readingDensity(lnLimit: number, reading: CensoredTrial['reading']): number {
  if (!reading) return 1;
  const z = (reading.lnLimit - lnLimit) / reading.deviation;
  return (0.375 * (1 + (z * z) / 4) ** -2.5) / reading.deviation;
}
