import {
  endingStretch,
  type HeldSlice,
  heldSeconds,
  sliceState,
  slicesOf,
} from '../../boundary/hold-slice.ts';
import type { Window } from '../../boundary/trial.ts';
import type { LoadView } from './load-watch.ts';
import type { RunContext } from './run-context.ts';
import { fittedWindowMs } from './signal-timing.ts';
import {
  cutShort,
  sleepUntil,
  stageAt,
  startRequestOf,
  TAIL_MS,
  type WatchedLoad,
  type WatchRequest,
} from './watch-window.ts';
import { movedStartMs, plannedStartMs } from './window-start.ts';

/** A slice that is shorter tells little of a load that may swing, ms. */
const SHORTEST_SLICE_MS = 15_000;

/**
 * Sits through a hold: one load for long, watched in slices. It ends before its time when two slices in a row were not
 * carried, and is then judged by these two; else by all of it.
 */
export async function watchHold(context: RunContext, request: WatchRequest): Promise<WatchedLoad> {
  const { plan, watch } = request;
  const { timing } = context;
  const start = startRequestOf(context, request);
  const holdMs = Math.min(
    fittedWindowMs(plan.windowMs, timing),
    Math.floor(request.mostWindowMs / timing.pollMs) * timing.pollMs,
  );
  if (holdMs < plan.windowMs) {
    const text = `the hold lasts ${Math.round(holdMs / 1_000)} s: the brokers' disks have room for no more (topic.diskBudgetBytes)`;
    context.observe({ type: 'warning', text });
  }
  const sliceMs = fittedWindowMs(Math.max(context.config.trial.windowMs, SHORTEST_SLICE_MS), timing);
  let startAtMs = plannedStartMs(start);
  const held: HeldSlice[] = [];
  for (;;) {
    const hold = { startAtMs, endAtMs: startAtMs + holdMs };
    const seen = await watch.look((nowMs) => stageAt(hold, start, nowMs));
    if (seen.risk || seen.hasLostShard || seen.throttleMs > 0) {
      return ended(cutShort(hold, start, seen), held, seen.risk);
    }
    if (seen.nowMs < startAtMs + timing.pollMs) startAtMs = movedStartMs(startAtMs, start, seen);
    const slice = slicesOf(hold, sliceMs)[held.length];
    if (slice && seen.nowMs >= slice.endAtMs) {
      const failed = await judgeSlice(context, request, slice, held, seen);
      if (failed) {
        context.observe({ type: 'step', text: `the hold ends: carried for ${heldSeconds(held)} s` });
        return ended(failed, held);
      }
    }
    if (held.length === slicesOf(hold, sliceMs).length) {
      await sleepUntil(context, hold.endAtMs + TAIL_MS);
      return ended(hold, held);
    }
  }
}

/** Adds a slice that is over to `held`. @returns the stretch to judge when the hold ends with it. */
async function judgeSlice(
  context: RunContext,
  { watch, underReplicatedBefore }: WatchRequest,
  slice: Window,
  held: HeldSlice[],
  seen: LoadView,
): Promise<Window | null> {
  await watch.lastPolls(slice.endAtMs);
  const { config, signals, watchedIds, poller, timing } = context;
  const { ticks, readerTicks } = seen;
  const polls = poller.polls();
  const pollIntervalMs = timing.pollMs;
  const so = { signals, watchedIds, polls, pollIntervalMs, underReplicatedBefore, ticks, readerTicks };
  held.push({ window: slice, state: sliceState(slice, so, config.thresholds) });
  return endingStretch(held, so, config.thresholds);
}

function ended(window: Window, held: readonly HeldSlice[], risk: WatchedLoad['risk'] = null): WatchedLoad {
  const first = held[0];
  const isAfterFirst = first?.state === 'carried' && first.window.endAtMs <= window.startAtMs;
  return { window, risk, heldSeconds: heldSeconds(held), pacedBy: isAfterFirst ? first.window : null };
}
