import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterRisk } from '../../boundary/cluster-risk.ts';
import { type EarlyTrust, reasonToStopEarly } from '../../boundary/early-stop.ts';
import { idleOfBrokers, undecidedIdle } from '../../boundary/judge-trial.ts';
import type { TrialPlan, TrialPurpose, Window } from '../../boundary/trial.ts';
import { type LoadView, type LoadWatch, stageOf } from './load-watch.ts';
import type { OfferedLoad } from './offer-load.ts';
import type { RunContext } from './run-context.ts';
import type { TrialStage } from './run-event.ts';
import { searchConfigOf } from './search-config.ts';
import { fittedWindowMs } from './signal-timing.ts';
import { movedStartMs, plannedStartMs, type StartRequest } from './window-start.ts';

/**
 * The load goes on for this long after a whole window, so that the statistics around its end (one a second) are of a load
 * and not of a drain, ms.
 */
export const TAIL_MS = 1_100;

/** Fewer polled intervals than this are no window. */
const LEAST_LOOKS = 2;

/** Longest window of a trial, also when undecided, ms. */
export function longestWindowMs(context: Pick<RunContext, 'config' | 'timing'>, plan: TrialPlan): number {
  return fittedWindowMs(Math.max(context.config.trial.maxWindowMs, plan.windowMs), context.timing);
}

export interface WatchRequest {
  readonly plan: TrialPlan;
  readonly load: OfferedLoad;
  readonly watch: Pick<LoadWatch, 'look' | 'lastPolls'>;
  readonly underReplicatedBefore: Readonly<Record<string, number>>;
  /** The disks have room for no longer a window, ms. */
  readonly mostWindowMs: number;
}

/** What a load was measured over. */
export interface WatchedLoad {
  /** On the run's clock. */
  readonly window: Window;
  /** Why the load had to be stopped at once; null when it had not. */
  readonly risk: ClusterRisk | null;
  /** Of a hold: how long it was carried, seconds, and the stretch that its end is compared with. */
  readonly heldSeconds: number | null;
  readonly pacedBy: Window | null;
}

/**
 * Sits through warm-up and window of a trial under load, and decides when the window starts and ends: it starts when
 * the brokers are steady, ends early when the verdict is certain or beyond doubt, and lasts longer while a reading spans
 * the limit.
 */
export async function watchWindow(context: RunContext, request: WatchRequest): Promise<WatchedLoad> {
  const { plan, watch } = request;
  const start = startRequestOf(context, request);
  const windowMs = fittedWindowMs(plan.windowMs, context.timing);
  const longestMs = Math.min(longestWindowMs(context, plan), request.mostWindowMs);
  let startAtMs = plannedStartMs(start);
  let lastsMs = windowMs;
  for (;;) {
    const window = { startAtMs, endAtMs: startAtMs + lastsMs };
    const seen = await watch.look((nowMs) => stageAt(window, start, nowMs));
    if (seen.risk) return measured(cutShort(window, start, seen), seen.risk);
    const movedAtMs = lastsMs > windowMs ? startAtMs : movedStartMs(startAtMs, start, seen);
    if (movedAtMs > startAtMs) {
      startAtMs = movedAtMs;
      continue;
    }
    if (seen.nowMs < window.endAtMs) {
      const endAtMs = earlyEndMs(context, request, window, seen);
      if (endAtMs !== null) return measured({ startAtMs, endAtMs });
      continue;
    }
    await watch.lastPolls(window.endAtMs);
    const longer = Math.min(longestMs, fittedWindowMs(lastsMs + windowMs / 2, context.timing));
    if (longer <= lastsMs || !isUndecided(context, window)) {
      await sleepUntil(context, window.endAtMs + TAIL_MS);
      return measured(window);
    }
    lastsMs = longer;
  }
}

/** What the start of the window is found from. */
export function startRequestOf(context: RunContext, { plan, load }: WatchRequest): StartRequest {
  return { plan, loadAtMs: load.startAtMs, pollMs: context.timing.pollMs };
}

/** How far the trial is, for the display. */
export function stageAt(window: Window, { loadAtMs }: StartRequest, nowMs: number): TrialStage {
  return nowMs < window.startAtMs
    ? stageOf('warm-up', { startAtMs: loadAtMs, endAtMs: window.startAtMs }, nowMs)
    : stageOf('window', window, nowMs);
}

/** The part of the window that was measured; all of the load when it had not begun. */
export function cutShort(window: Window, { loadAtMs }: StartRequest, { nowMs }: LoadView): Window {
  return { startAtMs: nowMs > window.startAtMs ? window.startAtMs : loadAtMs, endAtMs: nowMs };
}

function measured(window: Window, risk: ClusterRisk | null = null): WatchedLoad {
  return { window, risk, heldSeconds: null, pacedBy: null };
}

/** The end of the last polled interval when the window may end there, else null. */
function earlyEndMs(
  context: RunContext,
  { plan, underReplicatedBefore }: WatchRequest,
  window: Window,
  seen: LoadView,
): number | null {
  const { pollMs } = context.timing;
  const looks = Math.floor((seen.nowMs - window.startAtMs) / pollMs);
  if (looks < LEAST_LOOKS) return null;
  const { watchedIds } = context;
  const so = { ...seen, window, pollIntervalMs: pollMs, underReplicatedBefore, watchedIds };
  const reason = reasonToStopEarly(
    { ...so, trust: trustIn(plan, searchConfigOf(context.config)) },
    context.config.thresholds,
  );
  if (reason === null) return null;
  context.observe({ type: 'step', text: `stopping early: ${reason}` });
  return window.startAtMs + looks * pollMs;
}

/** Purposes whose window only has to find out on which side of the limit a load is. */
const LOCATING: readonly TrialPurpose[] = ['gallop', 'bisect', 'confirm-upper'];

/**
 * Which likely verdicts may end a window. A longer one than the shortest is there to make idle exact, or to see the
 * in-sync replicas, and only an overload ends it; a reference is compared with another trial and ends when planned.
 */
function trustIn(
  plan: TrialPlan,
  { windowMs, isrHoldMs }: { readonly windowMs: number; readonly isrHoldMs: number },
): EarlyTrust {
  return {
    overloaded: plan.purpose !== 'reference',
    sustained: LOCATING.includes(plan.purpose) && plan.windowMs <= windowMs,
    // A window that would see a follower leave goes on until it would have.
    sustainedAfterMs: isrHoldMs <= plan.windowMs ? isrHoldMs : 0,
  };
}

function isUndecided(context: RunContext, window: Window): boolean {
  const idles = idleOfBrokers({ polls: context.poller.polls(), window });
  return undecidedIdle(idles, context.config.thresholds) !== undefined;
}

/** Sleeps until a time on the run's clock; ends early by the run's own abort. */
export async function sleepUntil(
  { queue, signal }: Pick<RunContext, 'queue' | 'signal'>,
  atMs: number,
): Promise<void> {
  const waitMs = atMs - queue.clock().nowMs();
  if (waitMs > 0) await sleep(waitMs, undefined, { signal });
}
