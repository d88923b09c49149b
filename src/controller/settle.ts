import { setTimeout as sleep } from 'node:timers/promises';
import type { BrokerPoll } from '../../boundary/broker-reading.ts';
import { restingBytesIn } from '../../boundary/reconciliation.ts';
import { latestIdle } from '../../boundary/steadiness.ts';
import type { RunContext } from './run-context.ts';

/** Settled when every broker's idle is back to this share of its value at rest (verdict page, "Window"). */
const SETTLED_SHARE = 0.8;
const LOOK_MS = 700;

/** Without the brokers' signals nobody sees them come to rest: the load is gone and this long has passed, ms. */
const BLIND_REST_MS = 3_000;

/** A moving average needs two ticks to tell an idle, ms. */
const LONGEST_REST_MS = 15_000;
const REST_LOOK_MS = 2_000;

/**
 * Waits until the brokers are at rest again, so that one trial does not weigh on the next.
 * @returns true when they are; false when `settleTimeoutMs` ran out, which is worth a warning.
 */
export async function settle(context: RunContext): Promise<boolean> {
  if (context.signals === 'none') {
    await sleep(BLIND_REST_MS, undefined, { signal: context.signal });
    return true;
  }
  const deadline = performance.now() + context.config.trial.settleTimeoutMs;
  const polls = new Map<string, BrokerPoll>();
  await lookOnce(context.poller, polls);
  for (;;) {
    await sleep(LOOK_MS, undefined, { signal: context.signal });
    await lookOnce(context.poller, polls);
    const idle = latestIdle([...polls.values()]);
    const isSettled = context.watchedIds.every((id) => {
      const now = idle[String(id)];
      const atRest = Math.min(1, context.restingIdle[String(id)] ?? 1);
      return now !== undefined && now >= SETTLED_SHARE * atRest;
    });
    if (isSettled) return true;
    if (performance.now() > deadline) return false;
  }
}

interface Looking {
  pollOnce(): Promise<readonly BrokerPoll[]>;
}

/** A source that somebody else fills shows its newest reading again: it counts once. */
async function lookOnce(poller: Looking, polls: Map<string, BrokerPoll>): Promise<void> {
  for (const poll of await poller.pollOnce()) polls.set(`${poll.brokerId} ${poll.atMs}`, poll);
}

/** The brokers without load. */
export interface BrokersAtRest {
  /** By broker id. */
  readonly idle: Readonly<Record<string, number>>;
  /** What comes in at all brokers all the same, bytes per second; null when their pages do not tell. */
  readonly bytesInPerSecond: number | null;
}

/** Looks at the brokers without load, for two seconds or until their meters tell an idle. */
export async function measureRest(
  poller: Looking,
  brokerIds: readonly number[],
  signal: AbortSignal,
): Promise<BrokersAtRest> {
  const deadline = performance.now() + LONGEST_REST_MS;
  const polls = new Map<string, BrokerPoll>();
  await lookOnce(poller, polls);
  for (;;) {
    await sleep(REST_LOOK_MS, undefined, { signal });
    await lookOnce(poller, polls);
    const idle = latestIdle([...polls.values()]);
    const isWhole = brokerIds.every((id) => idle[String(id)] !== undefined);
    if (!isWhole && performance.now() < deadline) continue;
    return {
      idle: Object.fromEntries(brokerIds.map((id) => [String(id), idle[String(id)] ?? 1])),
      bytesInPerSecond: restingBytesIn([...polls.values()], brokerIds),
    };
  }
}
