import { describe, expect, it } from 'vitest';
import { type EarlyTrust, reasonToStopEarly } from '../../boundary/early-stop.ts';
import { judgeTrial } from '../../boundary/judge-trial.ts';
import { DEFAULT_THRESHOLDS } from '../../boundary/verdict.ts';
import { evidenceOf, type Scene } from './evidence.ts';
import { readBy, readerOf } from './readers.ts';

const NO_TRUST: EarlyTrust = { overloaded: false, sustained: false, sustainedAfterMs: 0 };
const TRUST: EarlyTrust = { overloaded: true, sustained: true, sustainedAfterMs: 0 };

/** What is known `second` seconds into the window of a scene. */
function reasonAt(
  scene: Scene,
  second: number,
  so: {
    hasLostShard?: boolean;
    throttleMs?: number;
    trust?: EarlyTrust;
    watchedIds?: number[];
    latencyP99Ms?: number;
  } = {},
) {
  const { window, polls, pollIntervalMs, underReplicatedBefore, shards, readers } = evidenceOf(scene);
  const nowMs = window.startAtMs + second * 1_000;
  return reasonToStopEarly(
    {
      window,
      nowMs,
      polls: polls.filter((poll) => poll.atMs <= nowMs),
      pollIntervalMs,
      underReplicatedBefore,
      watchedIds: so.watchedIds ?? [1, 2, 3],
      // A tick is a good second late.
      ticks: shards.map(({ ticks }) => ticks.filter(({ atMs }) => atMs <= nowMs - 1_200)),
      readerTicks: (readers ?? []).map(({ ticks }) => ticks.filter(({ atMs }) => atMs <= nowMs - 1_800)),
      hasLostShard: so.hasLostShard ?? false,
      throttleMs: so.throttleMs ?? 0,
      trust: so.trust ?? NO_TRUST,
    },
    { ...DEFAULT_THRESHOLDS, latencyP99Ms: so.latencyP99Ms ?? null },
  );
}

describe('reasonToStopEarly', () => {
  const cases: readonly (readonly [why: string, scene: Scene, second: number, expected: string | null])[] = [
    ['healthy: a later overload is still possible', {}, 9, null],
    ['idle 0.02 at 8 s: 2 s of full idle still lift the mean to 0.216', { idle: () => 0.02 }, 8, null],
    ['idle 0.02 at 9 s: at most 0.118', { idle: () => 0.02 }, 9, 'broker 1'],
    [
      'missed polls: the page that comes late may still show an overload',
      { missed: (id: number, s: number) => id === 2 && s > 1 },
      9,
      null,
    ],
    ['churn in each of the first 6 s is over half of the window', { underReplicated: () => 1 }, 6, 'in-sync'],
    ['churn in each of the first 4 s may still stay under half', { underReplicated: () => 1 }, 4, null],
  ];

  it.each(cases)('%s', (_why, scene, second, expected) => {
    const reason = reasonAt(scene, second);
    if (expected === null) expect(reason).toBeNull();
    else expect(reason).toContain(expected);
  });

  it('stops for a lost shard and for a quota', () => {
    expect(reasonAt({}, 2, { hasLostShard: true })).toContain('shard');
    expect(reasonAt({}, 2, { throttleMs: 5 })).toContain('quota');
  });

  it('never stops a trial whose full window says otherwise', () => {
    for (const low of [0.05, 0.1, 0.15, 0.19]) {
      for (let turn = 1; turn <= 10; turn++) {
        const scene: Scene = { idle: (_, second) => (second <= turn ? low : 1) };
        const stopped = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].some((second) => reasonAt(scene, second) !== null);
        if (stopped) expect(judgeTrial(evidenceOf(scene), DEFAULT_THRESHOLDS).kind).toBe('overloaded');
      }
    }
  });
});

describe('reasonToStopEarly, beyond doubt', () => {
  const busy = { idle: (id: number) => (id === 2 ? 0.02 : 0.5), seconds: 30 };
  const calm = { idle: () => 0.7, seconds: 30 };
  const cases: readonly (readonly [
    why: string,
    scene: Scene,
    second: number,
    trust: Partial<EarlyTrust>,
    expected: string | null,
  ])[] = [
    ['one broker of three is at 2 %: 7 s tell', busy, 7, {}, 'broker 2 is under 20 % idle'],
    ['three looks are too few', busy, 3, {}, null],
    ['a reference is compared with another trial', busy, 7, { overloaded: false }, null],
    ['all at 70 %: 6 s tell', calm, 6, {}, 'every broker is over'],
    ['a bound is confirmed over the whole window', calm, 6, { sustained: false }, null],
    ['a follower would not have left yet', calm, 6, { sustainedAfterMs: 8_000 }, null],
    ['... and now it would', calm, 9, { sustainedAfterMs: 8_000 }, 'every broker is over'],
    [
      'consumers keep up',
      { ...calm, evidence: readBy(readerOf({ seconds: 30 })) },
      8,
      {},
      'every broker is over',
    ],
    [
      'a group falls behind by 2 %',
      { ...calm, evidence: readBy(readerOf({ seconds: 30, lag: (s) => 20 * s })) },
      9,
      {},
      null,
    ],
    ['no lag is known', { ...calm, evidence: readBy(readerOf({ lag: () => null })) }, 9, {}, null],
    ['near the limit nothing ends early', { idle: () => 0.22, seconds: 30 }, 29, {}, null],
    ['a broker was not seen for a second', { ...calm, missed: (id, s) => id === 3 && s === 4 }, 9, {}, null],
    ['a broker was never seen', { ...calm, missed: (id) => id === 3 }, 9, {}, null],
    ['a follower left', { ...calm, shrinks: (_, s) => (s > 3 ? 1 : 0) }, 9, {}, null],
    ['a queue grows by 0.7 % of the load', { ...calm, ackedShare: 0.993 }, 9, {}, null],
    [
      'a moving average holds the looks before it',
      { ...calm, meter: () => ({ countNs: null, meanRate: null, oneMinuteRate: 0.7 }) },
      29,
      {},
      null,
    ],
    [
      'a controller in the same process leaves the bounds of 10 % at 22 %',
      {
        idle: () => 1.05,
        meter: () => ({ pool: 'sum of broker and controller' }),
        hasRequests: false,
        seconds: 30,
      },
      10,
      {},
      null,
    ],
  ];

  it.each(cases)('%s', (_why, scene, second, trust, expected) => {
    const reason = reasonAt(scene, second, { trust: { ...TRUST, ...trust } });
    if (expected === null) expect(reason).toBeNull();
    else expect(reason).toContain(expected);
  });

  it('never ends a run without signals: delivery alone is no such number', () => {
    expect(reasonAt(calm, 20, { trust: TRUST, watchedIds: [] })).toBeNull();
  });

  it('does not call a load sustained whose latency nobody knows yet, when that has a limit', () => {
    expect(reasonAt(calm, 9, { trust: TRUST, latencyP99Ms: 100 })).toBeNull();
    expect(reasonAt(busy, 9, { trust: TRUST, latencyP99Ms: 100 })).toContain('broker 2');
  });

  it('needs a tick of every shard to say that nothing queues', () => {
    expect(reasonAt({ ...calm, shard: { ticks: [] } }, 9, { trust: TRUST })).toBeNull();
  });

  it('what it stops is judged so by the rules over the shorter window', () => {
    for (const idle of [0.05, 0.1, 0.3, 0.5, 0.9]) {
      const scene: Scene = { idle: () => idle, seconds: 30 };
      const second = Array.from({ length: 30 }, (_, i) => i + 1).find((s) =>
        reasonAt(scene, s, { trust: TRUST }),
      );
      expect(second).toBeLessThan(30);
      const cut = judgeTrial(evidenceOf({ ...scene, seconds: second ?? 0 }), DEFAULT_THRESHOLDS);
      expect(cut.kind).toBe(idle < 0.2 ? 'overloaded' : 'sustained');
    }
  });
});
