import type { BrokerPoll, BrokerReading } from './broker-reading.ts';
import { meterGrowth } from './meter-growth.ts';
import { readingsByBroker } from './polls.ts';
import type { Window } from './trial.ts';

/** What was put on the brokers while they were looked at. */
export interface SentLoad {
  readonly window: Window;
  /** Of a message as brokers count bytes in. */
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
  /** Messages that each broker acknowledged meanwhile, on average. */
  readonly acked: number;
}

/** A broker that counts less than this part of an even share may be a stranger, ... */
const LEAST_COUNTED_SHARE = 0.5;
/** ... when messages of half an even share are missing in the sum of all brokers. */
const LEAST_MISSING_SHARES = 0.5;
/** So few messages tell nothing. */
const LEAST_MESSAGES = 20;

/**
 * Looks for signals that do not count what the brokers acknowledged: those of a broker of the same number in another
 * cluster, or of the right one served late. Their idle is of something else than this load, however well they name
 * themselves. Brokers at their limit may share the load unevenly, so one that counts little is a stranger only when
 * the others do not make up for it. Counted are messages, else bytes.
 *
 * @returns the broker that counts least; null when all is counted, or when a broker has no meter that could tell.
 */
export function findStranger(polls: readonly BrokerPoll[], load: SentLoad): Stranger | null {
  const byBroker = readingsByBroker(polls);
  const share = load.acked / load.brokerIds.length;
  if (!(share >= LEAST_MESSAGES)) return null;
  let total = 0;
  let least: Stranger | null = null;
  for (const brokerId of load.brokerIds) {
    const counted = countedOf(byBroker.get(brokerId) ?? [], load);
    if (counted === null) return null;
    total += counted;
    if (least === null || counted < least.counted) least = { brokerId, counted, acked: share };
  }
  const isShort = total < load.acked - LEAST_MISSING_SHARES * share;
  return isShort && least !== null && least.counted < LEAST_COUNTED_SHARE * share ? least : null;
}

/** One line for people. */
export function strangerText({ brokerId, counted, acked }: Stranger): string {
  const [shown, sent] = [counted, acked].map((messages) => Math.round(messages).toLocaleString('en-US'));
  return (
    `the brokers acknowledged ${sent} messages each, but the signals of broker ${brokerId} count ${shown}: they are of ` +
    'another cluster, or served late'
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
