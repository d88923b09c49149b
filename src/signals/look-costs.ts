import type { LookCost } from './poll-interval.ts';

/** So many looks speak for what a look costs now. */
const KEPT_LOOKS = 31;

/** Keeps what the latest looks at one broker took. */
export class LookCosts {
  private readonly latestMs: number[] = [];
  private bytes = 0;
  private looks = 0;

  add(look: { readonly tookMs: number; readonly bytes: number }): void {
    this.latestMs.push(look.tookMs);
    if (this.latestMs.length > KEPT_LOOKS) this.latestMs.shift();
    this.bytes = look.bytes;
    this.looks++;
  }

  /** Null before the first answer. */
  get(): LookCost | null {
    const sorted = this.latestMs.toSorted((a, b) => a - b);
    const medianMs = sorted[Math.floor(sorted.length / 2)];
    return medianMs === undefined ? null : { medianMs, bytes: this.bytes, looks: this.looks };
  }
}
