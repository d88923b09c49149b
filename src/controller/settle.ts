import { setTimeout as sleep } from 'node:timers/promises';
import type { BrokerPoll, BrokerReading } from '../../boundary/broker-reading.ts';
import { idleBetween } from '../../boundary/steadiness.ts';
import type { RunContext } from './run-context.ts';

/** Settled when every broker's idle is back to this share of its value at rest (verdict page, "Window"). */
const SETTLED_SHARE = 0.8;
const LOOK_MS = 700;

/**
 * Waits until the brokers are at rest again, so that one trial does not weigh on the next.
 * @returns true when they are; false when `settleTimeoutMs` ran out, which is worth a warning.
 */
export async function settle(context: RunContext): Promise<boolean> {
  const deadline = performance.now() + context.config.trial.settleTimeoutMs;
  let before = byBroker(await context.poller.pollOnce());
  for (;;) {
    await sleep(LOOK_MS, undefined, { signal: context.signal });
    const now = byBroker(await context.poller.pollOnce());
    const isSettled = context.brokerIds.every((id) => {
      const idle = idleBetween(before.get(id), now.get(id));
      return idle !== null && idle >= SETTLED_SHARE * Math.min(1, context.restingIdle[String(id)] ?? 1);
    });
    if (isSettled) return true;
    if (performance.now() > deadline) return false;
    before = now;
  }
}

/** The brokers' idle over two seconds without load, by broker id. */
export async function measureRest(
  poller: { pollOnce(): Promise<readonly BrokerPoll[]> },
  brokerIds: readonly number[],
): Promise<Record<string, number>> {
  const before = byBroker(await poller.pollOnce());
  await sleep(2_000);
  const after = byBroker(await poller.pollOnce());
  const rest: Record<string, number> = {};
  for (const id of brokerIds) rest[String(id)] = idleBetween(before.get(id), after.get(id)) ?? 1;
  return rest;
}

function byBroker(polls: readonly BrokerPoll[]): Map<number, BrokerReading> {
  return new Map(polls.flatMap((poll) => (poll.kind === 'reading' ? [[poll.brokerId, poll]] : [])));
}
