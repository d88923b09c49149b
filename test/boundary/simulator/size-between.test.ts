import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_WORLD, drawClusterWorld, WORLD_SIZES } from '../../../boundary/simulator/cluster-world.ts';
import { lawCapacity } from '../../../boundary/simulator/cost-truth.ts';
import { CURVE_FAMILIES, idleLogitAt } from '../../../boundary/simulator/idle-curve.ts';
import { nearestSize, sizeWorldAt } from '../../../boundary/simulator/size-between.ts';
import { expit } from '../../../boundary/statistics/logit.ts';

describe('a size that was not drawn', () => {
  it('is the drawn one where there is one', () => {
    const world = drawClusterWorld(3);
    for (const size of world.sizes) expect(sizeWorldAt(world, size.messageBytes)).toBe(size);
  });

  it('follows the cost law exactly in a world without misfit', () => {
    const world = drawClusterWorld(3, { ...DEFAULT_WORLD, misfit: 0 });
    for (const bytes of [10, 250, 4_000, 90_000, 5e6]) {
      expect(sizeWorldAt(world, bytes).idleCapacity / lawCapacity(world.cost, bytes)).toBeCloseTo(1, 9);
    }
  });

  it('keeps the law of a cluster with given limits: few bytes by the message, many by the byte', () => {
    const limits = { messagesPerSecond: 200_000, bytesPerSecond: 1e8 };
    const world = drawClusterWorld(3, { ...DEFAULT_WORLD, misfit: 0, limits });
    expect(sizeWorldAt(world, 1).idleCapacity).toBeCloseTo(199_600, -2);
    expect(sizeWorldAt(world, 1e7).idleCapacity * 1e7).toBeCloseTo(1e8, -6);
  });

  it('is like its neighbours, has a worst broker, and meets its limit, in every family', () => {
    const arbitrary = fc.tuple(
      fc.integer({ min: 1, max: 1e6 }),
      fc.constantFrom(...CURVE_FAMILIES),
      fc.double({ min: 2, max: 6, noNaN: true }),
    );
    fc.assert(
      fc.property(arbitrary, ([seed, family, lnTen]) => {
        const world = drawClusterWorld(seed, { ...DEFAULT_WORLD, family, rippleLogit: 0 });
        const size = sizeWorldAt(world, 10 ** lnTen);
        const here = nearestSize(world.sizes, size.messageBytes);
        const around = world.sizes.slice(Math.max(0, here - 1), here + 2).map((near) => near.boundary);
        expect(size.boundary).toBeGreaterThan(0.8 * Math.min(...around));
        expect(size.boundary).toBeLessThan(1.25 * Math.max(...around));
        expect(Math.min(...size.brokerOffsets)).toBe(0);
        expect(expit(idleLogitAt(size.curve, 0))).toBeCloseTo(0.2, 9);
        expect(size.boundary).toBeLessThanOrEqual(size.idleCapacity);
      }),
    );
  });

  it('is judged by the nearest size in the logarithm', () => {
    const { sizes } = drawClusterWorld(3);
    expect(nearestSize(sizes, 1)).toBe(0);
    expect(nearestSize(sizes, (WORLD_SIZES[4] ?? 0) * 1.1)).toBe(4);
    expect(nearestSize(sizes, 1e9)).toBe(sizes.length - 1);
  });
});
