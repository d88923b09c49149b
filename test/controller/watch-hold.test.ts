import { describe, expect, it } from 'vitest';
import { watchHold } from '../../src/controller/watch-hold.ts';
import type { Scene } from '../boundary/evidence.ts';
import { type Happening, secondsOf, watchedScene } from './watched-scene.ts';

const risk = { brokerId: 1, detail: 'broker 1 has 3 partitions under min ISR, 0 before the load' };

/** A hold of 90 s: six slices of 15 s, from second 3 of the load on. */
async function hold(scene: Scene, happening: Happening = {}) {
  const { context, request, loadAtMs } = watchedScene(
    scene,
    { purpose: 'hold', windowMs: 90_000 },
    happening,
  );
  const watched = await watchHold(context, request);
  return {
    risk: watched.risk,
    held: watched.heldSeconds,
    seconds: secondsOf(watched.window, loadAtMs),
    pacedBy: secondsOf(watched.pacedBy, loadAtMs),
  };
}

describe('watchHold', () => {
  const cases: readonly (readonly [why: string, scene: Scene, expected: Awaited<ReturnType<typeof hold>>])[] =
    [
      ['lasts', { idle: () => 0.5 }, { held: 90, seconds: [3, 93], pacedBy: null, risk: null }],
      [
        'one slice of noise is no drop',
        { idle: (_, s) => (s > 33 && s <= 48 ? 0.1 : 0.5) },
        { held: 90, seconds: [3, 93], pacedBy: null, risk: null },
      ],
      [
        'credits run out 45 s into the window',
        { idle: (_, s) => (s > 48 ? 0.1 : 0.5) },
        { held: 45, seconds: [48, 78], pacedBy: [3, 18], risk: null },
      ],
      [
        'never carried: there is nothing to compare its pace with',
        { idle: () => 0.1 },
        { held: 0, seconds: [3, 33], pacedBy: null, risk: null },
      ],
      [
        'a broker is not seen any more',
        { idle: () => 0.5, missed: (id, s) => id === 2 && s > 48 },
        { held: 45, seconds: [48, 78], pacedBy: [3, 18], risk: null },
      ],
      [
        'the last slice alone says little',
        { idle: (_, s) => (s > 78 ? 0.1 : 0.5) },
        { held: 75, seconds: [3, 93], pacedBy: null, risk: null },
      ],
    ];

  it.each(cases)('%s', async (_why, scene, expected) => {
    expect(await hold(scene)).toEqual(expected);
  });

  it('ends at once at a risk, and tells how long the load was carried', async () => {
    const ended = await hold({ idle: () => 0.5 }, { risk: { after: 40, risk } });
    expect(ended).toMatchObject({ risk, held: 30, seconds: [3, 40.1] });
  });

  it('ends with a shard', async () => {
    expect(await hold({ idle: () => 0.5 }, { shardLostAfter: 40 })).toMatchObject({
      risk: null,
      seconds: [3, 40.1],
    });
  });
});
