import { setTimeout as sleep } from 'node:timers/promises';
import type { BrokerPoll } from '../../boundary/broker-reading.ts';
import type { ClusterRisk } from '../../boundary/cluster-risk.ts';
import type { ReaderTicks } from '../../boundary/consumer-lag.ts';
import { latestIdle } from '../../boundary/steadiness.ts';
import type { ReaderTick, ShardTick, Window } from '../../boundary/trial.ts';
import type { OfferedLoad } from './offer-load.ts';
import type { RiskGuard } from './risk-guard.ts';
import type { RunContext } from './run-context.ts';
import type { TrialStage } from './run-event.ts';

export const LOOK_MS = 250;
/** A shard that is silent this long is lost, ms. */
const SILENCE_MS = 5_000;
/** Beyond the time between two looks, the one at the edge of the window may take this long to arrive, ms. */
const LAST_POLL_MS = 500;

/** The display and the guard look at what is new: a hold has thousands of polls, ms. */
const NEWEST_MS = 60_000;

/** What is seen of a running load at one moment. */
export interface LoadView {
  readonly nowMs: number;
  readonly polls: readonly BrokerPoll[];
  /** Ticks of each shard of producers so far, by time; they come a good second late. */
  readonly ticks: readonly (readonly ShardTick[])[];
  /** Of each shard of consumers. */
  readonly readerTicks: ReaderTicks;
  readonly hasLostShard: boolean;
  /** Largest throttle time, ms. */
  readonly throttleMs: number;
  readonly risk: ClusterRisk | null;
}

/** Looks at a running load, keeps the ticks that its shards tell on the way, and shows how it goes. */
export class LoadWatch {
  readonly #context: RunContext;
  readonly #load: OfferedLoad;
  readonly #guard: RiskGuard;
  readonly #ticks = new TicksByShard<ShardTick>();
  readonly #readerTicks = new TicksByShard<ReaderTick>();

  constructor(context: RunContext, load: OfferedLoad, guard: RiskGuard) {
    this.#context = context;
    this.#load = load;
    this.#guard = guard;
  }

  /** Waits a moment, then looks. @param stageAt what to show; null while probing. */
  async look(stageAt: (nowMs: number) => TrialStage | null): Promise<LoadView> {
    const { queue, poller, signal, observe } = this.#context;
    await sleep(LOOK_MS, undefined, { signal });
    const progress = await this.#load.trial.progress();
    for (const { shard, kind, lastTick, lastRead } of progress) {
      if (kind === 'produce') this.#ticks.add(shard, lastTick);
      else this.#readerTicks.add(shard, lastRead);
    }
    const nowMs = queue.clock().nowMs();
    const polls = poller.polls();
    const newest = polls.filter(({ atMs }) => atMs >= nowMs - NEWEST_MS);
    observe({ type: 'polled', idleByBroker: latestIdle(newest), stage: stageAt(nowMs) });
    return {
      nowMs,
      polls,
      ticks: this.#ticks.all(),
      readerTicks: this.#readerTicks.all(),
      hasLostShard: progress.some((shard) => shard.silentMs > SILENCE_MS),
      throttleMs: Math.max(
        0,
        ...progress.map(({ lastTick, lastRead }) => (lastTick ?? lastRead)?.throttleMs ?? 0),
      ),
      risk: this.#guard.riskIn(newest),
    };
  }

  /** Waits until each broker's poll at an edge of a window is in, or clearly will not come. */
  async lastPolls(endAtMs: number): Promise<void> {
    const { queue, poller, timing, watchedIds, signal } = this.#context;
    const wantedAtMs = endAtMs + timing.endReadingMs;
    while (queue.clock().nowMs() < wantedAtMs + timing.pollMs + LAST_POLL_MS) {
      const polled = poller.polls().filter((poll) => poll.atMs >= wantedAtMs - 50);
      if (watchedIds.every((id) => polled.some((poll) => poll.brokerId === id))) return;
      await sleep(20, undefined, { signal });
    }
  }
}

export function stageOf(name: TrialStage['name'], span: Window, nowMs: number): TrialStage {
  return {
    name,
    elapsedSeconds: (nowMs - span.startAtMs) / 1_000,
    plannedSeconds: (span.endAtMs - span.startAtMs) / 1_000,
  };
}

/** The ticks that shards told on the way; each look sees the newest one only. */
class TicksByShard<Tick extends { readonly atMs: number }> {
  readonly #ticks = new Map<number, Tick[]>();

  /** @param newest null when the shard has told nothing yet. */
  add(shard: number, newest: Tick | null): void {
    const ticks = this.#ticks.get(shard) ?? [];
    this.#ticks.set(shard, ticks);
    if (newest && newest.atMs > (ticks.at(-1)?.atMs ?? 0)) ticks.push(newest);
  }

  all(): readonly (readonly Tick[])[] {
    return [...this.#ticks.values()];
  }
}
