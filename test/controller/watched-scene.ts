import type { ClusterRisk } from '../../boundary/cluster-risk.ts';
import type { TrialPlan } from '../../boundary/trial.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import type { OfferedLoad } from '../../src/controller/offer-load.ts';
import type { RunContext } from '../../src/controller/run-context.ts';
import type { RunEvent } from '../../src/controller/run-event.ts';
import type { WatchRequest } from '../../src/controller/watch-window.ts';
import { evidenceOf, type Scene } from '../boundary/evidence.ts';

/** What happens under a load beside what the brokers show, seconds after its start. */
export interface Happening {
  readonly risk?: { readonly after: number; readonly risk: ClusterRisk };
  readonly shardLostAfter?: number;
}

/** Seconds that a look takes: no test waits for them. */
const LOOK_SECONDS = 0.5;

/** A load on three made-up brokers, watched as fast as the machine can; second 1 of the scene is the first of the load. */
export function watchedScene(scene: Scene, plan: Partial<TrialPlan>, happening: Happening = {}) {
  const evidence = evidenceOf({ seconds: 200, ...scene });
  const loadAtMs = evidence.window.startAtMs;
  const told: RunEvent[] = [];
  let nowMs = loadAtMs;
  const polls = () => evidence.polls.filter((poll) => poll.atMs <= nowMs - 50);
  const secondsIn = () => (nowMs - loadAtMs) / 1_000;
  const watch: WatchRequest['watch'] = {
    look: async (stageAt) => {
      nowMs += LOOK_SECONDS * 1_000;
      stageAt(nowMs);
      return {
        nowMs,
        polls: polls(),
        ticks: evidence.shards.map(({ ticks }) => ticks.filter(({ atMs }) => atMs <= nowMs - 1_200)),
        readerTicks: [],
        hasLostShard: secondsIn() >= (happening.shardLostAfter ?? Number.POSITIVE_INFINITY),
        throttleMs: 0,
        risk: happening.risk && secondsIn() >= happening.risk.after ? happening.risk.risk : null,
      };
    },
    lastPolls: async (endAtMs) => {
      nowMs = Math.max(nowMs, endAtMs + 100);
    },
  };
  const context = {
    config: loadConfig({ env: {}, flags: {}, folder: '/' }),
    signals: 'brokers',
    watchedIds: [1, 2, 3],
    timing: { pollMs: 1_000, leastWindowMs: 4_000, endReadingMs: 0 },
    poller: { polls },
    // Nobody waits for the tail of the load.
    queue: { clock: () => ({ nowMs: () => nowMs + 60_000 }) },
    signal: new AbortController().signal,
    observe: (event: RunEvent) => void told.push(event),
  } as unknown as RunContext;
  const request: WatchRequest = {
    plan: { ...evidence.plan, windowMs: 15_000, ...plan },
    load: { startAtMs: loadAtMs } as OfferedLoad,
    watch,
    underReplicatedBefore: evidence.underReplicatedBefore,
    mostWindowMs: Number.POSITIVE_INFINITY,
  };
  return { context, request, told, loadAtMs };
}

/** A window in seconds since the load's start. */
export function secondsOf(window: { startAtMs: number; endAtMs: number } | null, loadAtMs: number) {
  return window && [(window.startAtMs - loadAtMs) / 1_000, (window.endAtMs - loadAtMs) / 1_000];
}
