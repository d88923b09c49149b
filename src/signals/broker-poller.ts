import type { BrokerPoll, MissedPoll } from '../../boundary/broker-reading.ts';
import { messageOf } from '../errors.ts';
import type { RunClock } from '../run-clock.ts';
import { readPageValues } from './broker-reading.ts';
import { PageWatch } from './page-watch.ts';
import { type PageResolution, resolveSeries } from './resolve-series.ts';
import { scrapePage } from './scrape.ts';

/** A broker to look at. */
export interface PolledBroker {
  readonly brokerId: number;
  readonly url: string;
  /** How to read its page; null: decided on the first page that answers. */
  readonly resolution: PageResolution | null;
}

export interface BrokerPollerOptions {
  readonly brokers: readonly PolledBroker[];
  readonly clock: RunClock;
  readonly intervalMs: number;
  /** Deadline of one scrape, ms; may be longer than the interval. */
  readonly deadlineMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onPoll?: (poll: BrokerPoll) => void;
}

interface BrokerState {
  readonly broker: PolledBroker;
  readonly watch: PageWatch;
  resolution: PageResolution | null;
  inFlight: Promise<void> | null;
}

/**
 * Looks at every broker on one grid of times, so that polls of all brokers fall together and on the edges of a window
 * that starts on the grid. Nothing is ever skipped in silence: a grid point without an answer is a missed poll.
 * Owns a timer; `stop` it.
 */
export class BrokerPoller {
  private readonly options: BrokerPollerOptions;
  private readonly states: readonly BrokerState[];
  private readonly kept: BrokerPoll[] = [];
  private timer: NodeJS.Timeout | null = null;
  private originMs = 0;
  private nextStep = 0;

  constructor(options: BrokerPollerOptions) {
    this.options = options;
    this.states = options.brokers.map((broker) => ({
      broker,
      watch: new PageWatch(),
      resolution: broker.resolution,
      inFlight: null,
    }));
  }

  /** Polls at originMs, originMs + intervalMs, ... on the run's clock; an origin in the past joins its grid. */
  start(originMs: number): void {
    this.cancelTimer();
    this.originMs = originMs;
    this.nextStep = Math.max(0, Math.ceil((this.options.clock.nowMs() - originMs) / this.options.intervalMs));
    this.arm();
  }

  /** Ends the grid and waits for the scrapes under way, at most the deadline of one. */
  async stop(): Promise<void> {
    this.cancelTimer();
    await Promise.all(this.states.map((state) => state.inFlight));
  }

  /** Looks at every broker once, now, outside the grid; not kept. */
  pollOnce(): Promise<readonly BrokerPoll[]> {
    return Promise.all(this.states.map((state) => this.lookAt(state)));
  }

  /** Forgets the polls kept so far: `polls()` speaks of what comes after. */
  mark(): void {
    this.kept.length = 0;
  }

  /** Grid polls since the last mark, by time. */
  polls(): readonly BrokerPoll[] {
    return this.kept.toSorted((a, b) => a.atMs - b.atMs || a.brokerId - b.brokerId);
  }

  private cancelTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private stepAtMs(step: number): number {
    return this.originMs + step * this.options.intervalMs;
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
    while (this.stepAtMs(this.nextStep + 1) <= nowMs) {
      for (const state of this.states) this.miss(state, 'poller was late');
      this.nextStep++;
    }
    for (const state of this.states) this.pollOnGrid(state);
    this.nextStep++;
    this.arm();
  }

  private pollOnGrid(state: BrokerState): void {
    if (state.inFlight !== null) {
      this.miss(state, 'scrape before it still running');
      return;
    }
    state.inFlight = this.lookAt(state)
      .then((poll) => this.keep(poll))
      .finally(() => {
        state.inFlight = null;
      });
  }

  private miss(state: BrokerState, reason: string): void {
    this.keep({
      kind: 'missed',
      brokerId: state.broker.brokerId,
      atMs: this.stepAtMs(this.nextStep),
      reason,
    });
  }

  private keep(poll: BrokerPoll): void {
    this.kept.push(poll);
    this.options.onPoll?.(poll);
  }

  private async lookAt(state: BrokerState): Promise<BrokerPoll> {
    const { clock, deadlineMs, headers } = this.options;
    const { brokerId, url } = state.broker;
    const startMs = clock.nowMs();
    const missed = (reason: string, atMs = startMs): MissedPoll => ({
      kind: 'missed',
      brokerId,
      atMs,
      reason,
    });
    const page = await scrapePage(url, {
      timeoutMs: deadlineMs,
      nowMs: () => clock.nowMs(),
      ...(headers === undefined ? {} : { headers }),
    });
    if (page.kind === 'failed') return missed(page.reason);
    try {
      state.resolution ??= resolveSeries(page.text, url);
    } catch (error) {
      return missed(messageOf(error), page.atMs);
    }
    const read = readPageValues(state.resolution, page.text);
    if (read.kind === 'failed') return missed(read.reason, page.atMs);
    const doubt = state.watch.judge(read.values, page.atMs);
    if (doubt !== null) return missed(doubt, page.atMs);
    return { kind: 'reading', brokerId, atMs: page.atMs, scrapeMs: page.scrapeMs, ...read.values };
  }
}
