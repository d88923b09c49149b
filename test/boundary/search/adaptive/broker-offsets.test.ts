import { describe, expect, it } from 'vitest';
import { idleLogit } from '../../../../boundary/idle/idle-logit.ts';
import { worstBrokerReadings } from '../../../../boundary/search/adaptive/broker-offsets.ts';
import type { Observation } from '../../../../boundary/search/adaptive/observation.ts';
import { drawsFrom } from '../../../../boundary/simulator/draws.ts';
import { expit } from '../../../../boundary/statistics/logit.ts';

const trusted = () => false;

function observe(idle: readonly (number | null)[], size = 0, atSeconds = 0): Observation {
  return { size, lnLoad: 0, ackedShare: 1, idle, windowSeconds: 30, atSeconds, verdict: null };
}

/** Trials at one level whose brokers are off it by fixed offsets, with noise. */
function noisy(offsets: readonly number[], deviation: number, count: number): Observation[] {
  const draws = drawsFrom(17);
  return Array.from({ length: count }, (_, k) =>
    observe(
      offsets.map((offset) => expit(-1 + offset + deviation * draws.gaussian())),
      0,
      k,
    ),
  );
}

const mean = (values: readonly (number | null)[]) =>
  values.reduce<number>((sum, value) => sum + (value ?? Number.NaN), 0) / values.length;

describe('readings of the worst broker', () => {
  it('are the broker itself when there is one', () => {
    const { logits, offsetVariance } = worstBrokerReadings([observe([0.3])], 1, trusted);
    expect(logits[0]).toBeCloseTo(idleLogit(0.3), 6);
    expect(offsetVariance[0]).toBeLessThan(1e-6);
  });

  it('are not lower for the noise of many equal brokers, as the least reading is', () => {
    const trials = noisy(new Array<number>(12).fill(0), 0.05, 20);
    const { logits } = worstBrokerReadings(trials, 1, trusted);
    const least = trials.map(({ idle }) => Math.min(...idle.map((ratio) => idleLogit(ratio ?? 1))));
    expect(mean(least)).toBeLessThan(-1.05);
    expect(mean(logits)).toBeGreaterThan(-1.045);
  });

  it('find the broker that lasts lower, and its level', () => {
    const { logits, worst, offsetVariance } = worstBrokerReadings(
      noisy([0.3, -0.4, 0.1], 0.05, 20),
      1,
      trusted,
    );
    expect(worst).toEqual([1]);
    expect(Math.abs(mean(logits) + 1.4)).toBeLessThan(0.03);
    expect(offsetVariance[0]).toBeLessThan(0.03 ** 2);
  });

  it('bear a broker that could not be read now and then, and say nothing without any', () => {
    const trials = noisy([0.3, -0.4, 0.1], 0.02, 12).map((trial, k) => ({
      ...trial,
      idle: trial.idle.map((ratio, broker) => (k % 3 === broker ? null : ratio)),
    }));
    const { logits } = worstBrokerReadings([...trials, observe([null, null, null])], 1, trusted);
    for (const logit of logits.slice(0, -1)) expect(Math.abs((logit ?? 0) + 1.4)).toBeLessThan(0.1);
    expect(logits.at(-1)).toBeNull();
  });
});
