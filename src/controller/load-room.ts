import type { RunProbe } from '../../boundary/search/search.ts';
import type { ShardReport, TrialPlan } from '../../boundary/trial.ts';
import type { PlannedLoad, WrittenLoad } from './disk-guard.ts';
import type { RunContext } from './run-context.ts';
import { fittedWindowMs, type SignalTiming } from './signal-timing.ts';
import { longestWindowMs } from './watch-window.ts';
import { LONGEST_WARM_UP } from './window-start.ts';

/** A hold is worth something from here on, ms. */
const SHORTEST_HOLD_MS = 60_000;

/** The last statistics, and the stop that reaches the shards, ms. */
const TAIL_MS = 2_000;

/** What a load takes beside its window at the most: warm-up, readings at the edges, tail; ms. */
export function aroundWindowMs(warmUpMs: number, { pollMs, endReadingMs }: SignalTiming): number {
  return LONGEST_WARM_UP * warmUpMs + 2 * pollMs + endReadingMs + TAIL_MS;
}

/** What a trial asks of the brokers' disks: its window at the least, however late that starts. */
export function trialLoad({ timing }: Pick<RunContext, 'timing'>, plan: TrialPlan): PlannedLoad {
  const messagesPerSecond = plan.np * plan.unitRate;
  const leastWindowMs = plan.purpose === 'hold' ? Math.min(plan.windowMs, SHORTEST_HOLD_MS) : plan.windowMs;
  const leastMs = aroundWindowMs(plan.warmUpMs, timing) + fittedWindowMs(leastWindowMs, timing);
  return {
    messageBytes: plan.messageBytes,
    messagesPerSecond,
    leastMessages: (messagesPerSecond * leastMs) / 1_000,
  };
}

/** How long the load of a trial may last, ms. */
export interface LoadLength {
  /** All of it: the end of its schedule. */
  readonly loadMs: number;
  /** The window, also when the verdict is undecided. */
  readonly windowMs: number;
}

/** The longest that a trial may need, as far as the disks have room. @param mostMessages what they can take. */
export function loadLength(
  context: Pick<RunContext, 'config' | 'timing'>,
  plan: TrialPlan,
  mostMessages: number,
): LoadLength {
  const aroundMs = aroundWindowMs(plan.warmUpMs, context.timing);
  const roomMs = (mostMessages / (plan.np * plan.unitRate)) * 1_000;
  const windowMs = Math.min(longestWindowMs(context, plan), roomMs - aroundMs);
  return { loadMs: aroundMs + windowMs, windowMs };
}

/** What a trial has written, at most: all that its schedule may have sent when a shard does not tell. */
export function writtenBy(
  plan: Pick<TrialPlan, 'np' | 'unitRate' | 'messageBytes'>,
  loadMs: number,
  shards: readonly ShardReport[],
  shardsExpected: number,
): WrittenLoad {
  const seconds = loadMs / 1_000;
  const messages =
    shards.length < shardsExpected
      ? plan.np * plan.unitRate * seconds
      : shards.reduce((sum, { accepted }) => sum + accepted, 0);
  return { messageBytes: plan.messageBytes, messages, seconds };
}

/** What a probe asks of the disks: its first step at the least. */
export function probeLoad({ np, unitRates, warmUpMs, stepMs, messageBytes }: RunProbe): PlannedLoad {
  const first = unitRates[0] ?? 0;
  return {
    messageBytes,
    messagesPerSecond: np * Math.max(...unitRates),
    leastMessages: (np * first * (warmUpMs + stepMs)) / 1_000,
  };
}

/** The probe without the steps that the disks could not take. */
export function fittedProbe(probe: RunProbe, mostMessages: number): RunProbe {
  const { np, unitRates, warmUpMs, stepMs } = probe;
  let messages = (np * (unitRates[0] ?? 0) * warmUpMs) / 1_000;
  const fitting = unitRates.filter((unitRate) => {
    messages += (np * unitRate * stepMs) / 1_000;
    return messages <= mostMessages;
  });
  return { ...probe, unitRates: fitting.length > 0 ? fitting : unitRates.slice(0, 1) };
}

/** The same of a probe. */
export function writtenByProbe(
  { np, unitRates, warmUpMs, stepMs, messageBytes }: RunProbe,
  shards: readonly ShardReport[],
  shardsExpected: number,
): WrittenLoad {
  const seconds = (warmUpMs + unitRates.length * stepMs) / 1_000;
  const plan = { np, unitRate: Math.max(...unitRates), messageBytes };
  return writtenBy(plan, seconds * 1_000, shards, shardsExpected);
}
