import type { BrokerPoll, BrokerReading } from './broker-reading.ts';
import { type ReaderTicks, readersKeepUp } from './consumer-lag.ts';
import { keepsUp } from './delivery-so-far.ts';
import { idleLooks, LOOK_TOLERANCE_MS } from './idle/idle-looks.ts';
import { isHard, windowedIdle } from './idle/windowed-idle.ts';
import { isrChurn } from './isr-churn.ts';
import { readingsByBroker } from './polls.ts';
import { readingsInWindow } from './readings-around.ts';
import { leaningOf } from './sequential-test.ts';
import type { ShardTick, Window } from './trial.ts';
import type { Thresholds } from './verdict.ts';

/** Of 100 windows whose idle is at the edge of the zone, one may end early on the wrong side. */
const WRONG_SHARE = 0.01;

/** Idle this close to the limit is never told apart early; a whole window is off by as much. */
const ZONE = 0.03;

/** What is known in the middle of a window. */
export interface TrialSoFar {
  /** The window as planned. */
  readonly window: Window;
  readonly nowMs: number;
  readonly polls: readonly BrokerPoll[];
  readonly pollIntervalMs: number;
  readonly underReplicatedBefore: Readonly<Record<string, number>>;
  /** Brokers that are looked at; none in a run without signals. */
  readonly watchedIds: readonly number[];
  /** Ticks of each shard so far, by time. */
  readonly ticks: readonly (readonly ShardTick[])[];
  /** Of each reader shard; empty without consumer groups. */
  readonly readerTicks: ReaderTicks;
  /** A shard that is gone, and the largest throttle time so far, ms. */
  readonly hasLostShard: boolean;
  readonly throttleMs: number;
  /** What likely verdicts may end. */
  readonly trust: EarlyTrust;
}

/** How far a window may be cut short by a verdict that is beyond doubt, yet not certain. */
export interface EarlyTrust {
  readonly overloaded: boolean;
  /** A window that is to find out how long the load is carried, or what idle is to the digit, is not ended so. */
  readonly sustained: boolean;
  /** Sustained only after this much of the window, so that a follower may have left the in-sync replicas, ms. */
  readonly sustainedAfterMs: number;
}

/**
 * Why the trial may stop now. Either nothing that can still happen in the window changes its verdict: a low idle so far is
 * certain only when even fully idle handlers for the rest could not lift the mean over the limit. Or the verdict is beyond
 * doubt by Wald's sequential test on the brokers' idle, wrong in at most `WRONG_SHARE` of the windows outside +-`ZONE`
 * of the limit. Missing metrics end no trial: the page that answers after the load may still show the overload that kept
 * it silent, over the whole window but not over a part.
 *
 * @returns one phrase for the journal, or null to go on.
 */
export function reasonToStopEarly(so: TrialSoFar, thresholds: Thresholds): string | null {
  if (so.hasLostShard) return 'a load shard is lost';
  if (so.throttleMs > 0) return 'a quota throttles the producers';
  return certainIdle(so, thresholds) ?? certainChurn(so, thresholds) ?? beyondDoubt(so, thresholds);
}

function certainIdle(so: TrialSoFar, thresholds: Thresholds): string | null {
  const plannedMs = so.window.endAtMs - so.window.startAtMs;
  for (const [brokerId, readings] of readingsByBroker(so.polls)) {
    const last = readingsInWindow(readings, so.window).at(-1);
    if (!last) continue;
    const soFar: Window = { startAtMs: so.window.startAtMs, endAtMs: Math.min(last.atMs, so.window.endAtMs) };
    const idle = windowedIdle(readings, soFar);
    if (!idle || !isHard(idle)) continue;
    const elapsedMs = soFar.endAtMs - soFar.startAtMs;
    const highestMean = (idle.high * elapsedMs + (plannedMs - elapsedMs)) / plannedMs;
    if (highestMean < thresholds.idleRatio) {
      return `broker ${brokerId} cannot get back to ${percent(thresholds.idleRatio)} idle in this window`;
    }
  }
  return null;
}

function certainChurn(so: TrialSoFar, thresholds: Thresholds): string | null {
  const elapsedMs = so.nowMs - so.window.startAtMs;
  const plannedMs = so.window.endAtMs - so.window.startAtMs;
  return (churnSoFar(so) * elapsedMs) / plannedMs > thresholds.isrChurnShare
    ? 'in-sync replicas changed for more than the limit of the whole window'
    : null;
}

function churnSoFar({ polls, underReplicatedBefore, window, pollIntervalMs }: TrialSoFar): number {
  return isrChurn(readingsByBroker(polls), underReplicatedBefore, window, pollIntervalMs).share;
}

function beyondDoubt(so: TrialSoFar, thresholds: Thresholds): string | null {
  const leanings = so.watchedIds.map((brokerId) => leaningOfBroker(so, brokerId, thresholds));
  const below = leanings.indexOf('below');
  if (so.trust.overloaded && below >= 0) {
    return `broker ${so.watchedIds[below]} is under ${percent(thresholds.idleRatio)} idle beyond doubt`;
  }
  const isAbove = leanings.length > 0 && leanings.every((leaning) => leaning === 'above');
  return isAbove && isCalm(so, thresholds)
    ? `every broker is over ${percent(thresholds.idleRatio)} idle beyond doubt`
    : null;
}

/** What the looks of a broker say, when its reading over the same time says so too, bounds and all. */
function leaningOfBroker(so: TrialSoFar, brokerId: number, thresholds: Thresholds): 'above' | 'below' | null {
  const readings = readingsInWindow(readingsByBroker(so.polls).get(brokerId) ?? [], so.window);
  const looks = looksOf(readings, so.window);
  const last = looks.at(-1);
  if (!last) return null;
  const limit = thresholds.idleRatio;
  const test = { limit, zone: ZONE, wrongShare: WRONG_SHARE, tests: so.watchedIds.length };
  const leaning = leaningOf(
    looks.map(({ idle }) => idle),
    test,
  );
  const reading = windowedIdle(readings, { startAtMs: so.window.startAtMs, endAtMs: last.toMs });
  if (leaning === null || reading === null) return null;
  const isClear = leaning === 'below' ? reading.high < limit : reading.low >= limit;
  return isClear ? leaning : null;
}

function looksOf(readings: readonly BrokerReading[], window: Window) {
  return idleLooks(readings, window.startAtMs - LOOK_TOLERANCE_MS);
}

/**
 * Nothing but idle could still overload this window either, as far as can be seen. What latency was is not known before
 * the load's last report.
 */
function isCalm(so: TrialSoFar, thresholds: Thresholds): boolean {
  const { window, nowMs, trust } = so;
  if (!trust.sustained || thresholds.latencyP99Ms !== null) return false;
  if (nowMs - window.startAtMs < trust.sustainedAfterMs) return false;
  const isSeen = so.polls.every((poll) => poll.kind === 'reading' || poll.atMs < window.startAtMs);
  const soFar = { ...window, endAtMs: nowMs };
  if (!isSeen || churnSoFar(so) !== 0 || !keepsUp(so.ticks, soFar, thresholds)) return false;
  return readersKeepUp(so, soFar, thresholds.lagGrowthShare) === true;
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 1000) / 10} %`;
}
