import { setTimeout as sleep } from 'node:timers/promises';
import { countInWindow } from '../../boundary/delivery.ts';
import { findStranger, strangerText } from '../../boundary/find-stranger.ts';
import { idleOfBrokers } from '../../boundary/judge-trial.ts';
import { readingsByBroker } from '../../boundary/polls.ts';
import type { ProbeStep, RunProbe } from '../../boundary/search/search.ts';
import { isPastBoundary } from '../../boundary/search/unit-rate.ts';
import { latestIdle } from '../../boundary/steadiness.ts';
import type { ShardReport, Window } from '../../boundary/trial.ts';
import { PlimsollError } from '../errors.ts';
import { abortable } from './abortable.ts';
import { requireBrokers } from './cluster-check.ts';
import { loadDeadlineMs, type OfferedLoad, offerLoad } from './offer-load.ts';
import type { RunContext } from './run-context.ts';
import { settle } from './settle.ts';
import { STEP_RUN_IN_MS } from './signal-timing.ts';

/** Client queues that hold this much of the offered load will not empty again. */
const RUNAWAY_QUEUE_SECONDS = 1;

/** What a probe has seen. */
export interface FinishedProbe {
  /** In order; empty when the load did not come together. */
  readonly steps: readonly ProbeStep[];
  /** What the load put at risk, so that no more may be offered; null when nothing. */
  readonly risk: string | null;
}

/**
 * Runs a probe: one load whose rate doubles at every step, stopped at the first step that passes the boundary.
 * @param probe its steps long enough for the brokers' signals (`fittedStepMs`).
 */
export async function runProbe(context: RunContext, probe: RunProbe): Promise<FinishedProbe> {
  await requireBrokers(context);
  const { poller } = context;
  await context.queue.resync();
  const topic = await context.topic();
  const warmUp = { durationMs: probe.warmUpMs, unitRate: probe.unitRates[0] ?? 0 };
  const steps = probe.unitRates.map((unitRate) => ({ durationMs: probe.stepMs, unitRate }));
  const schedule = [warmUp, ...steps];
  const load = await offerLoad(context, { topic, np: probe.np, messageBytes: probe.messageBytes, schedule });
  if ('lost' in load) {
    context.observe({ type: 'warning', text: load.lost });
    return { steps: [], risk: null };
  }
  poller.mark();
  poller.start(load.startAtMs);
  try {
    const windows = await watchSteps(context, probe, load);
    await load.trial.stop();
    await poller.stop();
    const outcomes = await abortable(load.trial.outcomes(loadDeadlineMs(context, schedule)), context.signal);
    const shards = outcomes.flatMap((outcome) => (outcome.kind === 'report' ? [outcome.report] : []));
    const isWhole = shards.length === outcomes.length;
    requireOwnSignals(context, probe, windows, shards);
    const seen = windows.map((window, i) => stepOf(context, window, probe.unitRates[i] ?? 0, shards));
    await settle(context);
    return { steps: isWhole ? seen : [], risk: null };
  } catch (error) {
    await Promise.all([load.trial.abandon(), poller.stop()]);
    throw error;
  }
}

/** Waits step by step; ends after the first whose idle is under the limit, or whose queues run away. */
async function watchSteps(context: RunContext, probe: RunProbe, load: OfferedLoad): Promise<Window[]> {
  const windows: Window[] = [];
  for (const [i, unitRate] of probe.unitRates.entries()) {
    const stepAtMs = load.startAtMs + probe.warmUpMs + i * probe.stepMs;
    const window = { startAtMs: stepAtMs + STEP_RUN_IN_MS, endAtMs: stepAtMs + probe.stepMs };
    const waitMs = window.endAtMs + 100 - context.queue.clock().nowMs();
    await sleep(Math.max(0, waitMs), undefined, { signal: context.signal });
    context.observe({ type: 'polled', idleByBroker: latestIdle(context.poller.polls()), stage: null });
    windows.push(window);
    const idle = worstIdle(context, window);
    if (isPastBoundary({ unitRate, idle, ackedShare: 1 }, context.config.thresholds.idleRatio)) break;
    // Acked counts come with the final report; a queue of a whole second tells as much while it runs.
    const progress = await load.trial.progress();
    const queued = progress.reduce((sum, shard) => sum + (shard.lastTick?.queued ?? 0), 0);
    if (queued > probe.np * unitRate * RUNAWAY_QUEUE_SECONDS) break;
  }
  return windows;
}

function worstIdle(context: RunContext, window: Window): number | null {
  return idleOfBrokers({ polls: context.poller.polls(), window })[0]?.idle.ratio ?? null;
}

/**
 * A load that the signals do not know of shows before the first trial that they are not this cluster's: no repeat would
 * change that.
 */
function requireOwnSignals(
  { poller, brokerIds }: RunContext,
  { messageBytes }: RunProbe,
  windows: readonly Window[],
  shards: readonly ShardReport[],
): void {
  const polls = poller.polls();
  const newestMs = [...readingsByBroker(polls).values()].map((readings) => readings.at(-1)?.atMs ?? 0);
  const startAtMs = windows[0]?.startAtMs ?? 0;
  // The rate doubles at every step: what comes after the last look would weigh more than all before it.
  const window = { startAtMs, endAtMs: Math.min(windows.at(-1)?.endAtMs ?? 0, ...newestMs) };
  if (window.endAtMs <= window.startAtMs) return;
  const acked = grownOf(shards, 'acked', window);
  const stranger = findStranger(polls, { window, messageBytes, acked, brokerIds });
  if (stranger === null) return;
  throw new PlimsollError('METRICS_MISMATCH', `${strangerText(stranger)}; correct the metrics setting`);
}

function stepOf(
  context: RunContext,
  window: Window,
  unitRate: number,
  shards: readonly ShardReport[],
): ProbeStep {
  const offered = grownOf(shards, 'offered', window);
  return {
    unitRate,
    idle: worstIdle(context, window),
    ackedShare: offered > 0 ? grownOf(shards, 'acked', window) / offered : 0,
  };
}

function grownOf(shards: readonly ShardReport[], count: 'offered' | 'acked', window: Window): number {
  return shards.reduce((sum, { ticks }) => sum + countInWindow(ticks, count, window), 0);
}
