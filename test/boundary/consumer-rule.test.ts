import { describe, expect, it } from 'vitest';
import { judgeTrial } from '../../boundary/judge-trial.ts';
import { measureTrial } from '../../boundary/measure-trial.ts';
import { DEFAULT_THRESHOLDS, type Verdict } from '../../boundary/verdict.ts';
import { evidenceOf, type Scene } from './evidence.ts';
import { readBy, readerOf } from './readers.ts';

const judge = (scene: Scene) => judgeTrial(evidenceOf(scene), DEFAULT_THRESHOLDS);

function nameOf(verdict: Verdict): string {
  if (verdict.kind === 'sustained') return 'sustained';
  return `${verdict.kind}: ${verdict.kind === 'overloaded' ? verdict.rule : verdict.reason}`;
}

/** Offered are 1,000 messages/s, so that the limit is 10 messages/s. */
const grows = (second: number) => 100 * second;
const behind = { readers: [readerOf({ lag: grows })], readersExpected: 1 };

const CASES: readonly (readonly [verdict: string, why: string, scene: Scene])[] = [
  ['sustained', 'a steady lag', { evidence: readBy(readerOf()) }],
  [
    'sustained',
    'a lag that grows by 0.9 % of what is offered',
    { evidence: readBy(readerOf({ lag: (s) => 9 * s })) },
  ],
  [
    'overloaded: consumer lag',
    'a lag that grows by 1.1 %',
    { evidence: readBy(readerOf({ lag: (s) => 11 * s })) },
  ],
  ['overloaded: consumer lag', 'a lag that grows by a tenth', { evidence: behind }],
  [
    'sustained',
    'a catch-up read: far behind, and closer every second',
    { evidence: readBy(readerOf({ lag: (s) => 90_000 - 500 * s })) },
  ],
  [
    'overloaded: consumer lag',
    'one group of two is enough',
    {
      evidence: readBy(
        readerOf({
          groups: ['r-group-1', 'r-group-2'],
          lag: (s, group) => (group.endsWith('2') ? grows(s) : 9),
        }),
      ),
    },
  ],
  [
    'overloaded: request-handler idle',
    'the brokers are busy: what consumers lack comes after it',
    { idle: () => 0.1, evidence: behind },
  ],
  [
    'overloaded: isr churn',
    'followers that leave come before it too',
    { underReplicated: () => 2, evidence: behind },
  ],
  [
    'overloaded: consumer lag',
    'the producers fell short: what was offered is then a lower bound of what consumers cannot follow',
    { acceptedShare: 0.9, evidence: behind },
  ],
  [
    'invalid: generator-limited',
    'half a second of fetched messages waits in the reader',
    { evidence: readBy(readerOf({ lag: grows, fetched: () => 500 })) },
  ],
  [
    'overloaded: consumer lag',
    'a fifth of a second of them is what one batch brings',
    { evidence: readBy(readerOf({ lag: grows, fetched: () => 200 })) },
  ],
  [
    'invalid: generator-limited',
    'a thread of the reader has no time to spare, though nothing waits',
    { evidence: readBy(readerOf({ lag: grows, tick: () => ({ busiestThreadRatio: 0.97, cpuCores: 0.4 }) })) },
  ],
  [
    'invalid: generator-limited',
    'where threads are not told, a core that is full',
    { evidence: readBy(readerOf({ lag: grows, tick: () => ({ cpuCores: 1 }) })) },
  ],
  [
    'overloaded: consumer lag',
    'more than a core in use, and every thread has time to spare',
    { evidence: readBy(readerOf({ lag: grows, tick: () => ({ busiestThreadRatio: 0.6, cpuCores: 1.4 }) })) },
  ],
  [
    'overloaded: consumer lag',
    'one second at the ceiling may be chance',
    { evidence: readBy(readerOf({ lag: grows, tick: (s) => ({ cpuCores: s === 8 ? 1 : 0.3 }) })) },
  ],
  [
    'invalid: generator-limited',
    'its event loop stalls again and again',
    { evidence: readBy(readerOf({ lag: grows, tick: () => ({ loopLagMs: 300 }) })) },
  ],
  [
    'sustained',
    'a busy reader that keeps up',
    { evidence: readBy(readerOf({ fetched: () => 5_000, tick: () => ({ cpuCores: 1 }) })) },
  ],
  [
    'invalid: lag unknown',
    'nobody knows the end of the topic',
    { evidence: readBy(readerOf({ lag: () => null })) },
  ],
  [
    'invalid: lag unknown',
    'the end was known at the start of the window only',
    { evidence: readBy(readerOf({ lag: (s) => (s > 4 ? null : 20) })) },
  ],
  [
    'invalid: lag unknown',
    'a window of two seconds tells no growth',
    { seconds: 2, evidence: readBy(readerOf()) },
  ],
  [
    'invalid: shard lost',
    'one of two jobs of consumers did not report',
    { evidence: { readers: [readerOf()], readersExpected: 2 } },
  ],
  [
    'invalid: shard late',
    'consumers that count 1.2 s after the others',
    { evidence: readBy(readerOf({ startedLateMs: 1_200 })) },
  ],
  [
    'invalid: throttled by quota',
    'a quota of the consumers looks like a lag',
    { evidence: readBy(readerOf({ lag: grows, tick: (s) => ({ throttleMs: s === 6 ? 40 : 0 }) })) },
  ],
];

describe('judgeTrial with consumer groups', () => {
  it.each(CASES)('%s: %s', (expected, _why, scene) => {
    expect(nameOf(judge(scene))).toBe(expected);
  });

  it('names the group that falls behind most, how fast, and the limit', () => {
    const lag = (second: number, group: string) => (group.endsWith('2') ? 250 : 100) * second;
    const groups = ['plimsoll-r-group-1', 'plimsoll-r-group-2'];
    expect(judge({ evidence: readBy(readerOf({ groups, lag })) })).toEqual({
      kind: 'overloaded',
      rule: 'consumer lag',
      brokerId: null,
      value: 0.25,
      limit: 0.01,
      detail: 'group 2 falls behind by 250 messages/s (25.0 % of the offered rate)',
    });
  });

  it('names the reader that was the limit itself', () => {
    const reader = readerOf({ shard: 4, lag: grows, fetched: () => 900 });
    expect(judge({ evidence: readBy(reader) })).toMatchObject({
      detail:
        'group 1 falls behind by 100 messages/s (10.0 % of the offered rate): its reader, shard 4 of worker w2, used 0.20 cores and left 900 fetched messages waiting',
    });
  });

  it('calls the brokers overloaded when a group falls behind whose readers had time to spare', () => {
    const slow = readerOf({ groups: ['r-group-1'], lag: (s) => 300 * s, fetched: () => 900 });
    const starved = readerOf({ groups: ['r-group-2'], lag: grows, shard: 2 });
    const verdict = judge({ evidence: readBy(slow, starved) });
    expect(verdict).toMatchObject({ rule: 'consumer lag', detail: expect.stringContaining('group 2') });
  });
});

describe('measureTrial with consumer groups', () => {
  const circumstances = { sequence: 1, startedAtMs: 0, endedAtMs: 1 };

  it('records what each group did', () => {
    const evidence = evidenceOf({ evidence: readBy(readerOf({ lag: grows })) });
    const { consumers } = measureTrial(evidence, judge({}), circumstances);
    expect(consumers).toEqual([
      {
        group: 'plimsoll-r-group-1',
        consumedPerSecond: 1_000,
        consumedBytesPerSecond: 1_000_000,
        lag: 1_000,
        lagGrowthPerSecond: expect.closeTo(100),
      },
    ]);
  });

  it('records nothing of them without groups', () => {
    expect(measureTrial(evidenceOf(), judge({}), circumstances)).not.toHaveProperty('consumers');
  });
});
