import { describe, expect, it } from 'vitest';
import type { BrokerReading } from '../../boundary/broker-reading.ts';
import { findLeaderless, findRisk, leaderless, troubleOf } from '../../boundary/cluster-risk.ts';
import { evidenceOf } from './evidence.ts';

type Shown = Partial<Pick<BrokerReading, 'underMinIsrPartitions' | 'offlinePartitions'>>;

const pollsWith = (
  reading: (id: number, second: number) => Shown,
  missed = (_: number, __: number) => false,
) => evidenceOf({ seconds: 6, reading, missed }).polls;
const NONE = { underMinIsr: 0, offline: 0 };
const before = { '1': NONE, '2': NONE, '3': NONE };
const since = 'before the load';

describe('findRisk', () => {
  it.each([
    ['all well', () => ({}), before, null],
    [
      'broker 2 lost followers',
      (id: number, s: number) => ({ underMinIsrPartitions: id === 2 && s >= 4 ? 3 : 0 }),
      before,
      'broker 2 has 3 partitions under min ISR, 0 before the load',
    ],
    [
      'one partition went offline',
      (id: number, s: number) => ({ offlinePartitions: id === 1 && s >= 6 ? 1 : 0 }),
      before,
      'broker 1 has 1 partition offline, 0 before the load',
    ],
    ['it was so before', () => ({ underMinIsrPartitions: 2 }), { '1': { underMinIsr: 2, offline: 0 } }, null],
    [
      'it is worse than before',
      (id: number) => ({ underMinIsrPartitions: id === 1 ? 3 : 0 }),
      { ...before, '1': { underMinIsr: 2, offline: 0 } },
      'broker 1 has 3 partitions under min ISR, 2 before the load',
    ],
    ['over again', (_: number, s: number) => ({ underMinIsrPartitions: s === 3 ? 1 : 0 }), before, null],
    ['not shown', () => ({ underMinIsrPartitions: null, offlinePartitions: null }), before, null],
    ['never known before: as it was when the load began', () => ({ offlinePartitions: 4 }), {}, null],
    [
      'never known before, and grown since',
      (id: number, s: number) => ({ offlinePartitions: id === 3 && s > 3 ? 4 : 1 }),
      {},
      'broker 3 has 4 partitions offline, 1 before the load',
    ],
  ] as const)('%s', (_why, reading, levels, expected) => {
    expect(findRisk(pollsWith(reading), levels, since)?.detail ?? null).toBe(expected);
  });

  it('stays with what a broker last showed while its page is silent', () => {
    const polls = pollsWith(
      (_, s) => ({ underMinIsrPartitions: s >= 3 ? 1 : 0 }),
      (_, s) => s > 3,
    );
    expect(findRisk(polls, before, since)?.brokerId).toBe(1);
  });
});

describe('troubleOf', () => {
  it('is the newest reading of each broker that answered', () => {
    const polls = pollsWith(
      (id, s) => ({ underMinIsrPartitions: s, offlinePartitions: id === 1 ? null : 0 }),
      (id) => id === 3,
    );
    expect(troubleOf(polls)).toEqual({
      '1': { underMinIsr: 6, offline: null },
      '2': { underMinIsr: 6, offline: 0 },
    });
  });
});

describe('findLeaderless', () => {
  const topics = [
    {
      name: 'orders',
      partitions: [
        { id: 0, leader: 1 },
        { id: 1, leader: -1 },
      ],
    },
    { name: 'audit', partitions: [{ id: 0, leader: -1 }] },
  ];

  it('names partitions that lost their leader, and leaves out those that had none', () => {
    const now = leaderless(topics);
    expect(now).toEqual(['orders/1', 'audit/0']);
    expect(findLeaderless(now, new Set(now), since)).toBeNull();
    expect(findLeaderless(now, new Set(['audit/0']), since)?.detail).toBe(
      'partition orders/1 has no leader, had one before the load',
    );
    expect(findLeaderless(now, new Set(), since)?.detail).toContain('orders/1 and 1 more have no leader');
  });
});
