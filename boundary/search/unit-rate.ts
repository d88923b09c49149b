import type { BoundaryPoint } from '../boundary-point.ts';
import { logit } from '../statistics/logit.ts';
import { BYTES_PER_MB } from '../units.ts';
import type { Bracket } from './bracket.ts';
import { largestLoad } from './largest-load.ts';
import type { ProbeStep, SearchConfig } from './search.ts';

/**
 * The first probe of a run starts at the lesser of these: light for any cluster that is worth measuring, also while its
 * brokers still compile their code.
 */
const FIRST_PROBE_MESSAGES_PER_SECOND = 500;
const FIRST_PROBE_MB_PER_SECOND = 1;

/** Each probe step doubles the load; 16 of them span 1 MB/s to 32 GB/s, or 500 messages/s to 16 million. */
const PROBE_GROWTH = 2;
const PROBE_STEPS = 16;

/** Later probes start this far under what the neighbouring size lets expect. */
const PROBE_HEADROOM = 4;

/** Under this share of the np aimed at, one producer is more than half of the precision, with some slack. */
const COARSE_SHARE = 0.8;

/** An idle under this says that the brokers are saturated, no more: how far beyond the limit cannot be read from it. */
const SATURATED_IDLE = 0.03;

/** A probe step that gets less than this acknowledged has passed the boundary, whatever the idle says. */
const PROBE_ACKED_SHARE = 0.9;

/** The factor of one gallop step, and the place of the first one under the target. */
export const GALLOP_FACTOR = 1.4;
export const GALLOP_START = 0.85;

/**
 * Brokers that have just started compile their code under the first load, and look overloaded meanwhile: the first probe
 * of a run warms them up for longer, ms.
 */
const FIRST_WARM_UP_MS = 10_000;
const LATER_WARM_UP_MS = 2_000;

/**
 * The np that the boundary should fall on: the target, or more where one producer would be over half the precision.
 * Kept under the largest np, so that galloping has room.
 */
export function scaleNp(config: SearchConfig): number {
  const finest = config.precision > 0 ? Math.ceil(2 / config.precision) : 0;
  return Math.max(1, Math.min(Math.max(config.targetNp, finest), Math.floor(config.maxNp / GALLOP_FACTOR)));
}

/** The load that a search of an unknown cluster starts with, messages per second. */
export function firstProbeLoad(messageBytes: number): number {
  return Math.min((FIRST_PROBE_MB_PER_SECOND * BYTES_PER_MB) / messageBytes, FIRST_PROBE_MESSAGES_PER_SECOND);
}

/**
 * Unit rates that a probe goes through, messages per second of one producer, ascending. From the last point found at
 * another size the expectation is the geometric mean of "same messages per second" and "same bytes per second".
 */
export function probeRates(
  config: SearchConfig,
  messageBytes: number,
  done: readonly BoundaryPoint[],
): number[] {
  const np = scaleNp(config);
  const known = done.findLast((point) => point.estimate !== null);
  const start =
    known?.estimate != null
      ? (known.estimate * Math.sqrt(known.messageBytes / messageBytes)) / PROBE_HEADROOM
      : firstProbeLoad(messageBytes);
  const highest = largestLoad(messageBytes, config).load;
  const rates: number[] = [];
  for (let i = 0; i < PROBE_STEPS; i++) {
    const load = start * PROBE_GROWTH ** i;
    if (load > highest && i > 0) break;
    rates.push(roundRate(Math.min(load, highest) / np, highest / np));
  }
  return rates;
}

/** How long a probe offers its first rate before it reads, ms. */
export function probeWarmUpMs(isFirstOfRun: boolean): number {
  return isFirstOfRun ? FIRST_WARM_UP_MS : LATER_WARM_UP_MS;
}

/** Whether a probe step has passed the boundary. */
export function isPastBoundary(probe: ProbeStep, idleLimit: number): boolean {
  if (probe.isAtRisk) return true;
  return (probe.idle !== null && probe.idle < idleLimit) || probe.ackedShare < PROBE_ACKED_SHARE;
}

/**
 * The unit rate at which the probed np meets the boundary, messages per second of one producer. Between the last step
 * on the safe side and the first beyond, a straight line through logit(idle) against ln(rate) is as good as a fit
 * (measured curves bend little over a factor of two). Beyond the steps it is a guess that galloping mends.
 *
 * @param withoutSignals the run reads no idle: what was acknowledged tells alone.
 * @returns null when no step could be read.
 */
export function unitRateFromProbe(
  steps: readonly ProbeStep[],
  idleLimit: number,
  withoutSignals = false,
): number | null {
  const readable = withoutSignals ? steps : steps.filter((probe) => probe.idle !== null || probe.isAtRisk);
  const past = readable.findIndex((probe) => isPastBoundary(probe, idleLimit));
  const beyond = readable[past];
  const before = readable[past - 1];
  if (!beyond) {
    const last = readable.at(-1);
    return last ? roundRate(last.unitRate * PROBE_GROWTH) : null;
  }
  if (!before) return roundRate(beyond.unitRate / PROBE_GROWTH);
  const high = telling(before.idle ?? 1);
  const low = telling(beyond.idle ?? 0);
  const limit = telling(idleLimit);
  const share = low < limit && high >= limit ? (high - limit) / (high - low) : 0.5;
  return roundRate(before.unitRate * (beyond.unitRate / before.unitRate) ** share);
}

/**
 * The unit rate to go on with. Chosen anew when the bracket lies where one producer is too coarse a step, or where more
 * producers than allowed would be needed. Older trials keep their loads: the bracket is in messages per second.
 */
export function rescaledUnitRate(unitRate: number, bracket: Bracket, config: SearchConfig): number {
  if (config.precision === 0) return unitRate;
  const np = scaleNp(config);
  const { lower, upper } = bracket;
  if (lower && upper) {
    const middle = (lower.load + upper.load) / 2;
    const isTooCoarse = middle / unitRate < COARSE_SHARE * np;
    return isTooCoarse || middle / unitRate > config.maxNp ? roundRate(middle / np) : unitRate;
  }
  if (lower) {
    const next = lower.load * GALLOP_FACTOR;
    return next / unitRate > config.maxNp ? roundRate(next / np) : unitRate;
  }
  if (upper) {
    const next = upper.load / GALLOP_FACTOR;
    return next / unitRate < np / 2 ? roundRate(next / np) : unitRate;
  }
  return unitRate;
}

function telling(idle: number): number {
  return logit(Math.min(1 - SATURATED_IDLE, Math.max(SATURATED_IDLE, idle)));
}

/** Three significant digits: a rate that a person can read and type. Never above `most`, where the load has a limit. */
export function roundRate(rate: number, most = Number.POSITIVE_INFINITY): number {
  const rounded = Number(rate.toPrecision(3));
  if (rounded <= most) return rounded;
  const digit = 10 ** (Math.floor(Math.log10(rate)) - 2);
  return Number((rounded - digit).toPrecision(3));
}
