import type { BrokerPoll, BrokerReading, MissedPoll } from '../../boundary/broker-reading.ts';
import { messageOf } from '../errors.ts';
import { printable } from '../printable.ts';
import type { RunClock } from '../run-clock.ts';
import { DueSamples } from './due-samples.ts';
import { LookCosts } from './look-costs.ts';
import { PageReader } from './page-reader.ts';
import { PageWatch } from './page-watch.ts';
import type { LookCost } from './poll-interval.ts';
import type { PageResolution } from './resolve-series.ts';
import type { Look, Looked, SignalSource, Snapshot } from './signal-source.ts';

/** A broker to look at. The source stays the giver's to close. */
export interface PolledBroker {
  readonly brokerId: number;
  readonly source: SignalSource;
  /** How to read it, confirmed by two looks; null: decided on the first pages that answer. */
  readonly resolution: PageResolution | null;
}

export interface BrokerLook {
  /** One; of a source with samples of its own any number of them, by time. */
  readonly polls: readonly BrokerPoll[];
  /** What this look says of the broker as it is now: without anything new, the newest reading. */
  readonly now: BrokerPoll;
}

/** Turns looks at one broker into polls: what it says, or why that is no look at the broker. */
export class WatchedBroker {
  readonly brokerId: number;
  private readonly source: SignalSource;
  private readonly clock: RunClock;
  private readonly reader: PageReader;
  private readonly watch = new PageWatch();
  private readonly dueSamples = new DueSamples();
  private readonly spent = new LookCosts();
  private sinceMs = Number.NEGATIVE_INFINITY;
  private newest: BrokerReading | null = null;

  constructor(broker: PolledBroker, clock: RunClock, idleSelector: string | null) {
    this.brokerId = broker.brokerId;
    this.source = broker.source;
    this.clock = clock;
    this.reader = new PageReader(broker.source.place, broker.resolution, idleSelector);
  }

  /** How often something new can be seen, ms; 0: with every look. */
  get refreshMs(): number {
    return this.source.refreshMs;
  }

  get newestReading(): BrokerReading | null {
    return this.newest;
  }

  /** What a look costs the broker; null when unknown, or when the broker is asked by somebody else anyway. */
  get cost(): LookCost | null {
    return this.source.kind === 'prometheus' ? null : this.spent.get();
  }

  /** The polls of interest begin at `atMs`; the newest sample at that time is one of them. */
  beginAt(atMs: number): void {
    if (this.refreshMs === 0) return;
    this.sinceMs = atMs - this.refreshMs;
    this.dueSamples.beginAt(this.sinceMs);
  }

  /**
   * Looks once.
   * @param pointMs the time that this look is for: that of a missed poll.
   */
  async look(pointMs: number, deadlineMs: number): Promise<BrokerLook> {
    const look = await this.lookAtSource(deadlineMs);
    if (look.kind === 'looked') this.spent.add(look);
    if (this.refreshMs > 0) {
      const polls = this.accountSamples(look);
      if (look.kind === 'failed') return { polls, now: this.missed(pointMs, look.reason) };
      return { polls, now: polls.at(-1) ?? this.newest ?? this.missed(pointMs, 'nothing to read yet') };
    }
    const now = look.kind === 'failed' ? this.missed(pointMs, look.reason) : this.readPage(look, pointMs);
    return { polls: [now], now };
  }

  private readPage({ snapshots }: Looked, pointMs: number): BrokerPoll {
    const page = snapshots.at(-1);
    return page === undefined ? this.missed(pointMs, 'empty answer') : this.read(page, pointMs);
  }

  private async lookAtSource(deadlineMs: number): Promise<Look> {
    try {
      const nowMs = () => this.clock.nowMs();
      return await this.source.look({ wanted: this.reader.wanted, deadlineMs, nowMs });
    } catch (error) {
      return { kind: 'failed', reason: messageOf(error) };
    }
  }

  private accountSamples(look: Look): readonly BrokerPoll[] {
    const snapshots = look.kind === 'looked' ? look.snapshots.filter(({ atMs }) => atMs >= this.sinceMs) : [];
    const reason = look.kind === 'failed' ? look.reason : 'sample missing';
    const times = snapshots.map(({ atMs }) => atMs);
    return this.dueSamples.account(times, this.clock.nowMs(), this.refreshMs).flatMap((due) => {
      if (due.kind === 'lacking') return [this.missed(due.atMs, reason)];
      const snapshot = snapshots[due.index];
      return snapshot === undefined ? [] : [this.read(snapshot, snapshot.atMs)];
    });
  }

  private read(snapshot: Snapshot, pointMs: number): BrokerPoll {
    const page = this.reader.read(snapshot);
    if (page.kind === 'failed') return this.missed(pointMs, page.reason);
    const doubt = this.watch.judge(page.values, snapshot.atMs);
    if (doubt !== null) return this.missed(pointMs, doubt);
    const { atMs, scrapeMs } = snapshot;
    const reading = { kind: 'reading', brokerId: this.brokerId, atMs, scrapeMs, ...page.values } as const;
    if (this.newest === null || this.newest.atMs <= atMs) this.newest = reading;
    return reading;
  }

  /** The broker's poll when a look that was for `atMs` came to nothing. */
  missed(atMs: number, reason: string): MissedPoll {
    return {
      kind: 'missed',
      brokerId: this.brokerId,
      atMs,
      reason: printable(reason),
      isAnsweredLate: false,
    };
  }
}
