// How right the time that a search says it still takes is: with the pace that it has seen, as a run does it.

/** What a trial takes besides its window, and a probe, before one was seen; seconds. */
const USUAL_OVERHEAD = 17;
const USUAL_PROBE = 30;
const WITHIN = 0.3;

/** Watches a search and keeps what it promised when. */
export class EtaWatch {
  #probes = [];
  #overheads = [];
  #windows = 0;
  #planned = 0;
  #elapsed = 0;
  #promises = [];

  /** Before each command: what is left, by the search. */
  promise({ probes, trials, windowSeconds }) {
    const stretch = this.#planned > 0 ? this.#windows / this.#planned : 1;
    const left =
      probes * mean(this.#probes, USUAL_PROBE) +
      trials * mean(this.#overheads, USUAL_OVERHEAD) +
      windowSeconds * stretch;
    this.#promises.push({ at: this.#elapsed, left });
  }

  /** After each command. */
  took(command, event) {
    this.#elapsed += event.seconds;
    if (command.type === 'runProbe') {
      this.#probes.push(event.seconds);
      return;
    }
    this.#overheads.push(event.seconds - event.windowSeconds);
    this.#windows += event.windowSeconds;
    this.#planned += command.windowMs / 1_000;
  }

  /** Promised over real remaining time: at the start, and when half of the time had passed. */
  get result() {
    const total = this.#elapsed;
    const half = this.#promises.find(({ at }) => at >= total / 2);
    const over = (promise) => (promise ? promise.left / (total - promise.at) : Number.NaN);
    return { start: over(this.#promises[0]), half: over(half) };
  }
}

/** Shares of searches that were right within 30 % at the start and at half-time, and the median of promised over real. */
export function summariseEta(results) {
  const known = (which) =>
    results
      .map(({ eta }) => eta[which])
      .filter((ratio) => !Number.isNaN(ratio))
      .sort((a, b) => a - b);
  const within = (list) => list.filter((ratio) => Math.abs(ratio - 1) <= WITHIN).length / list.length;
  const median = (list) => list[list.length >> 1];
  const [start, half] = [known('start'), known('half')];
  return {
    start: within(start),
    half: within(half),
    medianStart: median(start),
    medianHalf: median(half),
  };
}

export function etaRow(name, { start, half, medianStart, medianHalf }) {
  return {
    name,
    'at the start within 30 %': (100 * start).toFixed(0),
    'promised over real': medianStart.toFixed(2),
    'at half-time within 30 %': (100 * half).toFixed(0),
    'promised over real then': medianHalf.toFixed(2),
  };
}

function mean(seen, usual) {
  return seen.length === 0 ? usual : seen.reduce((sum, value) => sum + value, 0) / seen.length;
}
