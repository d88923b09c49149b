import type { PageValues } from './broker-reading.ts';

/** Pages closer together than this are not compared: a meter may rightly stand still, ms. */
const SHORTEST_COMPARED_MS = 800;

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
  /** What staleness is measured against; only replaced by a page far enough away. */
  private anchor: SeenPage | null = null;

  /** @returns why this page is no look at the broker, or null when it is. */
  judge(values: PageValues, atMs: number): 'stale page' | 'broker restarted' | null {
    const { latest, anchor } = this;
    // Two scrapes may overtake each other; the older page then says nothing new.
    if (latest !== null && atMs < latest.atMs) return null;
    const page = { values, atMs };
    this.latest = page;
    if (latest !== null && values.idleCountNs < latest.values.idleCountNs) {
      this.anchor = page;
      return 'broker restarted';
    }
    if (anchor === null) {
      this.anchor = page;
      return null;
    }
    if (atMs - anchor.atMs <= SHORTEST_COMPARED_MS) return null;
    this.anchor = page;
    return isSamePage(anchor.values, values) ? 'stale page' : null;
  }
}

/**
 * A Count that stands still may be a broker without any idle left, so a witness is needed. The mean rate is one by
 * itself: it is Count / age and moves with time alone, unless Count is 0. Without it CPU seconds must stand still too;
 * they alone would not do, as the exporter adds them after its snapshot of the beans. With neither nothing is claimed.
 */
function isSamePage(before: PageValues, after: PageValues): boolean {
  if (after.idleCountNs !== before.idleCountNs) return false;
  if (after.idleMeanRate !== null && after.idleCountNs > 0) return after.idleMeanRate === before.idleMeanRate;
  if (after.processCpuSeconds === null || after.processCpuSeconds !== before.processCpuSeconds) return false;
  return after.requests === before.requests && after.bytesIn === before.bytesIn;
}
