import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  askForRoom,
  type DiskAnswer,
  type DiskLimits,
  type DiskUse,
  diskBytes,
  NOTHING_WRITTEN,
  withDropped,
  withWritten,
} from '../../boundary/disk-budget.ts';

const GB = 1e9;
const SHAPE = { brokers: 3, replicationFactor: 3, bytesBesideValue: 0, keptBytes: 5 * GB };
const LIMITS: DiskLimits = { budgetBytes: 10 * GB, freeBytes: null };
const MINUTE_MS = 60_000;
const NOW_MS = 10 * MINUTE_MS;
const steadily = (megabytesPerSecond: number, seconds: number) => ({
  bytesPerSecond: megabytesPerSecond * 1e6,
  leastBytes: megabytesPerSecond * 1e6 * seconds,
});

describe('what a load writes to each broker', () => {
  it.each<readonly [why: string, expected: number, brokers: number, replicationFactor: number]>([
    ['every broker has every replica', 1.1e6, 3, 3],
    ['half of the replicas each', 0.55e6, 6, 3],
    ['no replication: a share each', 0.22e6, 5, 1],
  ])('%s', (_why, expected, brokers, replicationFactor) => {
    expect(diskBytes(1_000, 1_000, { ...SHAPE, brokers, replicationFactor })).toBeCloseTo(expected, 0);
  });

  it('counts keys and headers', () => {
    expect(diskBytes(1_000, 1_000, { ...SHAPE, bytesBesideValue: 200 })).toBeCloseTo(1.3e6, 0);
  });

  it('is no more than retention lets stay, and what comes before brokers look', () => {
    const use = withWritten(NOTHING_WRITTEN, 36 * GB, 3_600, SHAPE);
    expect(use.topicBytes).toBe(5 * GB + 360 * 10e6);
    expect(withWritten(use, 100e6, 10, SHAPE).topicBytes).toBe(use.topicBytes + 100e6);
  });
});

const holding = (topicBytes: number, dropped: DiskUse['dropped'] = []): DiskUse => ({ topicBytes, dropped });
const deleted = (bytes: number, minutes: number) => [{ bytes, atMs: NOW_MS - minutes * MINUTE_MS }];

describe('room for a load', () => {
  it.each<
    readonly [
      why: string,
      expected: DiskAnswer['kind'],
      use: DiskUse,
      megabytesPerSecond: number,
      limits: Partial<DiskLimits>,
    ]
  >([
    ['nothing written yet', 'room', NOTHING_WRITTEN, 100, {}],
    ['20 s fit beside the former trials', 'room', holding(7 * GB), 100, {}],
    ['they do not', 'new topic', holding(9 * GB), 100, {}],
    ['the deleted topic is still there', 'wait', holding(0, deleted(9 * GB, 1)), 100, {}],
    ['it is gone by now', 'room', holding(0, deleted(9 * GB, 2)), 100, {}],
    [
      'topic and deleted one are in the way together',
      'new topic',
      holding(5 * GB, deleted(4 * GB, 1)),
      100,
      {},
    ],
    ['20 s are more than the whole budget', 'no room', NOTHING_WRITTEN, 600, {}],
    ['the disks have less than the budget', 'no room', NOTHING_WRITTEN, 100, { freeBytes: 2.4 * GB }],
    ['the disks have enough', 'room', NOTHING_WRITTEN, 100, { freeBytes: 2.6 * GB }],
    ['what the topic takes of them comes back', 'new topic', holding(3 * GB), 100, { freeBytes: GB }],
    ['so does what a deleted one takes', 'wait', holding(0, deleted(3 * GB, 1)), 100, { freeBytes: GB }],
    ['somebody else fills them', 'no room', holding(0.1 * GB), 100, { freeBytes: GB }],
  ])('%s', (_why, expected, use, megabytesPerSecond, limits) => {
    const answer = askForRoom(use, steadily(megabytesPerSecond, 20), SHAPE, { ...LIMITS, ...limits }, NOW_MS);
    expect(answer.kind).toBe(expected);
  });

  it('is what is left of the budget', () => {
    const answer = askForRoom(holding(4 * GB), steadily(100, 20), SHAPE, LIMITS, NOW_MS);
    expect(answer).toEqual({ kind: 'room', bytes: 6 * GB });
  });

  it('has no end for a load that retention keeps up with', () => {
    const answer = askForRoom(NOTHING_WRITTEN, steadily(10, 7_200), SHAPE, LIMITS, NOW_MS);
    expect(answer).toEqual({ kind: 'room', bytes: Number.POSITIVE_INFINITY });
  });

  it.each<readonly [lacking: string, limits: DiskLimits, says: RegExp]>([
    ['budget', LIMITS, /^the load writes 20 GB to each broker at the least, a run may keep 10 GB there/],
    [
      'disk',
      { ...LIMITS, freeBytes: 5 * GB },
      /^the load writes 20 GB .*, the fullest disk has room for 4 GB$/,
    ],
  ])('names what is too small: the %s', (lacking, limits, says) => {
    const answer = askForRoom(NOTHING_WRITTEN, steadily(1_000, 20), SHAPE, limits, NOW_MS);
    expect(answer).toMatchObject({ kind: 'no room', lacking, why: expect.stringMatching(says) });
  });

  it('never lets a run have more than the budget on a disk, whatever it writes and drops', () => {
    const load = fc.record({
      megabytesPerSecond: fc.double({ min: 0.001, max: 2_000, noNaN: true }),
      leastSeconds: fc.integer({ min: 5, max: 120 }),
      wantedSeconds: fc.integer({ min: 5, max: 7_200 }),
      restMs: fc.integer({ min: 0, max: 40_000 }),
    });
    fc.assert(
      fc.property(fc.array(load, { maxLength: 30 }), (loads) => {
        let use = NOTHING_WRITTEN;
        let nowMs = 0;
        for (const { megabytesPerSecond, leastSeconds, wantedSeconds, restMs } of loads) {
          const wanted = steadily(megabytesPerSecond, leastSeconds);
          let answer = askForRoom(use, wanted, SHAPE, LIMITS, nowMs);
          for (let step = 0; answer.kind === 'new topic' || answer.kind === 'wait'; step++) {
            expect(step).toBeLessThan(40);
            if (answer.kind === 'new topic') use = withDropped(use, nowMs);
            else nowMs = answer.untilMs;
            answer = askForRoom(use, wanted, SHAPE, LIMITS, nowMs);
          }
          if (answer.kind === 'room') {
            const seconds = Math.min(wantedSeconds, answer.bytes / wanted.bytesPerSecond);
            use = withWritten(use, seconds * wanted.bytesPerSecond, seconds, SHAPE);
            nowMs += seconds * 1_000 + restMs;
          }
          const bytes = withDropped(use, nowMs).dropped.reduce((sum, topic) => sum + topic.bytes, 0);
          expect(bytes).toBeLessThanOrEqual(LIMITS.budgetBytes * (1 + 1e-9));
        }
      }),
    );
  });
});
