import type { HandlerIdle, HandlerPool, IdleMeter } from '../../boundary/broker-reading.ts';
import { LONGEST_WAIT_MS } from '../../boundary/idle/idle-wait.ts';
import { PlimsollError } from '../errors.ts';
import { highestRate, readIdle } from './broker-reading.ts';
import {
  type HandlerChoice,
  HIGHEST_RATIO_OF_ONE_POOL,
  IDLE_ATTRIBUTES,
  idleSignal,
  meterInUse,
  poolUnknown,
  sentenceOf,
  sharedPool,
} from './idle-choice.ts';
import type { PageResolution } from './resolve-series.ts';
import type { Snapshot } from './signal-source.ts';

/** The looks must lie so far apart, ms. */
const SHORTEST_APART_MS = 1000;
/** Two pools in one meter, both without work, and a late tick: nothing grows faster. */
const LARGEST_GROWTH_NS_PER_SECOND = 2.1e9;
/** Seastar samples the busy time, so it may be a little ahead. */
const LARGEST_BUSY_SHARE = 1.1;
/** The idle time of one pool grows as time does, but for what clocks differ. */
const LARGEST_GROWTH_OF_ONE_POOL = 1.02;
const LONGEST_WAIT_SECONDS = LONGEST_WAIT_MS / 1000;

/**
 * Makes sure by two looks at one broker, at least 1 s apart, that the idle meter is what it was taken for: a Count of
 * nanoseconds only grows, by at most 2.1 s per second. A growth that one pool of threads cannot have shows that broker
 * and controller share the meter (KAFKA-19606), and settles a pool that the page alone left open.
 * @throws PlimsollError METRIC_MISSING naming the series that is not what it seems, or when the looks do not settle it.
 */
export function confirmBySecondLook(
  resolution: PageResolution,
  first: Snapshot,
  second: Snapshot,
): PageResolution {
  const { place, idle } = resolution;
  if (second.atMs - first.atMs < SHORTEST_APART_MS) {
    throw refusal(`two looks at ${place} came within less than ${SHORTEST_APART_MS} ms; look again`);
  }
  const before = requireIdle(resolution, first);
  const after = requireIdle(resolution, second);
  // The values are of some moment within each look, so this much time may have passed at most.
  const seconds = (second.atMs - first.atMs + (first.scrapeMs + second.scrapeMs) / 2) / 1000;
  if (idle.kind === 'cores' || before.kind === 'cores' || after.kind === 'cores') {
    checkCores(resolution, before, after, seconds);
    return resolution;
  }
  const isGrowthOfTwo = checkCount(resolution, before, after, seconds);
  const highest = Math.max(highestRate(before), highestRate(after));
  return withPool(resolution, idle, isGrowthOfTwo || highest > HIGHEST_RATIO_OF_ONE_POOL);
}

function requireIdle(resolution: PageResolution, snapshot: Snapshot): IdleMeter {
  const idle = readIdle(resolution, snapshot);
  if (typeof idle === 'string') throw refusal(`${resolution.place}: ${idle}; look again`);
  return idle;
}

/** A core is busy for at most all the time that passes. */
function checkCores(
  { chosen, place }: PageResolution,
  before: IdleMeter,
  after: IdleMeter,
  seconds: number,
): void {
  if (before.kind !== 'cores' || after.kind !== 'cores') return;
  const grown = after.busySeconds.map((busy, core) => busy - (before.busySeconds[core] ?? 0));
  if (grown.every((busy) => busy >= 0 && busy <= seconds * LARGEST_BUSY_SHARE)) return;
  const series = chosen.get('busySeconds')?.name ?? 'busy time';
  throw refusal(
    `${series} of ${place} changed by ${grown.map((busy) => busy.toFixed(2)).join(', ')} s in ${seconds.toFixed(1)} s, ` +
      'which the busy time of cores cannot; look again',
  );
}

/** @returns true when Count grew faster than one pool of threads can let it. */
function checkCount(
  resolution: PageResolution,
  before: HandlerIdle,
  after: HandlerIdle,
  seconds: number,
): boolean {
  if (before.countNs === null || after.countNs === null) return false;
  const series = seriesOfCount(resolution);
  const grownNs = after.countNs - before.countNs;
  if (grownNs < 0) {
    throw refusal(
      `${series} of ${resolution.place} fell from ${before.countNs} to ${after.countNs}: the broker restarted ` +
        'between two looks, or it is no Count; look again',
    );
  }
  if (grownNs > (seconds + LONGEST_WAIT_SECONDS) * LARGEST_GROWTH_NS_PER_SECOND) {
    throw refusal(
      `${series} of ${resolution.place} grew by ${grownNs} in ${seconds.toFixed(1)} s, which idle nanoseconds of ` +
        'one broker cannot; say which series is the idle: signals.idle: NAME as count ns',
    );
  }
  return grownNs / 1e9 - LONGEST_WAIT_SECONDS > LARGEST_GROWTH_OF_ONE_POOL * seconds;
}

function seriesOfCount({ chosen }: PageResolution): string {
  return chosen.get(idleSignal(meterInUse(chosen), 'Count'))?.series ?? 'the Count';
}

function withPool(resolution: PageResolution, idle: HandlerChoice, isOfTwoPools: boolean): PageResolution {
  const { chosen, identity, place } = resolution;
  if (meterInUse(chosen) === 'broker') {
    if (!isOfTwoPools) return resolution;
    throw refusal(
      `${seriesOfIdle(resolution)} of ${place} is higher than the threads of one broker can be idle`,
    );
  }
  if (!isOfTwoPools && !idle.isPoolSure && idle.pool !== 'broker') throw poolUnknown(place);
  const pool: HandlerPool = isOfTwoPools ? sharedPool(identity.isMeterAveraged) : idle.pool;
  const sentence = sentenceOf(idle.attributes, pool);
  return { ...resolution, idle: { ...idle, pool, isPoolSure: true, sentence } };
}

function seriesOfIdle({ chosen }: PageResolution): string {
  const meter = meterInUse(chosen);
  for (const attribute of IDLE_ATTRIBUTES) {
    const series = chosen.get(idleSignal(meter, attribute))?.series;
    if (series !== undefined) return series;
  }
  return 'the idle';
}

function refusal(message: string): PlimsollError {
  return new PlimsollError('METRIC_MISSING', message);
}
