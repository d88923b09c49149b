import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FleetWorker } from '../../boundary/fleet-capacity.ts';
import { placeReaders, type ReadLoad } from '../../boundary/reader-split.ts';

const fleet = (...slots: readonly number[]): FleetWorker[] =>
  slots.map((count, index) => ({ workerId: `w${index + 1}`, slots: count, capacity: null }));

const load = (change: Partial<ReadLoad> = {}): ReadLoad => ({
  groups: ['g1', 'g2', 'g3', 'g4', 'g5'],
  membersOfGroup: 1,
  partitions: 30,
  messagesPerSecond: 1_000,
  messageBytes: 1_000,
  ...change,
});

const counts = (change: Partial<ReadLoad>, ...slots: readonly number[]) =>
  placeReaders(load(change), fleet(...slots)).map(({ workerId, members }) => [workerId, members.length]);

describe('placeReaders', () => {
  it.each<[why: string, change: Partial<ReadLoad>, slots: number[], expected: [string, number][]]>([
    ['no groups, no jobs', { groups: [] }, [1, 1], []],
    ['one worker, a light load: one child reads all', {}, [4], [['w1', 5]]],
    [
      'two workers share them',
      {},
      [1, 1],
      [
        ['w1', 3],
        ['w2', 2],
      ],
    ],
    ['one member is read by one worker', { groups: ['g1'] }, [1, 1, 1], [['w1', 1]]],
    [
      '5 x 100,000/s are more than four children take: all slots',
      { messagesPerSecond: 100_000, messageBytes: 100 },
      [2, 1],
      [
        ['w1', 2],
        ['w2', 2],
        ['w1', 1],
      ],
    ],
    [
      'a hundred members are too many for one child',
      { groups: ['g1'], membersOfGroup: 100, partitions: 100 },
      [3],
      [
        ['w1', 50],
        ['w1', 50],
      ],
    ],
  ])('%s', (_why, change, slots, expected) => {
    expect(counts(change, ...slots)).toEqual(expected);
  });

  it.each<[why: string, change: Partial<ReadLoad>, membersOfGroup: number]>([
    ['a light load: one', { messagesPerSecond: 1_000 }, 1],
    ['400,000 messages/s: one for 120,000 each', { messagesPerSecond: 400_000, messageBytes: 100 }, 4],
    ['750 MB/s: one for 300 MB/s each', { messagesPerSecond: 7_500, messageBytes: 100_000 }, 3],
    ['never more than partitions', { messagesPerSecond: 900_000, partitions: 3 }, 3],
    ['nor than children that there may be', { messagesPerSecond: 900_000 }, 5],
  ])('chooses the members of a group when none are asked for: %s', (_why, change, expected) => {
    const [share] = placeReaders(load({ ...change, membersOfGroup: null }), fleet(5));
    expect(share?.members[0]?.membersOfGroup).toBe(expected);
  });

  it('places every member once, no job empty, never more jobs than slots', () => {
    const slots = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 8 }),
        fc.option(fc.integer({ min: 1, max: 40 })),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 500_000 }),
        slots,
        (groups, membersOfGroup, partitions, messagesPerSecond, workers) => {
          const names = Array.from({ length: groups }, (_, index) => `g${index}`);
          const shares = placeReaders(
            load({ groups: names, membersOfGroup, partitions, messagesPerSecond }),
            fleet(...workers),
          );
          const members = shares.flatMap((share) => share.members);
          expect(new Set(members.map(({ group, member }) => `${group} ${member}`)).size).toBe(members.length);
          for (const { membersOfGroup: size, member } of members) {
            expect(member).toBeLessThan(size);
            expect(size).toBeLessThanOrEqual(partitions);
          }
          const first = members[0]?.membersOfGroup ?? 0;
          expect(members.length).toBe(groups * first);
          for (const share of shares) expect(share.members.length).toBeGreaterThan(0);
          for (const [index, most] of workers.entries()) {
            const used = shares.filter(({ workerId }) => workerId === `w${index + 1}`).length;
            expect(used).toBeLessThanOrEqual(most);
          }
        },
      ),
    );
  });
});
