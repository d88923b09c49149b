import { describe, expect, it } from 'vitest';
import type { RunProbe, RunTrial, SearchEvent } from '../../../boundary/search/search.ts';
import { DEFAULT_WORLD, drawClusterWorld } from '../../../boundary/simulator/cluster-world.ts';
import { type Mishaps, NO_MISHAPS, SimulatedCluster } from '../../../boundary/simulator/simulated-cluster.ts';
import { sizeWorldAt } from '../../../boundary/simulator/size-between.ts';

const WORLD = drawClusterWorld(7, { ...DEFAULT_WORLD, family: 'exp', noiseFactor: 0.1, outlierShare: 0 });
const SIZE = WORLD.sizes[4];

function commandAt(share: number, more: Partial<RunTrial> = {}): RunTrial {
  return {
    type: 'runTrial',
    trialId: '5-1',
    messageBytes: SIZE?.messageBytes ?? 0,
    np: 50,
    unitRate: (share * (SIZE?.boundary ?? 0)) / 50,
    windowMs: 30_000,
    ...more,
  } as RunTrial;
}

function trialAt(share: number, mishaps: Partial<Mishaps> = {}, more: Partial<RunTrial> = {}) {
  const cluster = new SimulatedCluster(WORLD, 7, { ...NO_MISHAPS, ...mishaps });
  const command = commandAt(share, more);
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

  it('needs longer to recover when it is slow, and only after an overload', () => {
    const secondsOf = (share: number, slowRecovery: number) => {
      const { event, cost } = trialAt(share, { slowRecovery });
      expect(event.seconds).toBeCloseTo(cost.seconds, 9);
      return event.seconds;
    };
    expect(secondsOf(0.8, 4)).toBe(secondsOf(0.8, 1));
    expect(secondsOf(1.2, 4)).toBeGreaterThan(secondsOf(1.2, 1) + 40);
  });

  it('answers at a size that was not drawn', () => {
    const messageBytes = 1.5 * (SIZE?.messageBytes ?? 0);
    const boundary = sizeWorldAt(WORLD, messageBytes).boundary;
    const at = (share: number) =>
      verdictOf(trialAt(0, {}, { messageBytes, unitRate: (share * boundary) / 50 }).event);
    expect(at(0.8)).toMatchObject({ kind: 'sustained' });
    expect(at(1.2)).toMatchObject({ kind: 'overloaded' });
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

describe('a hold of the simulated cluster', () => {
  const hold = (share: number, mishaps: Partial<Mishaps> = {}, cluster?: SimulatedCluster) => {
    const command = commandAt(share, { purpose: 'hold', windowMs: 600_000 });
    const event = cluster ? cluster.answer(command) : trialAt(share, mishaps, command).event;
    if (event.type !== 'trialFinished') throw new Error('a trial answers a trial');
    return event;
  };
  const BURST = { afterSeconds: 200, share: 0.6 };

  it('lasts under the limit', () => {
    expect(hold(0.8)).toMatchObject({ verdict: { kind: 'sustained' }, heldSeconds: 600, windowSeconds: 600 });
  });

  it('drops at once above it, and is judged by its last two slices', () => {
    const event = hold(1.2);
    expect(event).toMatchObject({ verdict: { kind: 'overloaded' }, heldSeconds: 0, windowSeconds: 30 });
    expect(event.seconds).toBeLessThan(100);
  });

  it('drops when the credits are used up, 10 s of them by the warm-up, and lasts where it needs none', () => {
    const event = hold(0.8, { burst: BURST });
    expect(event.verdict).toMatchObject({ kind: 'overloaded', rule: 'request-handler idle' });
    expect(event.heldSeconds).toBeGreaterThanOrEqual(180);
    expect(event.heldSeconds).toBeLessThanOrEqual(195);
    expect(hold(0.5, { burst: BURST }).verdict).toMatchObject({ kind: 'sustained' });
  });

  it('leaves a cluster that bears less until it has rested', () => {
    const cluster = new SimulatedCluster(WORLD, 7, { ...NO_MISHAPS, burst: BURST });
    const fresh = cluster.boundaryOf(SIZE?.messageBytes ?? 0);
    hold(0.8, {}, cluster);
    // Some of the rest after the overload has come back.
    expect(hold(0.8, {}, cluster).heldSeconds).toBeLessThan(60);
    expect(fresh).toBe(SIZE?.boundary);
  });

  it.each([
    { mishaps: { invalidShare: 1 }, reason: 'metrics missing' },
    {
      mishaps: { generatorCeilings: WORLD.sizes.map(({ boundary }) => 0.7 * boundary) },
      reason: 'generator-limited',
    },
  ])('knows nothing when it is invalid: $reason', ({ mishaps, reason }) => {
    expect(hold(0.8, mishaps).verdict).toMatchObject({ kind: 'invalid', reason });
  });
});
