import type { BrokerPoll, BrokerReading } from '../../boundary/broker-reading.ts';
import type { LookCost } from './poll-interval.ts';
import type { MissedEntry, PollLedger } from './poll-ledger.ts';
import type { BrokerLook, WatchedBroker } from './watched-broker.ts';

/**
 * One broker's account of the grid: for each of its points exactly one poll. A look that takes longer than the interval
 * holds the points that follow: they are missed, and answered late when that look gives a reading in the end.
 */
export class PolledGrid {
  private readonly broker: WatchedBroker;
  private readonly ledger: PollLedger;
  private readonly deadlineMs: number;
  private inFlight: Promise<BrokerLook> | null = null;
  /** A look begun outside the grid serves a point that is reached meanwhile. */
  private isForGrid = false;
  private held: MissedEntry[] = [];
  /** Missed samples of a source with times of its own, which may be served later. */
  private lacking: MissedEntry[] = [];
  private everyPoints = 1;
  private points = 0;
  private finishAtMs: number | null = null;

  constructor(broker: WatchedBroker, ledger: PollLedger, deadlineMs: number) {
    this.broker = broker;
    this.ledger = ledger;
    this.deadlineMs = deadlineMs;
  }

  get brokerId(): number {
    return this.broker.brokerId;
  }

  get cost(): LookCost | null {
    return this.broker.cost;
  }

  /** Whether there is a reading as late as `finishAt` asked for. */
  get isFinished(): boolean {
    const newestMs = this.broker.newestReading?.atMs ?? Number.NEGATIVE_INFINITY;
    return this.finishAtMs !== null && newestMs >= this.finishAtMs;
  }

  /** Points of a grid with this interval from one look to the next, as time. */
  lookEveryMs(intervalMs: number): number {
    return intervalMs * Math.max(1, Math.ceil(this.broker.refreshMs / intervalMs));
  }

  /** A new grid begins, with a point at `firstAtMs`. */
  begin(firstAtMs: number, intervalMs: number): void {
    this.everyPoints = this.lookEveryMs(intervalMs) / intervalMs;
    this.points = 0;
    this.finishAtMs = null;
    this.lacking = [];
    this.broker.beginAt(firstAtMs);
  }

  /** From here on every point is looked at until there is a reading of `atMs` or later, and none after it. */
  finishAt(atMs: number): void {
    this.finishAtMs = atMs;
  }

  /** The grid is at one of its points. */
  reach(pointMs: number): void {
    if (!this.isDue()) return;
    if (this.inFlight === null) void this.look(pointMs, true);
    else if (this.isForGrid) this.hold(pointMs, 'scrape before it still running');
    else this.isForGrid = true;
  }

  /** The grid went past one of its points without coming to it. */
  passOver(pointMs: number): void {
    if (this.isDue()) this.hold(pointMs, 'poller was late');
  }

  /** Looks outside the grid, when no look is under way any more. */
  async pollOnce(nowMs: () => number): Promise<BrokerPoll> {
    // In a loop of its own: between `rest` and this another could begin.
    while (this.inFlight !== null) await this.inFlight;
    const { now } = await this.look(nowMs(), false);
    return now;
  }

  /** Waits for the look under way. */
  async rest(): Promise<void> {
    while (this.inFlight !== null) await this.inFlight;
  }

  private isDue(): boolean {
    if (this.isFinished) return false;
    return this.points++ % this.everyPoints === 0 || this.finishAtMs !== null;
  }

  private hold(pointMs: number, reason: string): void {
    // A source with samples of its own accounts for those instead of for the grid's points.
    if (this.broker.refreshMs > 0) return;
    const entry = this.ledger.keepMissed(this.broker.missed(pointMs, reason));
    if (this.inFlight !== null && this.isForGrid) this.held.push(entry);
  }

  private look(pointMs: number, isForGrid: boolean): Promise<BrokerLook> {
    this.isForGrid = isForGrid;
    this.inFlight = this.broker.look(pointMs, this.deadlineMs).then((look) => {
      this.inFlight = null;
      const held = this.held;
      this.held = [];
      // Samples of a source with times of its own do not come twice.
      if (this.isForGrid || this.broker.refreshMs > 0) this.keep(look.polls);
      if (look.polls.some(({ kind }) => kind === 'reading')) {
        for (const entry of held) this.ledger.answerLate(entry);
      }
      return look;
    });
    return this.inFlight;
  }

  private keep(polls: readonly BrokerPoll[]): void {
    for (const poll of polls) {
      if (poll.kind === 'reading') {
        this.ledger.keepReading(poll);
        this.answerLacking(poll);
      } else {
        const entry = this.ledger.keepMissed(poll);
        if (this.broker.refreshMs > 0) this.lacking.push(entry);
      }
    }
  }

  private answerLacking(reading: BrokerReading): void {
    const isAnswered = ({ poll }: MissedEntry) =>
      Math.abs(poll.atMs - reading.atMs) <= this.broker.refreshMs / 2;
    for (const entry of this.lacking.filter(isAnswered)) this.ledger.answerLate(entry);
    this.lacking = this.lacking.filter((entry) => !isAnswered(entry));
  }
}
