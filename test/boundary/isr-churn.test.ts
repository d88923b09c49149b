import { describe, expect, it } from 'vitest';
import type { BrokerReading } from '../../boundary/broker-reading.ts';
import { isrChurn } from '../../boundary/isr-churn.ts';
import { readingsByBroker } from '../../boundary/polls.ts';
import { evidenceOf, type Scene } from './evidence.ts';

function churnOf(scene: Scene) {
  const { polls, underReplicatedBefore, window, pollIntervalMs } = evidenceOf(scene);
  return isrChurn(readingsByBroker(polls), underReplicatedBefore, window, pollIntervalMs);
}

const rate = (oneMinuteRate: number) => ({ count: null, oneMinuteRate });
const on = (brokerId: number, from: number, to: number) => (id: number, second: number) =>
  id === brokerId && second >= from && second <= to ? 1 : 0;
const shows =
  (brokerId: number, from: number, seen: Partial<BrokerReading>) => (id: number, second: number) =>
    id === brokerId && second >= from ? seen : {};

describe('isrChurn', () => {
  const CASES: readonly (readonly [why: string, scene: Scene, share: number, trouble: string | null])[] = [
    ['nothing happens', {}, 0, null],
    ['missing for three seconds', { underReplicated: on(1, 4, 6) }, 0.3, 'stuck'],
    [
      'the same seconds seen by two brokers count once',
      { underReplicated: (id, second) => (id !== 3 && second > 7 ? 1 : 0) },
      0.3,
      'stuck',
    ],
    ['leaves without coming back', { shrinks: (id, s) => (id === 2 && s > 4 ? 1 : 0) }, 0.1, 'stuck'],
    ['leaves and joins', { shrinks: on(2, 5, 10), expands: on(2, 7, 10) }, 0.2, 'flapping'],
    ['joins what no leader shrank', { expands: on(3, 5, 10) }, 0.1, 'restart recovery'],
    ['under the minimum', { reading: shows(2, 8, { underMinIsrPartitions: 4 }) }, 0.3, 'stuck'],
    ['offline', { reading: shows(2, 9, { offlinePartitions: 1 }) }, 0.2, 'stuck'],
    ['offline before already', { reading: shows(2, 0, { offlinePartitions: 1 }) }, 0, null],
    [
      'a rate that jumps up is a shrink, one that decays is none',
      { shrinks: (id, s) => rate(id === 1 && s >= 4 ? 0.016 * 0.92 ** Math.floor((s - 4) / 5) : 0) },
      0.1,
      'stuck',
    ],
    [
      'one shrink somewhere in a gap of four seconds counts for all of them',
      { shrinks: (id, s) => (id === 1 && s > 4 ? 1 : 0), missed: (id, s) => id === 1 && s > 2 && s < 6 },
      0.4,
      'stuck',
    ],
    [
      'a page that came back after the window tells of the time before',
      { underReplicated: on(1, 3, 12), missed: (id, s) => id === 1 && s > 1 && s <= 10, secondsAfter: 2 },
      0.9,
      'stuck',
    ],
  ];

  it.each(CASES)('%s', (_why, scene, share, trouble) => {
    const churn = churnOf(scene);
    expect(churn.share).toBeCloseTo(share, 9);
    expect(churn.trouble).toBe(trouble);
  });

  it('sees a shrink between looks far apart, by the decay that is missing', () => {
    // 0.012 decays to 0.0073 in 30 s; 0.010 holds an event although it is lower.
    const sparse = (last: number): Scene => ({
      seconds: 60,
      missed: (_, s) => s % 30 !== 0,
      shrinks: (_, s) => rate(s === 0 ? 0.012 : s === 30 ? last : last * Math.exp(-0.5)),
    });
    expect(churnOf(sparse(0.01)).share).toBeCloseTo(0.5, 9);
    expect(churnOf(sparse(0.0073)).share).toBe(0);
  });
});
