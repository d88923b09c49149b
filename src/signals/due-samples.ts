/** One entry of the account of samples: when it was taken, or was due and is not there. */
export type DueSample =
  | { readonly kind: 'came'; readonly index: number }
  | { readonly kind: 'lacking'; readonly atMs: number };

/** A sample is lacking when it is later than this share of the distance between two. */
const LATE_SHARE = 1.5;

/**
 * The account of a source that somebody else fills every `refreshMs` (a Prometheus server): its samples come with their
 * own times, none or several with a look, so what is missing shows only by the distance between them.
 */
export class DueSamples {
  /** Up to here every sample came or is lacking; null: none seen yet. */
  private accountedMs: number | null = null;

  /** Nothing before `sinceMs` is due, nor of interest. */
  beginAt(sinceMs: number): void {
    this.accountedMs = Math.max(sinceMs, this.accountedMs ?? sinceMs);
  }

  /**
   * @param timesMs of the samples that a look brought, in order.
   * @param lookedAtMs of the look.
   * @returns in order of time what came and what should have, each once over all calls.
   */
  account(timesMs: readonly number[], lookedAtMs: number, refreshMs: number): readonly DueSample[] {
    const entries: DueSample[] = [];
    const lackUntil = (timeMs: number) => {
      this.accountedMs ??= timeMs;
      while (timeMs - this.accountedMs > LATE_SHARE * refreshMs) {
        this.accountedMs += refreshMs;
        entries.push({ kind: 'lacking', atMs: this.accountedMs });
      }
    };
    for (const [index, timeMs] of timesMs.entries()) {
      lackUntil(timeMs);
      this.accountedMs = Math.max(timeMs, this.accountedMs ?? timeMs);
      entries.push({ kind: 'came', index });
    }
    lackUntil(lookedAtMs);
    return entries;
  }
}
