import { describe, expect, it } from 'vitest';
import { lnLimitOf, roughCostLaw } from '../../../../boundary/search/adaptive/cost-law.ts';
import { fitIdleModel, inlierWeight } from '../../../../boundary/search/adaptive/idle-model.ts';
import {
  IDLE_MODEL_PRIORS,
  type IdleReading,
} from '../../../../boundary/search/adaptive/idle-model-types.ts';
import { drawsFrom } from '../../../../boundary/simulator/draws.ts';

const SIZES = [100, 1_000, 10_000, 100_000];
const LAW = { lnMessageCost: Math.log(1e-5), lnByteCost: Math.log(1e-8) };

function read(size: number, offset: number, options: { slope?: number; noise?: number } = {}): IdleReading {
  const { slope = 1.5, noise = 0 } = options;
  const lnLoad = lnLimitOf(LAW, SIZES[size] ?? 1) + offset;
  const height = -slope * offset + noise;
  return { size, lnLoad, height, windowSeconds: 60, atSeconds: 0, doubt: 0, ramp: null };
}

const modelOf = (readings: readonly IdleReading[]) =>
  fitIdleModel({ sizes: SIZES, readings, hints: [], ramps: 0 });

const errorAt = (model: ReturnType<typeof modelOf>, size: number) =>
  (model.lnLimit[size] ?? 0) - lnLimitOf(LAW, SIZES[size] ?? 1);

describe('the idle model', () => {
  it('finds limits and slope from exact readings on both sides', () => {
    const model = modelOf(SIZES.flatMap((_, size) => [read(size, -0.1), read(size, 0.05)]));
    SIZES.forEach((_, size) => {
      expect(Math.abs(errorAt(model, size))).toBeLessThan(0.005);
      expect(model.slope[size]).toBeGreaterThan(1.3);
      expect(model.slope[size]).toBeLessThan(1.7);
    });
  });

  it('knows a size that was never tried from the law through its neighbours, and says how well', () => {
    const model = modelOf([0, 1, 3].flatMap((size) => [read(size, -0.1), read(size, 0.05)]));
    expect(Math.abs(errorAt(model, 2))).toBeLessThan(0.05);
    const untried = Math.sqrt(model.variance[2] ?? 0);
    expect(untried).toBeGreaterThan(0.02);
    expect(untried).toBeGreaterThan(1.3 * Math.sqrt(model.variance[1] ?? 0));
  });

  it('leaves an outlier out', () => {
    const readings = SIZES.flatMap((_, size) => [read(size, -0.1), read(size, -0.02), read(size, 0.05)]);
    const model = modelOf([...readings, read(1, 0, { noise: 0.8 })]);
    expect(model.weights.at(-1)).toBeLessThan(0.1);
    expect(Math.abs(errorAt(model, 1))).toBeLessThan(0.01);
  });

  it.each([
    [0, 'a reading on the curve', 0.99, 1],
    [6, 'a plain outlier', 0.01, 0.1],
    [2_000, 'one so far out that no density tells it from nothing', 0.01, 0.02],
  ])('weighs a residual of %d: %s', (z, _, least, most) => {
    const weight = inlierWeight(z, 0.09, IDLE_MODEL_PRIORS);
    expect(weight).toBeGreaterThanOrEqual(least);
    expect(weight).toBeLessThanOrEqual(most);
  });

  it('takes a drift that all sizes share for drift, and learns the noise', () => {
    const draws = drawsFrom(5);
    const readings = Array.from({ length: 48 }, (_, k): IdleReading => {
      const drift = k < 24 ? -0.06 : 0.06;
      const noise = drift + 0.15 * Math.sqrt(8 / 60) * draws.gaussian();
      return { ...read(k % 4, k % 3 === 0 ? 0.05 : -0.05, { noise }), atSeconds: k * 75 };
    });
    const model = modelOf(readings);
    expect((model.drift.at(-1) ?? 0) - (model.drift[0] ?? 0)).toBeGreaterThan(0.04);
    expect(model.noise).toBeGreaterThan(0.09);
    expect(model.noise).toBeLessThan(0.2);
    SIZES.forEach((_, size) => {
      expect(Math.abs(errorAt(model, size))).toBeLessThan(0.05);
    });
  });

  it('reads a ramp less its lead', () => {
    const ramp = [-2, -1.3, -0.6, 0.1].map(
      (offset): IdleReading => ({
        ...read(0, offset - 0.5, {}),
        lnLoad: lnLimitOf(LAW, 100) + offset,
        windowSeconds: 2,
        ramp: 0,
      }),
    );
    const model = fitIdleModel({ sizes: SIZES, readings: ramp, hints: [], ramps: 1 });
    expect(Math.abs(errorAt(model, 0))).toBeLessThan(0.5);
    expect(Math.sqrt(model.variance[0] ?? 0)).toBeGreaterThan(0.3);
    expect(model.slope[0]).toBeGreaterThan(1);
    expect(model.slope[0]).toBeLessThan(2);
  });
});

describe('the rough cost law', () => {
  it('goes through limits that obey one', () => {
    const limits = SIZES.map((bytes) => ({ bytes, lnLimit: lnLimitOf(LAW, bytes), weight: 1 }));
    const law = roughCostLaw(limits);
    for (const { bytes, lnLimit } of limits)
      expect(Math.abs(lnLimitOf(law, bytes) - lnLimit)).toBeLessThan(0.15);
  });
});
