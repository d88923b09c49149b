import { describe, expect, it } from 'vitest';
import { reasonToStopEarly } from '../../boundary/early-stop.ts';
import { judgeTrial } from '../../boundary/judge-trial.ts';
import { DEFAULT_THRESHOLDS } from '../../boundary/verdict.ts';
import { evidenceOf, type Scene } from './evidence.ts';

/** What is known `second` seconds into the window of a scene. */
function reasonAt(scene: Scene, second: number, so: { hasLostShard?: boolean; throttleMs?: number } = {}) {
  const { window, polls, pollIntervalMs, underReplicatedBefore } = evidenceOf(scene);
  const nowMs = window.startAtMs + second * 1_000;
  return reasonToStopEarly(
    {
      window,
      nowMs,
      polls: polls.filter((poll) => poll.atMs <= nowMs),
      pollIntervalMs,
      underReplicatedBefore,
      hasLostShard: so.hasLostShard ?? false,
      throttleMs: so.throttleMs ?? 0,
    },
    DEFAULT_THRESHOLDS,
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
