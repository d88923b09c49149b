import type { BrokerReading, HandlerPool } from '../broker-reading.ts';
import { hasRestarted, sinceRestart } from '../broker-restart.ts';
import { newestWeight, type RateMinutes, TICK_MS, ticksBetween } from '../moving-average.ts';
import { hasCores } from './core-idle.ts';
import { countMeter, hasCount } from './count-idle.ts';
import type { CumulativeMeter } from './cumulative-idle.ts';
import { exactly } from './idle-stretch.ts';
import { fullIdle } from './idle-wait.ts';
import { hasMeanRate, meanRateMeter } from './mean-rate-idle.ts';
import { type RateSample, rateSamples } from './rate-idle.ts';
import { withoutController } from './without-controller.ts';

const MINUTES = [1, 5, 15] as const satisfies readonly RateMinutes[];

/**
 * Newest idle that the meter can tell, 0..1: between the last two readings of a cumulative meter, else of the last
 * ticks of a moving average between two readings. Without bounds: for displays and for coming to rest, not for verdicts.
 * @param readings of one broker, ordered by time.
 * @returns null when the readings do not tell (of a moving average: until a tick lies between two of them).
 */
export function recentIdle(readings: readonly BrokerReading[]): number | null {
  return cumulativeIdle(readings.slice(-2)) ?? tickIdles(readings).at(-1) ?? null;
}

/** Mean idle from the first to the last reading by scrape time, 0..1; null when the meter is not cumulative. */
export function cumulativeIdle(readings: readonly BrokerReading[]): number | null {
  const first = readings[0];
  const last = readings.at(-1);
  if (!first || !last || last.atMs <= first.atMs || hasRestarted(readings)) return null;
  const elapsedMs = last.atMs - first.atMs;
  if (hasCores(first) && hasCores(last)) {
    const idles = last.idle.busySeconds.map(
      (busy, core) => 1 - ((busy - (first.idle.busySeconds[core] ?? Number.NaN)) * 1_000) / elapsedMs,
    );
    const least = Math.min(...idles);
    return Number.isFinite(least) ? Math.max(0, least) : null;
  }
  if (last.idle.kind !== 'request handlers') return null;
  const { pool } = last.idle;
  const meter = meterOf(first, last, pool);
  const idleMs = meter?.growthMs(first, last) ?? null;
  return idleMs && own(idleMs.estimate / elapsedMs, pool);
}

function meterOf(first: BrokerReading, last: BrokerReading, pool: HandlerPool): CumulativeMeter | null {
  if (hasCount(first) && hasCount(last)) return countMeter(pool);
  return hasMeanRate(first) && hasMeanRate(last) ? meanRateMeter(pool) : null;
}

/** Idle of the ticks seen in the shortest moving average that is there, in order; several ticks at once as their mean. */
export function tickIdles(readings: readonly BrokerReading[]): number[] {
  const useful = sinceRestart(readings);
  const idle = useful.at(-1)?.idle;
  if (idle?.kind !== 'request handlers') return [];
  const { pool } = idle;
  for (const minutes of MINUTES) {
    const samples = rateSamples(useful, minutes);
    if (samples.length > 0)
      return tickValues(samples, minutes, fullIdle(pool)).map((value) => own(value, pool));
  }
  return [];
}

/** A value that moved holds at least one tick; how many, only the time between two moves tells. */
function tickValues(samples: readonly RateSample[], minutes: RateMinutes, full: number): number[] {
  const average = { newest: newestWeight(minutes), most: 1.1 * full, slack: 0.05 };
  return samples.flatMap((later, i) => {
    const earlier = samples[i - 1];
    if (!earlier || earlier.rate === later.rate) return [];
    const ticks = Math.max(1, Math.round((later.atMs - earlier.atMs) / TICK_MS));
    const between = ticksBetween(earlier.rate, later.rate, ticks, average);
    return between ? [between.steady] : [];
  });
}

function own(ratio: number, pool: HandlerPool): number {
  return withoutController(exactly(ratio), pool).estimate;
}
