import type { BrokerPoll, BrokerReading } from './broker-reading.ts';
import { meterGrowth } from './meter-growth.ts';
import { readingsByBroker } from './polls.ts';
import type { Window } from './trial.ts';

/** What was put on the brokers while they were looked at. */
export interface SentLoad {
  readonly window: Window;
  readonly messageBytes: number;
  /** Messages acknowledged in the window by all brokers, which share them evenly. */
  readonly acked: number;
  readonly brokerIds: readonly number[];
}

/** A broker whose signals do not know of the load. */
export interface Stranger {
  readonly brokerId: number;
  /** Messages that its signals count, at most. */
  readonly counted: number;
  /** Messages that this broker acknowledged meanwhile. */
  readonly acked: number;
}

/** What happens at the edges of a window moves a second of it; a page that counts less than this is of something else. */
const LEAST_COUNTED_SHARE = 0.5;
/** So few messages tell nothing. */
const LEAST_MESSAGES = 20;

/**
 * Looks for signals that count less than the broker acknowledged: those of a broker of the same number in another
 * cluster, or of the right one served late. Their idle is of something else than this load, however well they name
 * themselves. Counted are messages, else bytes: the payload is random, and no compression makes it less.
 *
 * @returns the first such broker; null when there is none, or no meter that could tell.
 */
export function findStranger(polls: readonly BrokerPoll[], load: SentLoad): Stranger | null {
  const acked = load.acked / load.brokerIds.length;
  if (!(acked >= LEAST_MESSAGES)) return null;
  for (const [brokerId, readings] of readingsByBroker(polls)) {
    const counted = countedOf(readings, load);
    if (counted !== null && counted < LEAST_COUNTED_SHARE * acked) return { brokerId, counted, acked };
  }
  return null;
}

/** One line for people. */
export function strangerText({ brokerId, counted, acked }: Stranger): string {
  const [shown, sent] = [counted, acked].map((messages) => Math.round(messages).toLocaleString('en-US'));
  return (
    `broker ${brokerId} acknowledged ${sent} messages while its signals count ${shown}: they are of another ` +
    'cluster, or served late'
  );
}

/** Messages that the signals count in the window, at most; null when they do not tell. */
function countedOf(readings: readonly BrokerReading[], { window, messageBytes }: SentLoad): number | null {
  const messages = meterGrowth(readings, window, ({ messagesIn }) => messagesIn);
  const growth = messages ?? meterGrowth(readings, window, ({ bytesIn }) => bytesIn);
  if (growth === null) return null;
  const windowMs = window.endAtMs - window.startAtMs;
  // Looks that see only a part of the window count only what fell into it.
  const seenShare = Math.min(1, growth.overMs / windowMs);
  return growth.high / seenShare / (messages === null ? messageBytes : 1);
}
