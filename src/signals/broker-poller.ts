import type { BrokerPoll } from '../../boundary/broker-reading.ts';
import { PlimsollError } from '../errors.ts';
import type { RunClock } from '../run-clock.ts';
import type { LookCost } from './poll-interval.ts';
import { PollLedger } from './poll-ledger.ts';
import { PolledGrid } from './polled-grid.ts';
import { type PolledBroker, WatchedBroker } from './watched-broker.ts';

export interface BrokerPollerOptions {
  readonly brokers: readonly PolledBroker[];
  readonly clock: RunClock;
  readonly intervalMs: number;
  /** Deadline of one look, ms; may be longer than the interval. */
  readonly deadlineMs: number;
  /** The configured selector of the idle series, for pages that have to be understood anew. */
  readonly idleSelector?: string | null;
  /** Told each poll as it is kept, and a missed one again when it is answered late. */
  readonly onPoll?: (poll: BrokerPoll) => void;
}

/** How often `finish` checks what has come, ms. */
const FINISH_CHECK_MS = 20;

/**
 * Looks at every broker on one grid of times, so that polls of all brokers fall together and on the edges of a window
 * that starts on the grid. Nothing is ever skipped in silence: a grid point without an answer is a missed poll.
 * Owns a timer; `stop` it.
 */
export class BrokerPoller {
  private readonly options: BrokerPollerOptions;
  private readonly ledger: PollLedger;
  private readonly grids: readonly PolledGrid[];
  private intervalMs: number;
  private timer: NodeJS.Timeout | null = null;
  private originMs = 0;
  private nextStep = 0;

  constructor(options: BrokerPollerOptions) {
    const { brokers, clock, deadlineMs, idleSelector = null, onPoll } = options;
    this.options = options;
    this.intervalMs = options.intervalMs;
    this.ledger = new PollLedger((poll) => onPoll?.(poll));
    this.grids = brokers.map(
      (broker) => new PolledGrid(new WatchedBroker(broker, clock, idleSelector), this.ledger, deadlineMs),
    );
  }

  /**
   * Polls at originMs, originMs + intervalMs, ... on the run's clock; an origin in the past joins its grid. A broker
   * whose source has something new less often is looked at at every so many points.
   */
  start(originMs: number): void {
    this.cancelTimer();
    this.originMs = originMs;
    this.nextStep = Math.max(0, Math.ceil((this.options.clock.nowMs() - originMs) / this.intervalMs));
    const firstAtMs = this.stepAtMs(this.nextStep);
    for (const grid of this.grids) grid.begin(firstAtMs, this.intervalMs);
    this.arm();
  }

  /** Ends the grid and waits for the looks under way, at most the deadline of one. */
  async stop(): Promise<void> {
    this.cancelTimer();
    await Promise.all(this.grids.map((grid) => grid.rest()));
  }

  /**
   * Ends the grid of each broker when it has a reading of `readAtMs` or later: a broker whose scrapes fail exactly while
   * it is overloaded is looked at until it answers again, and what it has counted meanwhile shows the overload.
   * @param giveUpAtMs then it ends without; a look under way is still waited for.
   * @returns the brokers that have no such reading.
   */
  async finish(readAtMs: number, giveUpAtMs: number): Promise<readonly number[]> {
    const { clock } = this.options;
    if (this.timer === null) this.start(this.originMs);
    for (const grid of this.grids) grid.finishAt(readAtMs);
    // `stop` takes the timer away and so ends this too.
    while (this.timer !== null && clock.nowMs() < giveUpAtMs && !this.grids.every(isFinished)) {
      await new Promise((resolve) => setTimeout(resolve, FINISH_CHECK_MS));
    }
    await this.stop();
    return this.grids.filter((grid) => !isFinished(grid)).map(({ brokerId }) => brokerId);
  }

  /**
   * Looks at every broker once, now, outside the grid, after the look under way; not kept, unless the source has
   * samples of its own, which come only once. Such a source without anything new gives its newest reading again.
   */
  pollOnce(): Promise<readonly BrokerPoll[]> {
    const { clock } = this.options;
    return Promise.all(this.grids.map((grid) => grid.pollOnce(() => clock.nowMs())));
  }

  /** Forgets the polls kept so far: `polls()` speaks of what comes after. */
  mark(): void {
    this.ledger.mark();
  }

  /** Grid polls since the last mark, by time. */
  polls(): readonly BrokerPoll[] {
    return this.ledger.polls();
  }

  /** What looks cost, by broker id; brokers that pay nothing (a Prometheus server asks them anyway) are left out. */
  costs(): ReadonlyMap<number, LookCost> {
    return new Map(this.grids.flatMap(({ brokerId, cost }) => (cost === null ? [] : [[brokerId, cost]])));
  }

  /** Longest time between two looks at a broker as they are planned, ms. */
  get slowestIntervalMs(): number {
    return Math.max(this.intervalMs, ...this.grids.map((grid) => grid.lookEveryMs(this.intervalMs)));
  }

  /** Distance of the grid's points from the next start on, ms. */
  setInterval(intervalMs: number): void {
    if (this.timer !== null)
      throw new PlimsollError('INTERNAL', 'the poll interval changes only while stopped');
    this.intervalMs = intervalMs;
  }

  private cancelTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private stepAtMs(step: number): number {
    return this.originMs + step * this.intervalMs;
  }

  private arm(): void {
    const waitMs = this.stepAtMs(this.nextStep) - this.options.clock.nowMs();
    this.timer = setTimeout(() => this.onTimer(), Math.max(0, waitMs));
  }

  private onTimer(): void {
    const nowMs = this.options.clock.nowMs();
    // Timers count on another clock than the run's and may fire a little early.
    if (nowMs < this.stepAtMs(this.nextStep) - 2) {
      this.arm();
      return;
    }
    for (; this.stepAtMs(this.nextStep + 1) <= nowMs; this.nextStep++) {
      for (const grid of this.grids) grid.passOver(this.stepAtMs(this.nextStep));
    }
    for (const grid of this.grids) grid.reach(this.stepAtMs(this.nextStep));
    this.nextStep++;
    this.arm();
  }
}

function isFinished(grid: PolledGrid): boolean {
  return grid.isFinished;
}
