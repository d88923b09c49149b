import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeTrial } from '../../boundary/judge-trial.ts';
import { measureTrial } from '../../boundary/measure-trial.ts';
import type { TrialEvidence } from '../../boundary/trial.ts';
import { DEFAULT_THRESHOLDS, type Verdict } from '../../boundary/verdict.ts';
import { evidenceOf, type Scene } from './evidence.ts';

const judge = (scene: Scene) => judgeTrial(evidenceOf(scene), DEFAULT_THRESHOLDS);

function nameOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'sustained':
      return 'sustained';
    case 'overloaded':
      return `overloaded: ${verdict.rule}`;
    case 'invalid':
      return `invalid: ${verdict.reason}`;
  }
}

const evidence = evidenceOf();
const slowing = (second: number) => ({ roundTripP99Ms: second <= 5 ? 40 : 200 });
const fullQueues = { queued: 900 };

/** No scrape of broker 1 in the window came back but the first; those after it did. */
const silent: Scene = { missed: (id, second) => id === 1 && second > 0 && second <= 10, secondsAfter: 1 };
/** Messages per second that the signals of brokers 1 to 3 count. */
const counting = (perSecond: readonly number[]) => (id: number, second: number) => ({
  messagesIn: { count: second * (perSecond[id - 1] ?? 0), oneMinuteRate: null },
});
const unread: Partial<TrialEvidence> = { signals: 'none', polls: [], underReplicatedBefore: {} };

const CASES: readonly (readonly [verdict: string, why: string, scene: Scene])[] = [
  ['sustained', 'every rule checked, none applies', {}],
  ['sustained', 'idle just over the limit on the busiest broker', { idle: (id) => (id === 2 ? 0.215 : 0.6) }],
  ['overloaded: request-handler idle', 'one broker is enough', { idle: (id) => (id === 3 ? 0.15 : 0.9) }],
  [
    'overloaded: request-handler idle',
    'an overloaded broker outranks a short generator: the offered load is a lower bound of what overloads',
    { idle: () => 0.1, acceptedShare: 0.8, tick: () => ({ cpuCores: 1.2 }) },
  ],
  [
    'invalid: idle undecided',
    'without the request count a wait may be 300 ms, so 0.205 over 10 s spans the limit',
    { idle: () => 0.205, hasRequests: false },
  ],
  [
    'invalid: idle undecided',
    'likewise just under the limit: a reading overloads only when all of its interval does',
    { idle: () => 0.19, hasRequests: false },
  ],
  ['sustained', 'the same reading decides when waits are known to be short', { idle: () => 0.205 }],
  [
    'invalid: metrics missing',
    '3 of 11 polls of one broker missing is over 20 %',
    { missed: (id, second) => id === 1 && second > 3 && second < 7 },
  ],
  [
    'invalid: metrics missing',
    'under-replication that nobody looked for before the trial is not the churn of the trial',
    { underReplicated: () => 2, evidence: { underReplicatedBefore: { '1': 2, '3': 2 } } },
  ],
  [
    'sustained',
    '2 of 11 polls missing is under 20 %',
    { missed: (id, second) => id === 1 && second > 3 && second < 6 },
  ],
  [
    'overloaded: request-handler idle',
    'a low idle is certain whatever the blind broker would have shown',
    { idle: () => 0.05, missed: (id) => id === 2 },
  ],
  [
    'invalid: metrics missing',
    'an idle that a blind spot leaves open is no overload',
    { idle: () => 0.205, missed: (id) => id === 2, hasRequests: false },
  ],
  [
    'overloaded: request-handler idle',
    'no scrape of the window came back, yet the page after it bounds the idle: 0.2 s in 10 s, 0.5 s after',
    { ...silent, idle: (id, second) => (id === 1 && second <= 10 ? 0.02 : 0.5) },
  ],
  [
    'invalid: metrics missing',
    'every second poll of one broker is not there, and nobody says why',
    { evidence: { polls: evidence.polls.filter((poll) => poll.brokerId !== 2 || poll.atMs % 2_000 === 0) } },
  ],
  [
    'invalid: metrics missing',
    'likewise with idle to spare: the polls are missing',
    { ...silent, idle: () => 0.5 },
  ],
  [
    'sustained',
    'polls whose looks came in the end are late, not lost',
    { missed: (id, second) => id === 1 && second > 3 && second < 8, isAnsweredLate: true },
  ],
  [
    'invalid: broker restarted',
    'Count went back on one broker: its load went to the others meanwhile',
    { idle: () => 0.05, meter: (id, second) => (id === 2 && second > 4 ? { countNs: second * 1e8 } : {}) },
  ],
  [
    'invalid: metrics of another',
    'idle in plenty, of a broker that nobody sends to: the same number in another cluster',
    { idle: () => 0.9, reading: counting([333, 0, 333]) },
  ],
  [
    'invalid: metrics of another',
    'an overload there is none of this cluster either',
    { idle: (id) => (id === 2 ? 0.05 : 0.9), reading: counting([333, 0, 333]) },
  ],
  [
    'overloaded: request-handler idle',
    'a broker at its limit takes less than its share, and the others make up for it',
    { idle: (id) => (id === 2 ? 0.05 : 0.9), reading: counting([480, 40, 480]) },
  ],
  [
    'invalid: broker restarted',
    'Count went forward by more than the time that passed: another broker answers',
    { idle: () => 0.05, meter: (id, second) => (id === 2 && second > 4 ? { countNs: 9e12 + second } : {}) },
  ],
  [
    'invalid: broker lost',
    'a broker that does not answer Kafka',
    { evidence: { cluster: { ...evidence.cluster, answeringBrokerIds: [1, 3] } } },
  ],
  ['invalid: shard lost', 'half of the load is missing', { evidence: { shardsExpected: 2 } }],
  ['invalid: shard late', 'it started 1.2 s after the others', { shard: { startedLateMs: 1_200 } }],
  [
    'invalid: throttled by quota',
    'a quota looks like a limit of the brokers',
    { tick: () => ({ throttleMs: 30 }) },
  ],
  [
    'invalid: uneven leaders',
    'one broker leads more than its share',
    { evidence: { cluster: { ...evidence.cluster, leadersByBroker: { '1': 11, '2': 10, '3': 9 } } } },
  ],
  [
    'invalid: topic gone',
    'somebody deleted the topic',
    { evidence: { cluster: { ...evidence.cluster, isTopicPresent: false, leadersByBroker: {} } } },
  ],
  ['invalid: clock unsure', 'Redis answers in half a second', { evidence: { clockErrorMs: 400 } }],
  [
    'overloaded: isr churn',
    'replicas missing in 6 of 10 seconds',
    { underReplicated: (id, second) => (id === 1 && second > 4 ? 2 : 0) },
  ],
  [
    'sustained',
    'replicas missing in 5 of 10 seconds is not more than half',
    { underReplicated: (id, second) => (id === 1 && second > 5 ? 2 : 0) },
  ],
  [
    'overloaded: isr churn',
    'flapping shows in the counters even when the level looks fine at each poll',
    { shrinks: (id, second) => (id === 2 ? second : 0) },
  ],
  [
    'sustained',
    'under-replication that was there before the trial is not its doing',
    {
      underReplicated: () => 3,
      evidence: { underReplicatedBefore: { '1': 3, '2': 3, '3': 3 } },
    },
  ],
  [
    'invalid: generator-limited',
    'handed over 90 %, queues near empty: the client was the limit',
    { acceptedShare: 0.9 },
  ],
  [
    'invalid: generator-limited',
    'short, its CPU at the ceiling',
    { acceptedShare: 0.9, tick: (second) => ({ cpuCores: 1, ...fullQueues, ...slowing(second) }) },
  ],
  [
    'invalid: generator-limited',
    'late in every second though it caught up',
    { tick: () => ({ pacerLateMs: 600, loopLagMs: 600 }) },
  ],
  [
    'overloaded: delivery',
    'refused by full queues while the round trip grows: the brokers hold it back',
    { acceptedShare: 0.9, tick: (second) => ({ ...fullQueues, ...slowing(second) }) },
  ],
  [
    'overloaded: delivery',
    'behind, and the request queue of the brokers grows',
    { ackedShare: 0.95, tick: () => fullQueues, requestQueueSize: (second) => second * 10 },
  ],
  [
    'overloaded: delivery',
    "behind, and the brokers' own produce time grows over 50 ms",
    { ackedShare: 0.95, tick: () => fullQueues, produceP99Ms: (second) => (second <= 5 ? 40 : 90) },
  ],
  [
    'invalid: unexplained shortfall',
    'produce time doubles but stays under 50 ms',
    { ackedShare: 0.95, tick: () => fullQueues, produceP99Ms: (second) => (second <= 5 ? 10 : 30) },
  ],
  ['sustained', 'signals not read, as asked: all was delivered', { evidence: unread }],
  [
    'overloaded: delivery',
    'signals not read, as asked: the round trip alone tells',
    { acceptedShare: 0.9, tick: (second) => ({ ...fullQueues, ...slowing(second) }), evidence: unread },
  ],
  [
    'invalid: metrics missing',
    'no polls, though signals are to be read: never taken for a run without',
    { evidence: { ...unread, signals: 'brokers' } },
  ],
  [
    'invalid: unexplained shortfall',
    'behind, yet the brokers answer as before',
    { ackedShare: 0.95, tick: () => fullQueues },
  ],
  [
    'invalid: unexplained shortfall',
    'round trip doubles but stays under 50 ms: no sign of an overload',
    { ackedShare: 0.95, tick: (second) => ({ ...fullQueues, roundTripP99Ms: second <= 5 ? 10 : 30 }) },
  ],
  [
    'invalid: not reconciled',
    'the topic holds less than was acknowledged',
    { evidence: { endOffsetGrowth: 12_999 } },
  ],
  ['invalid: not reconciled', 'the end offsets could not be read', { evidence: { endOffsetGrowth: null } }],
  [
    'sustained',
    'a message of unknown fate may be in the topic',
    { shard: { acked: 12_990, failed: 10 }, evidence: { endOffsetGrowth: 12_995 } },
  ],
];

describe('judgeTrial', () => {
  it.each(CASES)('%s: %s', (expected, _why, scene) => {
    expect(nameOf(judge(scene))).toBe(expected);
  });

  it('names the worst broker and its value', () => {
    expect(judge({ idle: (id) => (id === 3 ? 0.15 : 0.9) })).toMatchObject({ brokerId: 3, limit: 0.2 });
    expect(judge({ idle: (id) => (id === 2 ? 0.4 : 0.9) })).toMatchObject({ worst: { brokerId: 2 } });
    expect(judge({ evidence: unread })).toEqual({ kind: 'sustained', worst: null });
  });

  it('names what kind of churn it was', () => {
    const shrinks = (id: number, second: number) => (id === 2 ? second : 0);
    expect(judge({ shrinks, expands: shrinks })).toMatchObject({
      brokerId: 2,
      detail: expect.stringContaining('flapping'),
    });
  });

  it('never says `sustained` when any broker is blind, idle or not', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(1, 2, 3), (idle, blind) => {
        expect(judge({ idle: () => idle, missed: (id) => id === blind }).kind).not.toBe('sustained');
      }),
    );
  });

  it('gives the same verdict whatever the order of the polls', () => {
    const { polls } = evidence;
    fc.assert(
      fc.property(fc.shuffledSubarray([...polls], { minLength: polls.length }), (shuffled) => {
        expect(judge({ evidence: { polls: shuffled } })).toEqual(judge({}));
      }),
    );
  });
});

describe('measureTrial', () => {
  it('reports rates, idle and bytes of the window alone', () => {
    const record = measureTrial(evidence, judge({}), { sequence: 1, startedAtMs: 0, endedAtMs: 1 });
    expect(record).toMatchObject({
      windowSeconds: 10,
      isrChurnShare: 0,
      scrapeMs: 20,
    });
    expect(record.generatorCpuCores).toBeCloseTo(0.3);
    expect(record.offeredPerSecond).toBeCloseTo(1_000);
    expect(record.ackedPerSecond).toBeCloseTo(1_000);
    expect(record.bytesInPerSecond).toBeCloseTo(3_000_000);
    expect(record.idleByBroker['1']).toBeCloseTo(0.5, 6);
  });

  it('says of brokers that nobody read that they are not known, never that they are well', () => {
    const unread = { ...evidence, polls: [] };
    expect(measureTrial(unread, judge({}), { sequence: 1, startedAtMs: 0, endedAtMs: 1 })).toMatchObject({
      isrChurnShare: null,
      bytesInPerSecond: null,
      scrapeMs: null,
      idleByBroker: { 1: null, 2: null, 3: null },
    });
  });
});
