import type { ClusterRisk } from '../../boundary/cluster-risk.ts';
import { countInWindow } from '../../boundary/delivery.ts';
import { findStranger, strangerText } from '../../boundary/find-stranger.ts';
import { idleOfBrokers } from '../../boundary/judge-trial.ts';
import { readingsByBroker } from '../../boundary/polls.ts';
import { sentBytesPerMessage } from '../../boundary/reconciliation.ts';
import type { ProbeStep, RunProbe } from '../../boundary/search/search.ts';
import { isPastBoundary } from '../../boundary/search/unit-rate.ts';
import type { ShardReport, Window } from '../../boundary/trial.ts';
import { PlimsollError } from '../errors.ts';
import { abortable } from './abortable.ts';
import { requireWell } from './cluster-check.ts';
import { fittedProbe, probeLoad, writtenByProbe } from './load-room.ts';
import { LoadWatch } from './load-watch.ts';
import { type OfferedLoad, offerLoad, reportDeadlineMs } from './offer-load.ts';
import { RiskGuard } from './risk-guard.ts';
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
 * Runs a probe: one load whose rate doubles at every step, stopped at the first step that passes the boundary, and at
 * once when it puts the cluster at risk.
 * @param wanted its steps long enough for the brokers' signals (`fittedStepMs`).
 */
export async function runProbe(context: RunContext, wanted: RunProbe): Promise<FinishedProbe> {
  const guard = new RiskGuard(context, await requireWell(context));
  const { poller } = context;
  await context.queue.resync();
  const { topic, mostMessages } = await context.topicFor(probeLoad(wanted));
  const probe = fittedProbe(wanted, mostMessages);
  const warmUp = { durationMs: probe.warmUpMs, unitRate: probe.unitRates[0] ?? 0 };
  const steps = probe.unitRates.map((unitRate) => ({ durationMs: probe.stepMs, unitRate }));
  const schedule = [warmUp, ...steps];
  const { np, messageBytes } = probe;
  const load = await offerLoad(context, { topic, np, messageBytes, schedule, isTimed: false });
  if ('lost' in load) {
    context.observe({ type: 'warning', text: load.lost });
    return { steps: [], risk: null };
  }
  poller.mark();
  poller.start(load.startAtMs);
  guard.start();
  try {
    const { windows, risk } = await watchSteps(context, probe, load, new LoadWatch(context, load, guard));
    await load.trial.stop(null);
    await poller.stop();
    const outcomes = await abortable(load.trial.outcomes(reportDeadlineMs(context)), context.signal);
    const shards = outcomes.flatMap((outcome) => (outcome.kind === 'report' ? [outcome.report] : []));
    const isWhole = outcomes.every(({ kind }) => kind !== 'lost');
    context.wrote(writtenByProbe(probe, shards, load.shards));
    const seen = windows.map((window, i) => stepOf(context, window, probe.unitRates[i] ?? 0, shards));
    if (risk !== null) return { steps: withRisk(seen, isWhole), risk: risk.detail };
    requireOwnSignals(context, probe, windows, shards);
    await settle(context);
    return { steps: isWhole ? seen : [], risk: null };
  } catch (error) {
    await Promise.all([load.trial.abandon(), poller.stop()]);
    throw error;
  } finally {
    guard.stop();
  }
}

interface WatchedSteps {
  /** In order; the last is cut short when there is a risk. */
  readonly windows: readonly Window[];
  readonly risk: ClusterRisk | null;
}

/** Waits step by step; ends after the first whose idle is under the limit, or whose queues run away, or at once at a risk. */
async function watchSteps(
  context: RunContext,
  probe: RunProbe,
  load: OfferedLoad,
  watch: LoadWatch,
): Promise<WatchedSteps> {
  const windows: Window[] = [];
  for (const [i, unitRate] of probe.unitRates.entries()) {
    const stepAtMs = load.startAtMs + probe.warmUpMs + i * probe.stepMs;
    const window = { startAtMs: stepAtMs + STEP_RUN_IN_MS, endAtMs: stepAtMs + probe.stepMs };
    let seen = await watch.look(() => null);
    while (seen.risk === null && seen.nowMs < window.endAtMs + 100) seen = await watch.look(() => null);
    if (seen.risk) {
      const startAtMs = Math.min(window.startAtMs, Math.max(load.startAtMs, seen.nowMs - STEP_RUN_IN_MS));
      return { windows: [...windows, { startAtMs, endAtMs: seen.nowMs }], risk: seen.risk };
    }
    windows.push(window);
    const idle = worstIdle(context, window);
    if (isPastBoundary({ unitRate, idle, ackedShare: 1 }, context.config.thresholds.idleRatio)) break;
    // Acked counts come with the final report; a queue of a whole second tells as much while it runs.
    const queued = seen.ticks.reduce((sum, ticks) => sum + (ticks.at(-1)?.queued ?? 0), 0);
    if (queued > probe.np * unitRate * RUNAWAY_QUEUE_SECONDS) break;
  }
  return { windows, risk: null };
}

/** The step under way when the load was stopped is too much; what was lost of its shards does not make it less so. */
function withRisk(steps: readonly ProbeStep[], isWhole: boolean): readonly ProbeStep[] {
  const last = steps.at(-1);
  return last ? [...(isWhole ? steps.slice(0, -1) : []), { ...last, isAtRisk: true }] : [];
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
  const bytes = sentBytesPerMessage(shards) ?? messageBytes;
  const stranger = findStranger(polls, { window, messageBytes: bytes, acked, brokerIds });
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
