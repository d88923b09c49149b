/** What looking at a broker costs that broker, as measured. */
export interface LookCost {
  /** Of the latest looks, ms. */
  readonly medianMs: number;
  /** Over the wire, of the latest look. */
  readonly bytes: number;
  /** Looks that were answered. */
  readonly looks: number;
}

export interface PollInterval {
  readonly intervalMs: number;
  /** For the journal: why this is not the interval asked for; null when it is. */
  readonly why: string | null;
}

/** A scrape can be the load itself: without `includeObjectNames` it takes 1-2 s of a broker's CPU. */
const LARGEST_SHARE = 0.1;

const INTERVALS_MS = [1_000, 2_000, 5_000, 10_000, 15_000, 30_000] as const;

/**
 * The interval that keeps the slowest broker's scrape under a tenth of the time: the one asked for, or the next longer
 * one of 1, 2, 5, 10, 15 and 30 s. Beyond that a scrape takes a larger share, which the sentence says.
 */
export function intervalFor(costs: ReadonlyMap<number, LookCost>, askedMs: number): PollInterval {
  const slowest = [...costs].toSorted(([, a], [, b]) => b.medianMs - a.medianMs)[0];
  if (slowest === undefined) return { intervalMs: askedMs, why: null };
  const [brokerId, { medianMs }] = slowest;
  const neededMs = medianMs / LARGEST_SHARE;
  if (neededMs <= askedMs) return { intervalMs: askedMs, why: null };
  const longestMs = Math.max(askedMs, INTERVALS_MS.at(-1) ?? 0);
  const intervalMs = INTERVALS_MS.find((ms) => ms >= Math.max(neededMs, askedMs)) ?? longestMs;
  const takes = `a scrape of broker ${brokerId} takes ${Math.round(medianMs)} ms`;
  const share = `${Math.ceil((100 * medianMs) / intervalMs)} % of its time`;
  const why =
    neededMs <= intervalMs
      ? `${takes}: polled every ${intervalMs / 1_000} s, so that scraping takes at most ${share}`
      : `${takes}: polled every ${intervalMs / 1_000} s and still scraped for ${share}; narrow the exporter's rules`;
  return { intervalMs, why };
}
