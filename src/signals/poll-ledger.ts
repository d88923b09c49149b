import type { BrokerPoll, BrokerReading, MissedPoll } from '../../boundary/broker-reading.ts';

/** A kept missed poll, which may yet turn out to be answered late. */
export interface MissedEntry {
  poll: MissedPoll;
}

type Entry = MissedEntry | { readonly poll: BrokerReading };

/** The polls kept since the last mark. A missed one changes once, when what it waited for comes after all. */
export class PollLedger {
  private readonly onPoll: (poll: BrokerPoll) => void;
  private entries: Entry[] = [];

  /** @param onPoll told each poll when it is kept, and a missed one again when it is answered late. */
  constructor(onPoll: (poll: BrokerPoll) => void) {
    this.onPoll = onPoll;
  }

  keepReading(poll: BrokerReading): void {
    this.entries.push({ poll });
    this.onPoll(poll);
  }

  keepMissed(poll: MissedPoll): MissedEntry {
    const entry: MissedEntry = { poll };
    this.entries.push(entry);
    this.onPoll(poll);
    return entry;
  }

  /** What `entry` waited for did come. */
  answerLate(entry: MissedEntry): void {
    entry.poll = { ...entry.poll, isAnsweredLate: true };
    this.onPoll(entry.poll);
  }

  /** Forgets what is kept. */
  mark(): void {
    this.entries = [];
  }

  /** By time, then broker. */
  polls(): readonly BrokerPoll[] {
    return this.entries
      .map(({ poll }) => poll)
      .toSorted((a, b) => a.atMs - b.atMs || a.brokerId - b.brokerId);
  }
}
