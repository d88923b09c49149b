import type { BrokerPoll } from './broker-reading.ts';
import type { Window } from './trial.ts';

/** This share of the window speaks for it: the load is the same throughout, and more than a fifth unseen is invalid. */
const LEAST_SHARE = 0.74;

/**
 * The part of the window between a broker's first and last look in it. Where somebody else looks, every 15 s say, no look
 * stands at an edge, and the time beyond the outermost ones would blur an exact reading of what lies between them.
 * With a missed poll in the window it stays whole: what nobody saw may be what matters.
 *
 * @param polls of all brokers.
 */
export function observedPart(polls: readonly BrokerPoll[], brokerId: number, window: Window): Window {
  const inside = polls.filter(
    (poll) => poll.brokerId === brokerId && poll.atMs >= window.startAtMs && poll.atMs <= window.endAtMs,
  );
  if (inside.some((poll) => poll.kind === 'missed')) return window;
  const times = inside.map(({ atMs }) => atMs);
  const part = { startAtMs: Math.min(...times), endAtMs: Math.max(...times) };
  const share = (part.endAtMs - part.startAtMs) / (window.endAtMs - window.startAtMs);
  return share >= LEAST_SHARE ? part : window;
}
