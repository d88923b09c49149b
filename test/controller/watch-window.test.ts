import { describe, expect, it } from 'vitest';
import type { TrialPlan } from '../../boundary/trial.ts';
import { watchWindow } from '../../src/controller/watch-window.ts';
import type { Scene } from '../boundary/evidence.ts';
import { type Happening, secondsOf, watchedScene } from './watched-scene.ts';

const risk = { brokerId: 1, detail: 'broker 1 has 3 partitions under min ISR, 0 before the load' };

async function watch(scene: Scene, plan: Partial<TrialPlan>, happening: Happening = {}) {
  const { context, request, told, loadAtMs } = watchedScene(scene, plan, happening);
  const watched = await watchWindow(context, request);
  const steps = told.flatMap((event) => (event.type === 'step' ? [event.text] : []));
  return { ...watched, seconds: secondsOf(watched.window, loadAtMs), steps };
}

describe('watchWindow', () => {
  const cases: readonly (readonly [
    why: string,
    scene: Scene,
    plan: Partial<TrialPlan>,
    seconds: readonly number[],
  ])[] = [
    ['near the limit: planned warm-up, whole window', { idle: () => 0.25 }, {}, [3, 18]],
    ['far under the limit: beyond doubt', { idle: () => 0.05 }, {}, [3, 8]],
    ['far over the limit: beyond doubt', { idle: () => 0.8 }, {}, [3, 7]],
    [
      'a bound is confirmed over the whole window',
      { idle: () => 0.8 },
      { purpose: 'confirm-lower' },
      [3, 18],
    ],
    ['a long window makes idle exact', { idle: () => 0.8 }, { windowMs: 30_000 }, [3, 33]],
    ['... and overload ends it all the same', { idle: () => 0.05 }, { windowMs: 30_000 }, [3, 8]],
    [
      'a reference ends only when nothing can change it',
      { idle: () => 0.1 },
      { purpose: 'reference' },
      [3, 17],
    ],
    [
      'slow brokers: the start moves while the window runs',
      { idle: (_, s) => (s <= 6 ? 0.8 : 0.25) },
      {},
      [6, 21],
    ],
    ['undecided: the window grows to its longest', { idle: () => 0.2, hasRequests: false }, {}, [3, 48]],
  ];

  it.each(cases)('%s', async (_why, scene, plan, seconds) => {
    const watched = await watch(scene, plan);
    expect(watched.seconds).toEqual(seconds);
    expect(watched).toMatchObject({ risk: null, heldSeconds: null, pacedBy: null });
  });

  it.each([
    ['in the warm-up: all of the load counts', 2, [0, 2]],
    ['in the window', 9, [3, 9]],
  ] as const)('a risk ends it at once, %s', async (_why, after, seconds) => {
    const watched = await watch({ idle: () => 0.25 }, {}, { risk: { after, risk } });
    expect(watched.risk).toBe(risk);
    expect(watched.seconds).toEqual(seconds);
  });

  it('a lost shard ends it', async () => {
    const watched = await watch({ idle: () => 0.25 }, {}, { shardLostAfter: 9 });
    expect(watched.steps).toEqual(['stopping early: a load shard is lost']);
    expect(watched.seconds).toEqual([3, 9]);
  });
});
