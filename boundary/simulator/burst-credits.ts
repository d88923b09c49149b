/** Full speed for a while, less once the credits are used up: burstable disks and machines, filled page caches. */
export interface Burst {
  /** Full speed lasts so long under a load that needs it, seconds. */
  readonly afterSeconds: number;
  /** What is left of the capacity then, 0..1. */
  readonly share: number;
}

/** The credits of a simulated cluster: a second of load that needs them costs one, a second without load gives one back. */
export class BurstCredits {
  readonly #burst: Burst | null;
  #leftSeconds: number;

  constructor(burst: Burst | null) {
    this.#burst = burst;
    this.#leftSeconds = Math.max(0, burst?.afterSeconds ?? 0);
  }

  /** Share of the fresh capacity that is there now, 0..1. */
  get share(): number {
    return this.#burst === null || this.#leftSeconds > 0 ? 1 : this.#burst.share;
  }

  /** The mean share over the coming seconds of a load. @param load over the fresh capacity. */
  meanShare(load: number, seconds: number): number {
    if (this.#burst === null || this.share < 1 || load <= this.#burst.share) return this.share;
    const full = Math.min(1, this.#leftSeconds / seconds);
    return full + (1 - full) * this.#burst.share;
  }

  /** Lets a load go on for some seconds. @param load over the fresh capacity. */
  spend(load: number, seconds: number): void {
    if (this.#burst === null || load <= this.#burst.share) return;
    this.#leftSeconds = Math.max(0, this.#leftSeconds - seconds);
  }

  /** Lets some seconds pass without load. */
  rest(seconds: number): void {
    if (this.#burst === null) return;
    this.#leftSeconds = Math.max(0, Math.min(this.#burst.afterSeconds, this.#leftSeconds + seconds));
  }
}
