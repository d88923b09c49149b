import { describe, expect, it } from 'vitest';
import { judgeTrial } from '../../boundary/judge-trial.ts';
import { judgeLatency, requireLatency } from '../../boundary/latency-rule.ts';
import { DEFAULT_THRESHOLDS, type Verdict } from '../../boundary/verdict.ts';
import { evidenceOf, type Scene } from './evidence.ts';
import { ackLatency } from './latencies.ts';

const ASKED = { ...DEFAULT_THRESHOLDS, latencyP99Ms: 100 };

const timed = (messagesByMs: Readonly<Record<number, number>>, missing = 0): Scene => ({
  shard: { ackLatency: ackLatency(messagesByMs, missing) },
});

const FAST = timed({ 8: 1_980, 90: 20 });
const SLOW = timed({ 8: 1_970, 300: 30 });

function nameOf(verdict: Verdict | null): string {
  switch (verdict?.kind) {
    case undefined:
      return 'no say';
    case 'overloaded':
      return `overloaded: ${verdict.rule}`;
    case 'invalid':
      return `invalid: ${verdict.reason}`;
    case 'sustained':
      return 'sustained';
  }
}

describe('judgeLatency', () => {
  it.each<[expected: string, why: string, scene: Scene]>([
    ['no say', '1 % of the messages over 8 ms, none over the limit', FAST],
    ['no say', 'one of a hundred slow: the p99 is the slowest of the others', timed({ 8: 1_980, 300: 20 })],
    ['overloaded: latency', '1.5 % took 300 ms', SLOW],
    ['no say', 'a latency just at the limit', timed({ 100: 2_000 })],
    ['overloaded: latency', 'never acknowledged is slower than any limit', timed({ 8: 1_970 }, 30)],
    ['no say', 'one message in a thousand was lost: the p99 is not among those', timed({ 8: 1_998 }, 2)],
    ['no say', 'nobody timed: that is told once nothing else applies', {}],
    [
      'no say',
      'a shard that fell short of CPU: rule 6 says what the delay was',
      { ...SLOW, acceptedShare: 0.9, tick: () => ({ cpuCores: 1 }) },
    ],
    [
      'invalid: generator-limited',
      'the event loop stood still for 250 ms in every second: the delay is its own',
      { ...SLOW, tick: () => ({ loopLagMs: 245 }) },
    ],
    [
      'overloaded: latency',
      'stalls that explain 20 ms of 300 do not excuse it',
      { ...SLOW, tick: () => ({ loopLagMs: 30 }) },
    ],
    [
      'overloaded: latency',
      'messages that were never acknowledged are no stall',
      { ...timed({ 8: 1_900 }, 100), tick: () => ({ loopLagMs: 200 }) },
    ],
  ])('%s: %s', (expected, _why, scene) => {
    expect(nameOf(judgeLatency(evidenceOf(scene), ASKED))).toBe(expected);
    expect(judgeLatency(evidenceOf(scene), DEFAULT_THRESHOLDS)).toBeNull();
  });

  it('tells the latency, the limit and how many were slower', () => {
    const verdict = judgeLatency(evidenceOf(SLOW), ASKED);
    expect(verdict).toMatchObject({ brokerId: null, limit: 100 });
    expect(verdict?.kind === 'overloaded' ? verdict.value / 300 - 1 : 1).toBeCloseTo(0, 2);
    expect(verdict).toHaveProperty(
      'detail',
      'p99 300 ms, limit 100 ms; 1.5 % of 2000 timed messages were slower',
    );
    expect(judgeLatency(evidenceOf(timed({ 8: 900 }, 100)), ASKED)).toMatchObject({
      value: 100,
      detail:
        'more than 1 % never acknowledged, limit 100 ms; 10.0 % of 1000 timed messages were slower, 100 never acknowledged',
    });
  });
});

describe('requireLatency', () => {
  it.each<[why: string, scene: Scene, detail: string | null]>([
    ['all is known', FAST, null],
    ['nobody timed', {}, 'a shard brought no latencies'],
    ['only one of two shards timed', { evidence: { shards: twoShards() } }, 'a shard brought no latencies'],
    ['99 messages tell nothing of one in a hundred', timed({ 8: 99 }), 'only 99 messages'],
    ['100 do', timed({ 8: 100 }), null],
    [
      'producers too fast to be timed',
      { evidence: { plan: { ...evidenceOf().plan, unitRate: 25_000 } } },
      'a producer sends 25000 messages/s',
    ],
  ])('%s', (_why, scene, detail) => {
    const verdict = requireLatency(evidenceOf(scene), ASKED);
    if (detail === null) expect(verdict).toBeNull();
    else
      expect(verdict).toMatchObject({
        reason: 'latency not measured',
        detail: expect.stringContaining(detail),
      });
    expect(requireLatency(evidenceOf(scene), DEFAULT_THRESHOLDS)).toBeNull();
  });
});

function twoShards() {
  const [shard] = evidenceOf(FAST).shards;
  const [other] = evidenceOf().shards;
  return shard && other ? [shard, { ...other, shard: 1 }] : [];
}

describe('among the other rules', () => {
  it.each<[expected: string, why: string, scene: Scene]>([
    ['sustained', 'fast enough', FAST],
    ['overloaded: latency', 'too slow', SLOW],
    ['overloaded: request-handler idle', 'an idle too low comes first', { ...SLOW, idle: () => 0.1 }],
    ['invalid: latency not measured', 'never sustained when it was asked and not measured', {}],
    [
      'overloaded: request-handler idle',
      'what overloads without a look at latency overloads',
      { idle: () => 0.1 },
    ],
  ])('%s: %s', (expected, _why, scene) => {
    expect(nameOf(judgeTrial(evidenceOf(scene), ASKED))).toBe(expected);
  });
});
