import { setTimeout as sleep } from 'node:timers/promises';
import { countAt } from '../../boundary/delivery.ts';
import { idleOfBrokers } from '../../boundary/judge-trial.ts';
import type { ProbeStep, RunProbe } from '../../boundary/search/search.ts';
import { isPastBoundary } from '../../boundary/search/unit-rate.ts';
import { latestIdle } from '../../boundary/steadiness.ts';
import type { ShardReport, Window } from '../../boundary/trial.ts';
import { abortable } from './abortable.ts';
import { requireBrokers } from './cluster-check.ts';
import { loadDeadlineMs, type OfferedLoad, offerLoad } from './offer-load.ts';
import type { RunContext } from './run-context.ts';
import { settle } from './settle.ts';

/** The start of a step is left out: queues and batches still have the shape of the step before, ms. */
const STEP_RUN_IN_MS = 1_000;

/** Looks once a second fill a step of their own; only what is slower needs longer steps, ms. */
const SHORT_WINDOW_MS = 4_000;

/** Client queues that hold this much of the offered load will not empty again. */
const RUNAWAY_QUEUE_SECONDS = 1;

/**
 * Runs a probe: one load whose rate doubles at every step, stopped at the first step that passes the boundary.
 * @returns the steps in order; empty when the load did not come together.
 */
export async function runProbe(context: RunContext, probe: RunProbe): Promise<ProbeStep[]> {
  await requireBrokers(context);
  const { poller } = context;
  await context.queue.resync();
  const topic = await context.topicFor(probe.messageBytes);
  const warmUp = { durationMs: probe.warmUpMs, unitRate: probe.unitRates[0] ?? 0 };
  const stepMs = longStepMs(context, probe);
  const steps = probe.unitRates.map((unitRate) => ({ durationMs: stepMs, unitRate }));
  const schedule = [warmUp, ...steps];
  const load = await offerLoad(context, { topic, np: probe.np, messageBytes: probe.messageBytes, schedule });
  if ('lost' in load) {
    context.observe({ type: 'warning', text: load.lost });
    return [];
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
    const seen = windows.map((window, i) => stepOf(context, window, probe.unitRates[i] ?? 0, shards));
    await settle(context);
    return isWhole ? seen : [];
  } catch (error) {
    await Promise.all([load.trial.abandon(), poller.stop()]);
    throw error;
  }
}

/** Waits step by step; ends after the first whose idle is under the limit, or whose queues run away. */
async function watchSteps(context: RunContext, probe: RunProbe, load: OfferedLoad): Promise<Window[]> {
  const windows: Window[] = [];
  const stepMs = longStepMs(context, probe);
  for (const [i, unitRate] of probe.unitRates.entries()) {
    const stepAtMs = load.startAtMs + probe.warmUpMs + i * stepMs;
    const window = { startAtMs: stepAtMs + STEP_RUN_IN_MS, endAtMs: stepAtMs + stepMs };
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

/** Steps long enough for these signals to tell an idle in each, ms. */
function longStepMs({ timing }: RunContext, { stepMs }: RunProbe): number {
  const needsMore = timing.leastWindowMs > stepMs - STEP_RUN_IN_MS && timing.leastWindowMs > SHORT_WINDOW_MS;
  return needsMore ? timing.leastWindowMs + STEP_RUN_IN_MS : stepMs;
}

function worstIdle(context: RunContext, window: Window): number | null {
  return idleOfBrokers({ polls: context.poller.polls(), window })[0]?.idle.ratio ?? null;
}

function stepOf(
  context: RunContext,
  window: Window,
  unitRate: number,
  shards: readonly ShardReport[],
): ProbeStep {
  const grown = (count: 'offered' | 'acked') =>
    shards.reduce(
      (sum, { ticks }) =>
        sum + countAt(ticks, count, window.endAtMs) - countAt(ticks, count, window.startAtMs),
      0,
    );
  const offered = grown('offered');
  return {
    unitRate,
    idle: worstIdle(context, window),
    ackedShare: offered > 0 ? grown('acked') / offered : 0,
  };
}
