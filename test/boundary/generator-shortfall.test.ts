import { describe, expect, it } from 'vitest';
import { generatorLimit } from '../../boundary/generator-shortfall.ts';
import type { ShardReport, ShardTick } from '../../boundary/trial.ts';
import { DEFAULT_THRESHOLDS } from '../../boundary/verdict.ts';
import { evidenceOf, type Scene } from './evidence.ts';

/** The evidence's shard offers 1000 messages/s over 10 s. */
const { window } = evidenceOf();
const fullQueue = { queued: 5_000 };
const busy = { busiestThreadRatio: 0.98, cpuWaitRatio: 0.02, cpuCores: 0.97 };
const starved = { busiestThreadRatio: 0.99, cpuWaitRatio: 0.88, cpuCores: 0.1 };
const relaxed = { busiestThreadRatio: 0.4, cpuWaitRatio: 0.1, cpuCores: 0.5 };
const always = (tick: Partial<ShardTick>) => () => tick;

const limitOf = (...scenes: readonly Scene[]) =>
  generatorLimit(
    scenes.flatMap((scene) => evidenceOf(scene).shards),
    window,
    DEFAULT_THRESHOLDS,
  );

describe('the generator was not the limit', () => {
  const rows: readonly (readonly [why: string, scene: Scene])[] = [
    ['all was handed over in time', {}],
    ['a starved process that keeps its pace carries its load all the same', { tick: always(starved) }],
    [
      'short, but its queues are full and its threads have time to spare: the brokers hold it back',
      { acceptedShare: 0.8, tick: always({ ...fullQueue, ...relaxed }) },
    ],
    [
      'acknowledgements stay away while its threads wait for them',
      { ackedShare: 0.8, tick: always({ ...fullQueue, ...relaxed }) },
    ],
    ['99.5 % is within what the rule allows', { acceptedShare: 0.995 }],
    [
      'late once in ten seconds, as after a pause of the host',
      { tick: (second) => ({ pacerLateMs: second === 5 ? 900 : 2 }) },
    ],
    [
      'one second of a busy thread may be chance',
      { acceptedShare: 0.9, tick: (second) => ({ ...fullQueue, ...(second === 3 ? busy : relaxed) }) },
    ],
    [
      'a thread that often waits for a core, and has some time to spare even so',
      {
        acceptedShare: 0.9,
        tick: always({ ...fullQueue, busiestThreadRatio: 0.85, cpuWaitRatio: 0.6, cpuCores: 0.3 }),
      },
    ],
    [
      'two threads together use more than a core, and each has time to spare',
      { acceptedShare: 0.9, tick: always({ ...fullQueue, ...relaxed, cpuCores: 1.4 }) },
    ],
  ];
  it.each(rows)('%s', (_why, scene) => {
    expect(limitOf(scene)).toBeNull();
  });
});

describe('the generator was the limit', () => {
  const rows: readonly (readonly [why: string, scene: Scene, lacked: RegExp])[] = [
    [
      'short, queues near empty: the brokers took whatever came',
      { acceptedShare: 0.9 },
      /handed over 90\.0 % of the offered messages; its queues stayed near empty;/,
    ],
    [
      'its own queue is too small for the rate',
      { acceptedShare: 0.9, tick: (second) => ({ queueFull: (second + 3) * 40 }) },
      /its queues were full at 20 messages, under 0\.25 s of load \(queue\.buffering/,
    ],
    [
      'one thread runs flat out on a machine of many cores',
      { acceptedShare: 0.9, tick: always({ ...fullQueue, ...busy }), shard: { allowedCores: 8 } },
      /its process used 0\.97 of 8 cores;/,
    ],
    [
      'a quota of a tenth of a core: little CPU used, a thread that waits',
      { acceptedShare: 0.4, tick: always({ ...fullQueue, ...starved }), shard: { allowedCores: 0.1 } },
      /handed over 40\.0 %.*used 0\.10 of 0\.1 cores, and a thread waited for CPU for 88 % of the time;/,
    ],
    [
      'bound to a core that others use too',
      { acceptedShare: 0.9, tick: always({ ...fullQueue, ...starved, hostIdleRatio: 0.5 }) },
      /used 0\.10 cores, and a thread waited for CPU for 88 % of the time;/,
    ],
    [
      'on the machine of the brokers, which has nothing left',
      { acceptedShare: 0.9, tick: always({ ...fullQueue, ...starved, hostIdleRatio: 0.01 }) },
      /88 % of the time, its machine had none left;/,
    ],
    [
      'several threads share out all the cores that it may use',
      {
        acceptedShare: 0.9,
        tick: always({ ...fullQueue, busiestThreadRatio: 0.8, cpuCores: 1.96 }),
        shard: { allowedCores: 2 },
      },
      /its process used 1\.96 of 2 cores;/,
    ],
    [
      'no word of threads, as of a shard of an older version: a whole core is one that runs flat out',
      { acceptedShare: 0.9, tick: always({ ...fullQueue, cpuCores: 1.02 }) },
      /its process used 1\.02 cores;/,
    ],
    [
      'late in every second though it caught up',
      { tick: always({ pacerLateMs: 600, loopLagMs: 600 }) },
      /ran late in 100 % of the window; its event loop stalled for 600 ms;/,
    ],
    [
      'all handed over, but its threads had no time to send it or to hear of the answers',
      { ackedShare: 0.7, tick: always({ ...fullQueue, ...starved }) },
      /got 70\.0 % acknowledged; its process used 0\.10 cores/,
    ],
    ['no word from it', { shard: { ticks: [] } }, /no ticks in the window/],
  ];
  it.each(rows)('%s', (_why, scene, lacked) => {
    expect(limitOf(scene)).toMatch(lacked);
  });
});

describe('what would help', () => {
  const shard = (name: Partial<ShardReport>, acceptedShare: number): Scene => ({
    acceptedShare,
    shard: name,
  });
  const one = { shard: 0, workerId: 'w1' };
  const two = { shard: 1, workerId: 'w2' };
  it.each([
    [[shard(one, 0.9)], /^shard 0 of worker w1: .*; 1 more worker like it would do$/, 'a tenth is missing'],
    [[shard(one, 0.3)], /; 3 more workers like it would do$/, '7 tenths missing, 3 carried by one'],
    [
      [shard(one, 0.6), shard(two, 0.5)],
      /^shard 1 of worker w2 \(and 1 more of 2 shards\): .*; 2 more workers like it would do$/,
      'the shortest is named; 9 tenths missing, 5 carried by it',
    ],
    [
      [shard(one, 1), shard(two, 0.5)],
      /^shard 1 of worker w2: .*; 1 more worker like it would do$/,
      'the other one kept up',
    ],
    [
      [shard(one, 0.3), shard({ ...two, workerId: 'w1' }, 0.4)],
      /^shard 0 .*; 2 more workers like it would do$/,
      'both shards are of one worker, which carried 7 tenths of one of them: 13 are missing',
    ],
    [[shard(one, 0)], /give it more CPU, or add workers$/, 'nothing was carried: no number can be told'],
  ])('row %#: %s %s (%s)', (scenes, expected, _why) => {
    expect(limitOf(...scenes)).toMatch(expected);
  });
});
