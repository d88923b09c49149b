import { setTimeout as sleep } from 'node:timers/promises';
import { judgeTrial } from '../../boundary/judge-trial.ts';
import type { LoadSchedule } from '../../boundary/load-schedule.ts';
import type { ReaderReport, ShardReport, TrialEvidence, TrialPlan, Window } from '../../boundary/trial.ts';
import type { Verdict } from '../../boundary/verdict.ts';
import { abortable } from './abortable.ts';
import { checkCluster, requireWell } from './cluster-check.ts';
import { type LoadLength, loadLength, trialLoad, writtenBy } from './load-room.ts';
import { LoadWatch } from './load-watch.ts';
import { type OfferedLoad, offerLoad, reportDeadlineMs } from './offer-load.ts';
import { RiskGuard } from './risk-guard.ts';
import type { RunContext } from './run-context.ts';
import { settle } from './settle.ts';
import { watchHold } from './watch-hold.ts';
import { type WatchedLoad, watchWindow } from './watch-window.ts';

const OFFSET_TRIES = 5;
const OFFSET_PAUSE_MS = 300;
const LEVEL_TRIES = 3;
const LEVEL_PAUSE_MS = 700;

export interface FinishedTrial {
  readonly evidence: TrialEvidence;
  readonly verdict: Verdict;
  /** Of a hold: how long it was sustained, seconds; null for other trials. */
  readonly heldSeconds: number | null;
  /** What the load put at risk, so that no more may be offered; null when nothing. */
  readonly risk: string | null;
}

/**
 * Runs one trial: load, warm-up, window or hold, drain, settle; gathers the evidence and has it judged. A load that puts
 * the cluster at risk is stopped at once.
 * @throws PlimsollError when the run cannot go on (a broker stays away, Redis is lost, no worker is left, Ctrl-C).
 */
export async function runTrial(context: RunContext, plan: TrialPlan): Promise<FinishedTrial> {
  const troubleBefore = await requireWell(context);
  const { poller, queue, kafka } = context;
  await queue.resync();
  const { topic, mostMessages } = await context.topicFor(trialLoad(context, plan));
  const length = loadLength(context, plan, mostMessages);
  const underReplicatedBefore = await readUnderReplicated(context);
  const offsetsBefore = await sumOfOffsets(context, topic);
  const schedule: LoadSchedule = [{ durationMs: length.loadMs, unitRate: plan.unitRate }];
  const { np, messageBytes } = plan;
  const load = await offerLoad(context, { topic, np, messageBytes, schedule, isTimed: true });
  if ('lost' in load) return withoutLoad(context, plan, topic.name, load.lost);
  const guard = new RiskGuard(context, troubleBefore);
  const { watched, shards, readers } = await underLoad(context, {
    plan,
    length,
    load,
    guard,
    underReplicatedBefore,
  });
  context.wrote(writtenBy(plan, length.loadMs, shards, load.shards));
  const { window, risk, pacedBy } = watched;
  const polls = poller.polls();
  const cluster = await checkCluster(context, topic.name);
  const isWhole = cluster.expectedBrokerIds.every((id) => cluster.answeringBrokerIds.includes(id));
  // A broker that is gone does not come to rest, and its offsets only time out: the trial is invalid in any case. After a
  // risk no other load follows.
  if (isWhole && risk === null && !(await settle(context))) {
    context.observe({ type: 'warning', text: 'the brokers did not come to rest within the settle time' });
  }
  const clockErrorMs = queue.clock().errorMs;
  // A clock that was set under the trial may have parted controller and workers.
  const clockMovedMs = await queue.resync();
  const offsetsAfter = isWhole ? await sumOfOffsets({ kafka }, topic) : null;
  const evidence: TrialEvidence = {
    plan,
    window,
    shards,
    shardsExpected: load.shards,
    ...(load.readers === 0 ? {} : { readers, readersExpected: load.readers }),
    polls,
    signals: context.signals,
    pollIntervalMs: context.timing.pollMs,
    underReplicatedBefore,
    cluster,
    endOffsetGrowth: offsetsBefore === null || offsetsAfter === null ? null : offsetsAfter - offsetsBefore,
    clockErrorMs: clockErrorMs + clockMovedMs,
    ...(context.restingBytesInPerSecond === null
      ? {}
      : { restingBytesInPerSecond: context.restingBytesInPerSecond }),
    ...(risk === null ? {} : { risk }),
    ...(pacedBy === null ? {} : { pacedBy }),
  };
  const verdict = judgeTrial(evidence, context.config.thresholds);
  return { evidence, verdict, heldSeconds: heldFor(watched, verdict), risk: risk?.detail ?? null };
}

/** A hold that is sustained lasted to its end, also when its last slice alone was not carried. */
function heldFor({ heldSeconds, window }: WatchedLoad, verdict: Verdict): number | null {
  if (heldSeconds === null) return null;
  return verdict.kind === 'sustained' ? (window.endAtMs - window.startAtMs) / 1_000 : heldSeconds;
}

interface LoadPhase {
  readonly plan: TrialPlan;
  readonly length: LoadLength;
  readonly load: OfferedLoad;
  readonly guard: RiskGuard;
  readonly underReplicatedBefore: Readonly<Record<string, number>>;
}

/** What a load was measured over, and what its shards told at the end. */
interface LoadSeen {
  readonly watched: WatchedLoad;
  readonly shards: readonly ShardReport[];
  readonly readers: readonly ReaderReport[];
}

/** From the common start to the last report. Whatever happens, the load is stopped, and poller and guard too. */
async function underLoad(
  context: RunContext,
  { plan, length, load, guard, underReplicatedBefore }: LoadPhase,
): Promise<LoadSeen> {
  const { poller } = context;
  const { trial, startAtMs } = load;
  poller.mark();
  poller.start(startAtMs);
  guard.start();
  try {
    const watch = new LoadWatch(context, load, guard);
    const request = { plan, load, watch, underReplicatedBefore, mostWindowMs: length.windowMs };
    const watched = await (plan.purpose === 'hold' ? watchHold : watchWindow)(context, request);
    await trial.stop(watched.window);
    await (watched.risk === null ? lateReadings(context, watched.window) : poller.stop());
    const outcomes = await abortable(trial.outcomes(reportDeadlineMs(context)), context.signal);
    for (const outcome of outcomes) {
      if (outcome.kind === 'lost') {
        context.observe({ type: 'warning', text: `shard ${outcome.shard} is lost: ${outcome.reason}` });
      }
    }
    return {
      watched,
      shards: outcomes.flatMap((outcome) => (outcome.kind === 'report' ? [outcome.report] : [])),
      readers: outcomes.flatMap((outcome) => (outcome.kind === 'readers' ? [outcome.report] : [])),
    };
  } catch (error) {
    await Promise.all([trial.abandon(), poller.stop()]);
    throw error;
  } finally {
    guard.stop();
  }
}

/**
 * Looks on until every broker has answered once after the window: one whose page failed exactly because of the overload
 * still tells, when it answers within the settle time, what it has counted meanwhile.
 */
async function lateReadings({ poller, queue, config }: RunContext, window: Window): Promise<void> {
  await poller.finish(window.endAtMs, queue.clock().nowMs() + config.trial.settleTimeoutMs);
}

/** A trial whose load never came together: invalid, and nothing was measured. */
async function withoutLoad(
  context: RunContext,
  plan: TrialPlan,
  topicName: string,
  reason: string,
): Promise<FinishedTrial> {
  context.observe({ type: 'warning', text: reason });
  const nowMs = context.queue.clock().nowMs();
  const evidence: TrialEvidence = {
    plan,
    window: { startAtMs: nowMs, endAtMs: nowMs },
    shards: [],
    shardsExpected: 1,
    polls: [],
    signals: context.signals,
    pollIntervalMs: context.timing.pollMs,
    underReplicatedBefore: {},
    cluster: await checkCluster(context, topicName),
    endOffsetGrowth: null,
    clockErrorMs: context.queue.clock().errorMs,
  };
  return {
    evidence,
    verdict: { kind: 'invalid', reason: 'shard lost', detail: reason },
    heldSeconds: null,
    risk: null,
  };
}

/** Under-replicated partitions by broker id; a broker whose page stays away is left out, which spoils the trial. */
async function readUnderReplicated(context: RunContext): Promise<Record<string, number>> {
  const level: Record<string, number> = {};
  for (let attempt = 1; attempt <= LEVEL_TRIES; attempt++) {
    if (attempt > 1) await sleep(LEVEL_PAUSE_MS, undefined, { signal: context.signal });
    for (const poll of await context.poller.pollOnce()) {
      if (poll.kind === 'reading') level[String(poll.brokerId)] = poll.underReplicatedPartitions ?? 0;
    }
    if (context.watchedIds.every((id) => level[String(id)] !== undefined)) break;
  }
  return level;
}

async function sumOfOffsets(
  { kafka }: Pick<RunContext, 'kafka'>,
  topic: { readonly name: string; readonly partitions: number },
): Promise<number | null> {
  for (let attempt = 1; attempt <= OFFSET_TRIES; attempt++) {
    try {
      const offsets = await kafka.endOffsets(topic.name, topic.partitions);
      return offsets.reduce((sum, offset) => sum + offset, 0);
    } catch {
      // A broker can learn of a new topic a moment after the controller has named it the leader.
      await sleep(OFFSET_PAUSE_MS);
    }
  }
  // Unknown offsets are evidence of their own: the trial cannot be reconciled.
  return null;
}
