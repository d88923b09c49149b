import type { BrokerPoll } from './broker-reading.ts';
import { type ReaderTicks, readersKeepUp } from './consumer-lag.ts';
import { deliveredShare } from './delivery-so-far.ts';
import { findBlindness } from './find-blindness.ts';
import { isrChurn } from './isr-churn.ts';
import { idleOfBrokers } from './judge-trial.ts';
import { readingsByBroker } from './polls.ts';
import type { ShardTick, SignalsRead, Window } from './trial.ts';
import type { Thresholds } from './verdict.ts';

/** What a hold has shown so far. */
export interface HoldSoFar {
  readonly signals: SignalsRead;
  readonly watchedIds: readonly number[];
  readonly polls: readonly BrokerPoll[];
  readonly pollIntervalMs: number;
  readonly underReplicatedBefore: Readonly<Record<string, number>>;
  /** Ticks of each shard, by time. */
  readonly ticks: readonly (readonly ShardTick[])[];
  /** Of each shard of consumers; empty without groups. */
  readonly readerTicks: ReaderTicks;
}

/** A part of a hold was carried, or it was not, or nobody knows. */
export type SliceState = 'carried' | 'overloaded' | 'unknown';

/**
 * How a slice of a running hold went, by the rules of a whole trial as far as they can be told before the load's last
 * report. A reading that spans the limit counts as carried: the whole hold tells it apart in the end.
 */
export function sliceState(slice: Window, so: HoldSoFar, thresholds: Thresholds): SliceState {
  const share = deliveredShare(so.ticks, slice);
  if (share !== null && share < thresholds.deliveryRatio) return 'overloaded';
  const isRead = readersKeepUp(so, slice, thresholds.lagGrowthShare);
  if (isRead === false) return 'overloaded';
  if (so.signals === 'brokers') {
    const { polls, pollIntervalMs, underReplicatedBefore } = so;
    const idles = idleOfBrokers({ polls, window: slice });
    if (idles.some(({ idle }) => idle.high < thresholds.idleRatio)) return 'overloaded';
    const churn = isrChurn(readingsByBroker(polls), underReplicatedBefore, slice, pollIntervalMs);
    if (churn.share > thresholds.isrChurnShare) return 'overloaded';
    const seen = { ...so, window: slice, cluster: { expectedBrokerIds: so.watchedIds } };
    if (findBlindness(seen, thresholds) !== null) return 'unknown';
  }
  return share === null || isRead === null ? 'unknown' : 'carried';
}

/** A slice that is over, and how it went. */
export interface HeldSlice {
  readonly window: Window;
  readonly state: SliceState;
}

/** The slices of a hold, back to back; what is left over at the end belongs to the last one. */
export function slicesOf(hold: Window, sliceMs: number): Window[] {
  const count = Math.max(1, Math.floor((hold.endAtMs - hold.startAtMs) / sliceMs));
  return Array.from({ length: count }, (_, i) => ({
    startAtMs: hold.startAtMs + i * sliceMs,
    endAtMs: i === count - 1 ? hold.endAtMs : hold.startAtMs + (i + 1) * sliceMs,
  }));
}

/**
 * The stretch that ends a hold: the last two slices, when neither was carried, nor were they taken together. One bad slice
 * may be noise, and two of which one is blind may be a scrape that fails; the whole trial's rules say what they were.
 */
export function endingStretch(
  slices: readonly HeldSlice[],
  so: HoldSoFar,
  thresholds: Thresholds,
): Window | null {
  const [former, last] = slices.slice(-2);
  if (!former || !last || former.state === 'carried' || last.state === 'carried') return null;
  const both = { startAtMs: former.window.startAtMs, endAtMs: last.window.endAtMs };
  return sliceState(both, so, thresholds) === 'carried' ? null : both;
}

/** How long the load was carried: to the end of the last slice that was, seconds. */
export function heldSeconds(slices: readonly HeldSlice[]): number {
  const first = slices[0];
  const last = slices.findLast(({ state }) => state === 'carried');
  return first && last ? (last.window.endAtMs - first.window.startAtMs) / 1_000 : 0;
}
