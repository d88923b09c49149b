import { setTimeout as sleep } from 'node:timers/promises';
import { reasonToStopEarly } from '../../boundary/early-stop.ts';
import { idleOfBrokers, undecidedIdle } from '../../boundary/judge-trial.ts';
import { isSteady, latestIdle } from '../../boundary/steadiness.ts';
import type { TrialPlan, Window } from '../../boundary/trial.ts';
import type { OfferedLoad } from './offer-load.ts';
import type { RunContext } from './run-context.ts';
import type { TrialStage } from './run-event.ts';
import { fittedWindowMs } from './signal-timing.ts';

const LOOK_MS = 250;
/** A shard that is silent this long is lost, ms. */
const SILENCE_MS = 5_000;
/** Beyond the time between two looks, the one at the edge of the window may take this long to arrive, ms. */
const LAST_POLL_MS = 500;

/**
 * The load goes on for this long after a whole window, so that the statistics around its end (one a second) are of a load
 * and not of a drain, ms.
 */
const TAIL_MS = 1_100;

/** Longest warm-up as a multiple of the planned one; after that the load is measured as it is. */
export const LONGEST_WARM_UP = 2;

/** Longest window of a trial, also when undecided, ms. */
export function longestWindowMs(context: RunContext, plan: TrialPlan): number {
  return fittedWindowMs(Math.max(context.config.trial.maxWindowMs, plan.windowMs), context.timing);
}

export interface WatchRequest {
  readonly plan: TrialPlan;
  readonly load: OfferedLoad;
  readonly underReplicatedBefore: Readonly<Record<string, number>>;
}

/**
 * Sits through warm-up and window of a trial under load, and decides when the window starts and ends: it starts when
 * the brokers are steady, ends early when the verdict is certain, and lasts longer while a reading spans the limit.
 * @returns the window as measured, on the run's clock.
 */
export async function watchWindow(context: RunContext, request: WatchRequest): Promise<Window> {
  const startAtMs = await watchWarmUp(context, request);
  const windowMs = fittedWindowMs(request.plan.windowMs, context.timing);
  const longestMs = longestWindowMs(context, request.plan);
  let window: Window = { startAtMs, endAtMs: startAtMs + windowMs };
  for (;;) {
    const stoppedAtMs = await watchUntil(context, request, window);
    if (stoppedAtMs !== null) return { startAtMs, endAtMs: stoppedAtMs };
    await lastPolls(context, window.endAtMs);
    const longerMs = fittedWindowMs(window.endAtMs - startAtMs + windowMs / 2, context.timing);
    const endAtMs = Math.min(startAtMs + longestMs, startAtMs + longerMs);
    if (endAtMs <= window.endAtMs || !isUndecided(context, window)) {
      await sleepUntil(context, window.endAtMs + TAIL_MS);
      return window;
    }
    window = { startAtMs, endAtMs };
  }
}

async function watchWarmUp(context: RunContext, { plan, load }: WatchRequest): Promise<number> {
  const { pollMs } = context.timing;
  const stretch = Math.max(1, Math.round(plan.warmUpMs / 2 / pollMs));
  const latestMs = load.startAtMs + LONGEST_WARM_UP * plan.warmUpMs;
  let windowAtMs = load.startAtMs + Math.ceil(plan.warmUpMs / pollMs) * pollMs;
  for (;;) {
    // A little later, for the poll at this point of the grid to be in.
    await observeUntil(context, windowAtMs + 50, (nowMs) =>
      stageOf('warm-up', { startAtMs: load.startAtMs, endAtMs: load.startAtMs + plan.warmUpMs }, nowMs),
    );
    const isLast = windowAtMs + pollMs > latestMs;
    if (isLast || isSteady(context.poller.polls(), stretch)) return windowAtMs;
    windowAtMs += pollMs;
  }
}

/** Watches until the planned end; returns the end of the last polled second when it may stop earlier, else null. */
async function watchUntil(
  context: RunContext,
  request: WatchRequest,
  window: Window,
): Promise<number | null> {
  const clock = context.queue.clock();
  const { pollMs } = context.timing;
  while (clock.nowMs() < window.endAtMs) {
    await sleep(LOOK_MS, undefined, { signal: context.signal });
    observe(context, stageOf('window', window, clock.nowMs()));
    const progress = await request.load.trial.progress();
    const reason = reasonToStopEarly(
      {
        window,
        nowMs: clock.nowMs(),
        polls: context.poller.polls(),
        pollIntervalMs: pollMs,
        underReplicatedBefore: request.underReplicatedBefore,
        hasLostShard: progress.some((shard) => shard.silentMs > SILENCE_MS),
        throttleMs: Math.max(0, ...progress.map((shard) => shard.lastTick?.throttleMs ?? 0)),
      },
      context.config.thresholds,
    );
    const looks = Math.floor((clock.nowMs() - window.startAtMs) / pollMs);
    if (reason !== null && looks >= 2) {
      context.observe({ type: 'step', text: `stopping early: ${reason}` });
      return window.startAtMs + looks * pollMs;
    }
  }
  return null;
}

function isUndecided(context: RunContext, window: Window): boolean {
  const idles = idleOfBrokers({ polls: context.poller.polls(), window });
  return undecidedIdle(idles, context.config.thresholds) !== undefined;
}

/** Waits until each broker's poll at the edge of the window is in, or clearly will not come. */
async function lastPolls(context: RunContext, endAtMs: number): Promise<void> {
  const clock = context.queue.clock();
  const wantedAtMs = endAtMs + context.timing.endReadingMs;
  while (clock.nowMs() < wantedAtMs + context.timing.pollMs + LAST_POLL_MS) {
    const polled = context.poller.polls().filter((poll) => poll.atMs >= wantedAtMs - 50);
    if (context.watchedIds.every((id) => polled.some((poll) => poll.brokerId === id))) return;
    await sleep(20, undefined, { signal: context.signal });
  }
}

async function sleepUntil(context: RunContext, atMs: number): Promise<void> {
  const waitMs = atMs - context.queue.clock().nowMs();
  if (waitMs > 0) await sleep(waitMs, undefined, { signal: context.signal });
}

/** Sleeps until `atMs` and tells on the way, once a poll interval, how the trial stands. */
async function observeUntil(
  context: RunContext,
  atMs: number,
  stageAt: (nowMs: number) => TrialStage,
): Promise<void> {
  const clock = context.queue.clock();
  while (clock.nowMs() < atMs) {
    observe(context, stageAt(clock.nowMs()));
    await sleepUntil(context, Math.min(atMs, clock.nowMs() + context.timing.pollMs));
  }
}

function stageOf(name: TrialStage['name'], span: Window, nowMs: number): TrialStage {
  return {
    name,
    elapsedSeconds: (nowMs - span.startAtMs) / 1_000,
    plannedSeconds: (span.endAtMs - span.startAtMs) / 1_000,
  };
}

function observe(context: RunContext, stage: TrialStage): void {
  context.observe({ type: 'polled', idleByBroker: latestIdle(context.poller.polls()), stage });
}
