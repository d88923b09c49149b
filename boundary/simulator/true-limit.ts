import type { OverloadRule } from '../verdict.ts';
import { type ClusterWorld, isDeliveryLimited } from './cluster-world.ts';
import type { Mishaps } from './mishaps.ts';
import { sizeWorldAt } from './size-between.ts';

/** What a simulated cluster can take at a size in truth, noise and drift aside; messages per second. */
export interface TrueLimit {
  readonly messageBytes: number;
  readonly messagesPerSecond: number;
  readonly rule: OverloadRule;
  /** What is left of it when the burst credits are used up; null without such credits. */
  readonly lasting: number | null;
}

/** The limit that a search should find. */
export function trueLimitOf(
  world: ClusterWorld,
  { isrFlapsAbove, burst }: Pick<Mishaps, 'isrFlapsAbove' | 'burst'>,
  messageBytes: number,
): TrueLimit {
  const size = sizeWorldAt(world, messageBytes);
  const flapsFirst = isrFlapsAbove !== null && isrFlapsAbove < 1;
  const limit = size.boundary * (flapsFirst ? isrFlapsAbove : 1);
  const ofHandlers = isDeliveryLimited(size) ? 'delivery' : 'request-handler idle';
  return {
    messageBytes,
    messagesPerSecond: limit,
    rule: flapsFirst ? 'isr churn' : ofHandlers,
    lasting: burst === null ? null : limit * burst.share,
  };
}
