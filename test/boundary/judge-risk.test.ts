import { describe, expect, it } from 'vitest';
import { judgeTrial } from '../../boundary/judge-trial.ts';
import { DEFAULT_THRESHOLDS } from '../../boundary/verdict.ts';
import { evidenceOf, type Scene } from './evidence.ts';

const risk = { brokerId: 2, detail: 'broker 2 has 3 partitions under min ISR, 0 before the load' };
const judge = (scene: Scene) => judgeTrial(evidenceOf(scene), DEFAULT_THRESHOLDS);
const cluster = evidenceOf().cluster;

describe('a load that was stopped since it put the cluster at risk', () => {
  const cases: readonly (readonly [why: string, scene: Scene, kind: string, reason: string | null])[] = [
    ['everything else was fine', { evidence: { risk } }, 'overloaded', null],
    ['the window has hardly begun', { seconds: 1, evidence: { risk } }, 'overloaded', null],
    [
      'leaders moved meanwhile',
      { evidence: { risk, cluster: { ...cluster, leadersByBroker: { '1': 12, '2': 6, '3': 12 } } } },
      'overloaded',
      null,
    ],
    ['pages did not answer', { missed: (_, s) => s > 2, evidence: { risk } }, 'overloaded', null],
    [
      'a broker went away, which explains it without the load',
      { evidence: { risk, cluster: { ...cluster, answeringBrokerIds: [1, 3] } } },
      'invalid',
      'broker lost',
    ],
    [
      'a broker started anew',
      { reading: (id, s) => (id === 2 && s > 5 ? { processCpuSeconds: 0 } : {}), evidence: { risk } },
      'invalid',
      'broker restarted',
    ],
    ['nothing was offered', { offered: 0, evidence: { risk } }, 'invalid', 'shard lost'],
    ['evidence of before there was such a guard', {}, 'sustained', null],
  ];

  it.each(cases)('%s', (_why, scene, kind, reason) => {
    const verdict = judge(scene);
    expect(verdict.kind).toBe(kind);
    if (verdict.kind === 'overloaded') {
      expect(verdict).toMatchObject({ rule: 'isr churn', brokerId: 2, detail: risk.detail });
      expect(verdict.value).toBeGreaterThan(verdict.limit);
    }
    if (verdict.kind === 'invalid') expect(verdict.reason).toBe(reason);
  });
});

describe('deliveries that fell behind, compared with an earlier stretch', () => {
  const slow = (second: number) => (second > 30 ? 400 : 8);
  const behind: Scene = {
    seconds: 60,
    ackedShare: 0.9,
    tick: (second) => ({ roundTripP99Ms: slow(second) }),
  };
  const { startAtMs, endAtMs } = evidenceOf(behind).window;
  const last = { startAtMs: startAtMs + 40_000, endAtMs };

  it('is an overload when the brokers are slower than in that stretch', () => {
    const pacedBy = { startAtMs, endAtMs: startAtMs + 15_000 };
    const verdict = judge({ ...behind, evidence: { window: last, pacedBy } });
    expect(verdict).toMatchObject({ kind: 'overloaded', rule: 'delivery' });
    expect(verdict).toHaveProperty('detail', expect.stringContaining('8 ms, then 400 ms'));
  });

  it('is unexplained without it: both halves are equally slow', () => {
    expect(judge({ ...behind, evidence: { window: last } })).toMatchObject({
      kind: 'invalid',
      reason: 'unexplained shortfall',
    });
  });
});
