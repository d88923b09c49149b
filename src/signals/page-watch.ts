import type { IdleMeter } from '../../boundary/broker-reading.ts';
import type { PageValues } from './broker-reading.ts';

/** A page that is not its own clock may rightly stand still for this long, ms. */
const LONGEST_STAND_MS = 800;
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
  /** The first page that looked like the latest does: how long it has stood still is counted from here. */
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
    if (latest === null || anchor === null) {
      this.anchor = page;
      return null;
    }
    // A page that is its own clock moves between any two looks, so the one before is the one to compare with.
    if (isOwnClock(values.idle)) {
      this.anchor = page;
      return isSamePage(latest.values, values) ? 'stale page' : null;
    }
    if (!isSamePage(anchor.values, values)) {
      this.anchor = page;
      return null;
    }
    // The anchor stays where the stand began, so that its length shows.
    const longestMs = hasFineClock(values.idle) ? LONGEST_STAND_MS : LONGEST_STAND_OF_AVERAGES_MS;
    return atMs - anchor.atMs > longestMs ? 'stale page' : null;
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

/** Count / mean rate is the age of the meter: the two together move with time, whatever the broker does. */
function isOwnClock(idle: IdleMeter): boolean {
  return idle.kind === 'request handlers' && idle.meanRate !== null && (idle.countNs ?? 0) > 0;
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
  if (isOwnClock(now)) return now.meanRate === old.meanRate;
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
