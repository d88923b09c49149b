import { describe, expect, it } from 'vitest';
import {
  endingStretch,
  type HoldSoFar,
  heldSeconds,
  type SliceState,
  sliceState,
  slicesOf,
} from '../../boundary/hold-slice.ts';
import { judgeTrial } from '../../boundary/judge-trial.ts';
import type { Window } from '../../boundary/trial.ts';
import { DEFAULT_THRESHOLDS } from '../../boundary/verdict.ts';
import { evidenceOf, type Scene } from './evidence.ts';
import { readBy, readerOf } from './readers.ts';

const SLICE_MS = 10_000;

/** A hold of 30 s whose second slice is what the row tells of. */
function holdOf(scene: Scene): { so: HoldSoFar; slices: Window[]; slice: Window } {
  const evidence = evidenceOf({ seconds: 30, ...scene });
  const { signals, polls, pollIntervalMs, underReplicatedBefore, shards, window } = evidence;
  const ticks = shards.map((shard) => shard.ticks);
  const slices = slicesOf(window, SLICE_MS);
  const readerTicks = (evidence.readers ?? []).map((reader) => reader.ticks);
  const watchedIds = [1, 2, 3];
  const so = { signals, watchedIds, polls, pollIntervalMs, underReplicatedBefore, ticks, readerTicks };
  return { so, slices, slice: slices[1] ?? window };
}

const inSecond = (second: number) => second > 10 && second <= 20;

describe('sliceState', () => {
  const cases: readonly (readonly [why: string, scene: Scene, expected: SliceState])[] = [
    ['healthy', {}, 'carried'],
    [
      'one broker is under the limit',
      { idle: (id, s) => (id === 3 && inSecond(s) ? 0.1 : 0.5) },
      'overloaded',
    ],
    ['another slice was bad', { idle: (_, s) => (inSecond(s) ? 0.5 : 0.1) }, 'carried'],
    ['a reading spans the limit', { idle: () => 0.201, hasRequests: false }, 'carried'],
    [
      'followers are missing for 6 s of 10',
      { underReplicated: (_, s) => (s > 12 && s <= 18 ? 1 : 0) },
      'overloaded',
    ],
    [
      'followers are missing for 3 s of 10',
      { underReplicated: (_, s) => (s > 12 && s <= 15 ? 1 : 0) },
      'carried',
    ],
    ['half of the messages come back', { ackedShare: 0.5 }, 'overloaded'],
    ['a broker is not seen', { missed: (id, s) => id === 1 && inSecond(s) }, 'unknown'],
    ['no tick came', { shard: { ticks: [] } }, 'unknown'],
    ['consumers keep up', { evidence: readBy(readerOf({ seconds: 30 })) }, 'carried'],
    [
      'a group falls behind in it',
      { evidence: readBy(readerOf({ seconds: 30, lag: (s) => (inSecond(s) ? 50 * s : 0) })) },
      'overloaded',
    ],
    [
      'a group fell behind before',
      { evidence: readBy(readerOf({ seconds: 30, lag: (s) => 50 * Math.min(s, 10) })) },
      'carried',
    ],
    ['no lag is known', { evidence: readBy(readerOf({ seconds: 30, lag: () => null })) }, 'unknown'],
    ['without signals delivery alone tells', { evidence: { signals: 'none', polls: [] } }, 'carried'],
    [
      '... and nothing without it',
      { evidence: { signals: 'none', polls: [] }, shard: { ticks: [] } },
      'unknown',
    ],
  ];

  it.each(cases)('%s -> %s', (_why, scene, expected) => {
    const { so, slice } = holdOf(scene);
    expect(sliceState(slice, so, DEFAULT_THRESHOLDS)).toBe(expected);
  });
});

describe('slicesOf', () => {
  it.each([
    [30, [10, 10, 10], 'whole slices'],
    [37, [10, 10, 17], 'the rest belongs to the last one'],
    [7, [7], 'a hold shorter than a slice'],
  ])('of %i s: %j (%s)', (seconds, expected) => {
    const hold = { startAtMs: 5_000, endAtMs: 5_000 + seconds * 1_000 };
    const slices = slicesOf(hold, SLICE_MS);
    expect(slices.map(({ startAtMs, endAtMs }) => (endAtMs - startAtMs) / 1_000)).toEqual(expected);
    expect(slices.at(-1)?.endAtMs).toBe(hold.endAtMs);
  });
});

/** Follows a hold of 60 s slice by slice until it ends. */
function follow(scene: Scene) {
  const { so, slices } = holdOf({ seconds: 60, ...scene });
  const held: { window: Window; state: SliceState }[] = [];
  for (const window of slices) {
    held.push({ window, state: sliceState(window, so, DEFAULT_THRESHOLDS) });
    const stretch = endingStretch(held, so, DEFAULT_THRESHOLDS);
    if (stretch) return { stretch, seconds: heldSeconds(held) };
  }
  return { stretch: null, seconds: heldSeconds(held) };
}

describe('endingStretch', () => {
  it.each([
    ['carried to the end', {}, null, 60],
    [
      'one noisy slice is no drop',
      { idle: (_: number, s: number) => (s > 20 && s <= 30 ? 0.1 : 0.5) },
      null,
      60,
    ],
    ['credits run out after 30 s', { idle: (_: number, s: number) => (s > 30 ? 0.1 : 0.5) }, 30, 30],
    ['overloaded from the start', { idle: () => 0.1 }, 0, 0],
    [
      'two reasons that take turns and are none together',
      {
        idle: (_: number, s: number) => (s > 20 && s <= 30 ? 0.15 : 0.6),
        underReplicated: (_: number, s: number) => (s > 30 && s <= 36 ? 1 : 0),
      },
      null,
      60,
    ],
    ['nobody sees a broker any more', { missed: (id: number, s: number) => id === 1 && s > 30 }, 30, 30],
  ] as const)('%s', (_why, scene, fromSecond, seconds) => {
    const { stretch, seconds: held } = follow(scene);
    const startAtMs = evidenceOf({}).window.startAtMs;
    expect(stretch ? (stretch.startAtMs - startAtMs) / 1_000 : null).toBe(fromSecond);
    if (stretch) expect(stretch.endAtMs - stretch.startAtMs).toBe(2 * SLICE_MS);
    expect(held).toBe(seconds);
  });

  it('is what the rules of a trial say of these two slices', () => {
    const scene: Scene = { idle: (_, s) => (s > 30 ? 0.1 : 0.5), seconds: 60 };
    const { stretch } = follow(scene);
    const evidence = { ...evidenceOf(scene), ...(stretch ? { window: stretch } : {}) };
    expect(judgeTrial(evidence, DEFAULT_THRESHOLDS)).toMatchObject({
      kind: 'overloaded',
      rule: 'request-handler idle',
    });
  });
});
