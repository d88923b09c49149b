import { describe, expect, it } from 'vitest';
import { fullHosts } from '../../boundary/full-hosts.ts';
import { evidenceOf, type Scene } from './evidence.ts';

const found = (...scenes: readonly Scene[]) =>
  fullHosts(
    scenes.flatMap((scene) => evidenceOf(scene).shards),
    evidenceOf().window,
  );

describe('fullHosts', () => {
  it('names the workers whose machine had nothing left, each once', () => {
    const full: Scene = { tick: () => ({ hostIdleRatio: 0.02 }) };
    expect(found(full, full, { shard: { workerId: 'w2' }, tick: () => ({ hostIdleRatio: 0.5 }) })).toEqual([
      { workerId: 'w1', idleRatio: 0.02 },
    ]);
  });

  it.each<readonly [why: string, scene: Scene]>([
    ['no word of the machine', {}],
    ['a busy second is not a busy window', { tick: (second) => ({ hostIdleRatio: second === 4 ? 0 : 0.4 }) }],
    ['busy before the window only', { tick: (second) => ({ hostIdleRatio: second <= 0 ? 0 : 0.4 }) }],
  ])('finds nothing: %s', (_why, scene) => {
    expect(found(scene)).toEqual([]);
  });
});
