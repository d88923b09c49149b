// What the peers see of the simulated cluster: a load in, a verdict out. They know the owner's largest load of each size.
export const WINDOW_SECONDS = 30;

export class VerdictTrials {
  constructor(trials) {
    this.trials = trials;
    this.sizes = trials.world.sizes;
    this.count = 0;
    this.dose = 0;
  }

  /** One trial of a load at the size with this index. */
  run(size, load, windowSeconds = WINDOW_SECONDS) {
    const seen = this.trials.measure(size, load, windowSeconds);
    this.count += 1;
    this.dose += Math.max(0, seen.load / this.sizes[size].boundary - 1) * (seen.windowSeconds + 10);
    return { isOverloaded: seen.isOverloaded, delivered: seen.delivered };
  }

  largestLoad(size) {
    return this.sizes[size].largestLoad;
  }
}
