import type { BrokerReading, HandlerPool, IdleMeter } from '../broker-reading.ts';
import { hasRestarted, sinceRestart } from '../broker-restart.ts';
import { type RateMinutes, TICK_MS } from '../moving-average.ts';
import { readingsAround } from '../readings-around.ts';
import type { Window } from '../trial.ts';
import type { IdleEstimator, IdleReading } from '../verdict.ts';
import { coreIdle, hasCores } from './core-idle.ts';
import { countMeter, hasCount } from './count-idle.ts';
import { meanIdle } from './cumulative-idle.ts';
import { heldRateIdle } from './held-rate-idle.ts';
import type { Bounded } from './idle-stretch.ts';
import { hasMeanRate, meanRateMeter } from './mean-rate-idle.ts';
import { type RateSample, rateIdle, rateOf, rateSamples } from './rate-idle.ts';
import { withoutController } from './without-controller.ts';

const RATES = [
  { minutes: 1, inverted: 'one-minute rate, inverted', held: 'one-minute rate, held' },
  { minutes: 5, inverted: 'five-minute rate, inverted', held: 'five-minute rate, held' },
  { minutes: 15, inverted: 'fifteen-minute rate, inverted', held: 'fifteen-minute rate, held' },
] as const satisfies readonly { minutes: RateMinutes; inverted: IdleEstimator; held: IdleEstimator }[];

/** Samples this long before the window still tell the phase of the ticks, ms. */
const PHASE_LOOKBACK_MS = 60_000;

/** A moving average tells something of a window of three ticks: the one in the middle lies inside whatever the phase. */
const NEEDED_TICKS = 3;

/**
 * Mean idle of one broker over the window by the best estimator that its readings allow: Count by the page's own clock,
 * Count over scrape time, MeanRate inverted, moving averages inverted, a moving average after a long hold; busy cores
 * where there are no handlers. `low` and `high` contain the truth; what an estimator assumes is in its own file.
 *
 * @param readings of one broker, ordered by time; those outside the window help where its edges were missed.
 * @returns ratio 0..1 with its error bounds, or null when nothing can be told: too few readings, or a restart between
 * them (`hasRestarted`).
 */
export function windowedIdle(readings: readonly BrokerReading[], window: Window): IdleReading | null {
  const around = readingsAround(readings, window);
  const last = around.at(-1);
  if (!last || hasRestarted(around)) return null;
  if (last.idle.kind === 'cores') return named(coreIdle(readings.filter(hasCores), window), 'busy cores');
  const { pool } = last.idle;
  const found =
    byCount(readings, window, pool) ?? byMeanRate(readings, window, pool) ?? byRates(readings, window, pool);
  return found && { ...found, ...ratioOf(withoutController({ ...found, estimate: found.ratio }, pool)) };
}

/** The best estimator that a meter's attributes allow, looks often enough given; null when they tell nothing. */
export function estimatorFor(meter: IdleMeter): IdleEstimator | null {
  if (meter.kind === 'cores') return 'busy cores';
  if (meter.countNs !== null)
    return meter.meanRate === null ? 'count over scrape time' : 'count, self-clocked';
  if (meter.meanRate !== null && meter.processAgeMs !== null) return 'mean rate, inverted';
  return RATES.find(({ minutes }) => rateOf(meter, minutes) !== null)?.inverted ?? null;
}

/**
 * Shortest window that this meter's best estimator can tell anything useful of, ms: 0 for a cumulative one. Null when
 * the meter alone tells nothing (a mean since the start without the age of the process).
 */
export function neededWindowMs(meter: IdleMeter): number | null {
  const estimator = estimatorFor(meter);
  if (estimator === null) return null;
  return RATES.some(({ inverted }) => inverted === estimator) ? NEEDED_TICKS * TICK_MS : 0;
}

/** Whether the bounds hold for any load, or only for one that was steady over the window. */
export function isHard({ estimator }: IdleReading): boolean {
  return !RATES.some(({ held }) => held === estimator);
}

function byCount(readings: readonly BrokerReading[], window: Window, pool: HandlerPool): IdleReading | null {
  const idle = meanIdle(readings.filter(hasCount), window, countMeter(pool));
  return named(idle, idle?.isSelfClocked ? 'count, self-clocked' : 'count over scrape time');
}

function byMeanRate(
  readings: readonly BrokerReading[],
  window: Window,
  pool: HandlerPool,
): IdleReading | null {
  return named(meanIdle(readings.filter(hasMeanRate), window, meanRateMeter(pool)), 'mean rate, inverted');
}

/** The moving average with the narrowest bounds; of those after a hold only when none can be inverted. */
function byRates(readings: readonly BrokerReading[], window: Window, pool: HandlerPool): IdleReading | null {
  const fromMs = window.startAtMs - PHASE_LOOKBACK_MS;
  const useful = sinceRestart(readings).filter(({ atMs }) => atMs >= fromMs);
  const averages = RATES.map((names) => ({
    ...names,
    samples: untilCovered(rateSamples(useful, names.minutes), window),
  }));
  return (
    narrowest(averages.map((a) => named(rateIdle(a.samples, window, a.minutes, pool), a.inverted))) ??
    narrowest(averages.map((a) => named(heldRateIdle(a.samples, window, a.minutes, pool), a.held)))
  );
}

/** Up to the first sample that has the window's last tick in it. */
function untilCovered(samples: readonly RateSample[], window: Window): readonly RateSample[] {
  const end = samples.findIndex(({ atMs, unsureMs }) => atMs - unsureMs >= window.endAtMs + TICK_MS);
  return end < 0 ? samples : samples.slice(0, end + 1);
}

function narrowest(readings: readonly (IdleReading | null)[]): IdleReading | null {
  const width = (reading: IdleReading) => reading.high - reading.low;
  return readings.reduce(
    (best, reading) => (reading && (!best || width(reading) < width(best)) ? reading : best),
    null,
  );
}

function named(idle: Bounded | null, estimator: IdleEstimator): IdleReading | null {
  return idle && { ...ratioOf(idle), estimator };
}

function ratioOf({ estimate, low, high }: Bounded): { ratio: number; low: number; high: number } {
  return { ratio: estimate, low, high };
}
