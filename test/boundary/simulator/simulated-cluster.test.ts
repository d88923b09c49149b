import { describe, expect, it } from 'vitest';
import type { RunProbe, RunTrial, SearchEvent } from '../../../boundary/search/search.ts';
import { DEFAULT_WORLD, drawClusterWorld } from '../../../boundary/simulator/cluster-world.ts';
import { type Mishaps, NO_MISHAPS, SimulatedCluster } from '../../../boundary/simulator/simulated-cluster.ts';

const WORLD = drawClusterWorld(7, { ...DEFAULT_WORLD, family: 'exp', noiseFactor: 0.1, outlierShare: 0 });
const SIZE = WORLD.sizes[4];

function trialAt(share: number, mishaps: Partial<Mishaps> = {}) {
  const cluster = new SimulatedCluster(WORLD, 7, { ...NO_MISHAPS, ...mishaps });
  const command = {
    type: 'runTrial',
    trialId: '5-1',
    messageBytes: SIZE?.messageBytes ?? 0,
    np: 50,
    unitRate: (share * (SIZE?.boundary ?? 0)) / 50,
    windowMs: 30_000,
  } as RunTrial;
  const event = cluster.answer(command);
  return { event, cost: cluster.cost };
}

const verdictOf = (event: SearchEvent) => (event.type === 'trialFinished' ? event.verdict : null);

describe('the simulated cluster', () => {
  it.each([
    { share: 0.8, mishaps: {}, expected: { kind: 'sustained' } },
    { share: 1.2, mishaps: {}, expected: { kind: 'overloaded', rule: 'request-handler idle' } },
    { share: 0.8, mishaps: { invalidShare: 1 }, expected: { kind: 'invalid', reason: 'metrics missing' } },
    {
      share: 0.8,
      mishaps: { generatorCeilings: WORLD.sizes.map(({ boundary }) => 0.7 * boundary) },
      expected: { kind: 'invalid', reason: 'generator-limited' },
    },
    { share: 0.8, mishaps: { isrFlapsAbove: 0.7 }, expected: { kind: 'overloaded', rule: 'isr churn' } },
    {
      share: 0.8,
      mishaps: { burst: { afterSeconds: -1, share: 0.7 } },
      expected: { kind: 'overloaded', rule: 'request-handler idle' },
    },
  ])('answers $share of the boundary with $mishaps: $expected', ({ share, mishaps, expected }) => {
    expect(verdictOf(trialAt(share, mishaps).event)).toMatchObject(expected);
  });

  it('counts the dose of overload: seconds above the boundary times how far above', () => {
    expect(trialAt(0.8).cost.overloadDose).toBe(0);
    const { event, cost } = trialAt(1.2);
    const seconds = event.type === 'trialFinished' ? event.windowSeconds : 0;
    expect(cost.overloadDose).toBeCloseTo(0.2 * (seconds + 10), 6);
    expect(cost.trials).toBe(1);
  });

  it('stops a probe at the first step past the boundary', () => {
    const cluster = new SimulatedCluster(WORLD, 7);
    const rates = Array.from({ length: 14 }, (_, k) => (0.05 * 2 ** k * (SIZE?.boundary ?? 0)) / 50);
    const event = cluster.answer({
      type: 'runProbe',
      probeId: 'p',
      messageBytes: SIZE?.messageBytes ?? 0,
      np: 50,
      unitRates: rates,
      stepMs: 3_000,
    } as unknown as RunProbe);
    const steps = event.type === 'probeFinished' ? event.steps : [];
    expect(steps.length).toBeGreaterThan(3);
    expect(steps.length).toBeLessThan(8);
    expect(steps.slice(0, -1).every(({ idle }) => (idle ?? 0) >= 0.2)).toBe(true);
  });
});
