import type { IdleMeter } from '../../boundary/broker-reading.ts';
import type { PageValues } from './broker-reading.ts';

/** Pages closer together than this are not compared: a meter may rightly stand still, ms. */
const SHORTEST_COMPARED_MS = 800;
/** Averages move every 5 s, and not at all for a steady broker; only much longer a stand is one of the page, ms. */
const LONGEST_STAND_OF_AVERAGES_MS = 15_000;

interface SeenPage {
  readonly values: PageValues;
  readonly atMs: number;
}

/**
 * Compares each page of one broker with the one before. An exporter that ran into its own time limit serves its last
 * good page again, and a restarted broker counts from zero: neither is a look at the broker.
 */
export class PageWatch {
  private latest: SeenPage | null = null;
  /** What staleness is measured against; only replaced by a page far enough away, or one that moved. */
  private anchor: SeenPage | null = null;

  /** @returns why this page is no look at the broker, or null when it is. */
  judge(values: PageValues, atMs: number): 'stale page' | 'broker restarted' | null {
    const { latest, anchor } = this;
    // Two scrapes may overtake each other; the older page then says nothing new.
    if (latest !== null && atMs < latest.atMs) return null;
    const page = { values, atMs };
    this.latest = page;
    if (latest !== null && hasRestarted(latest.values, values)) {
      this.anchor = page;
      return 'broker restarted';
    }
    if (anchor === null) {
      this.anchor = page;
      return null;
    }
    const isStanding = isSamePage(anchor.values, values);
    if (hasFineClock(values.idle)) {
      if (atMs - anchor.atMs <= SHORTEST_COMPARED_MS) return null;
      this.anchor = page;
      return isStanding ? 'stale page' : null;
    }
    // The anchor stays where the stand began, so that its length shows.
    if (isStanding) return atMs - anchor.atMs > LONGEST_STAND_OF_AVERAGES_MS ? 'stale page' : null;
    this.anchor = page;
    return null;
  }
}

function hasRestarted(before: PageValues, after: PageValues): boolean {
  const { idle: old } = before;
  const { idle: now } = after;
  if (old.kind === 'cores') {
    return (
      now.kind !== 'cores' || now.busySeconds.some((seconds, core) => seconds < (old.busySeconds[core] ?? 0))
    );
  }
  if (now.kind === 'cores') return true;
  if (old.countNs !== null && now.countNs !== null) return now.countNs < old.countNs;
  return fell(before.processCpuSeconds, after.processCpuSeconds);
}

function fell(before: number | null, after: number | null): boolean {
  return before !== null && after !== null && after < before;
}

/** True when the idle itself moves from look to look. */
function hasFineClock(idle: IdleMeter): boolean {
  return idle.kind === 'cores' || idle.countNs !== null;
}

/** With neither a moved value nor a witness that time should have moved one nothing is claimed. */
function isSamePage(before: PageValues, after: PageValues): boolean {
  const { idle: old } = before;
  const { idle: now } = after;
  if (old.kind === 'cores') {
    // A core is never without anything to do: it polls.
    return (
      now.kind === 'cores' && now.busySeconds.every((seconds, core) => seconds === old.busySeconds[core])
    );
  }
  if (now.kind === 'cores') return false;
  if (now.countNs !== old.countNs) return false;
  // The mean rate is Count / age and moves with time alone, unless Count is 0.
  if (now.countNs !== null && now.meanRate !== null && now.countNs > 0) return now.meanRate === old.meanRate;
  const averages = ['meanRate', 'oneMinuteRate', 'fiveMinuteRate', 'fifteenMinuteRate'] as const;
  if (averages.some((rate) => now[rate] !== old[rate])) return false;
  return hasStandingClocks(before, after);
}

/**
 * A broker without any idle left has a Count and averages that stand. Its CPU does not, though that alone would not do
 * as a witness: the exporter adds it after its snapshot of the beans.
 */
function hasStandingClocks(before: PageValues, after: PageValues): boolean {
  const old = clocksOf(before);
  const now = clocksOf(after);
  const isCountAlone = after.idle.kind === 'request handlers' && after.idle.countNs !== null;
  const hasWitness = isCountAlone ? now[0] !== null : now.some((clock) => clock !== null);
  return hasWitness && now.every((clock, index) => clock === old[index]);
}

/** What moves with a broker's time or work; its CPU first. */
function clocksOf(values: PageValues): readonly (number | null)[] {
  const { processCpuSeconds, gcSeconds, requests, bytesIn, bytesOut, replicationBytesIn } = values;
  const meters = [bytesIn, bytesOut, replicationBytesIn];
  return [
    processCpuSeconds,
    gcSeconds,
    requests,
    ...meters.map((meter) => meter?.count ?? meter?.oneMinuteRate ?? null),
  ];
}
