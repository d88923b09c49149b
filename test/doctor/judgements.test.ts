import { describe, expect, it } from 'vitest';
import { judgeDisk } from '../../src/doctor/check-disk.ts';
import { checkLeftovers, checkReplicas } from '../../src/doctor/check-kafka.ts';
import { checkNode } from '../../src/doctor/check-node.ts';
import { judgePageClock } from '../../src/doctor/check-page-clock.ts';
import { judgeClock, judgeEviction, judgeRedisVersion } from '../../src/doctor/check-redis.ts';

const partition = (id: number, leader: number, replicas: number[], isr: number[]) => ({
  id,
  leader,
  replicas,
  isr,
});
const topic = (name: string, ...partitions: ReturnType<typeof partition>[]) => ({ name, partitions });
const pageClock = (serverDateMs: number | null) =>
  judgePageClock('b1:7071', { atMs: 1_000_400, scrapeMs: 100, serverDateMs });

describe('the doctor judges', () => {
  for (const { why, result, status, detail } of [
    { why: 'the oldest Node allowed', result: checkNode('20.19.0'), status: 'ok' },
    { why: 'Node one minor below', result: checkNode('20.18.9'), status: 'fail' },
    { why: 'a newer major with a small minor', result: checkNode('22.1.0'), status: 'ok' },
    { why: 'an old major with a large minor', result: checkNode('18.20.0'), status: 'fail' },
    { why: 'the oldest Redis allowed', result: judgeRedisVersion('6.2.0'), status: 'ok' },
    { why: 'Redis one minor below', result: judgeRedisVersion('6.0.16'), status: 'fail' },
    { why: 'a newer Redis', result: judgeRedisVersion('7.0.15'), status: 'ok' },
    { why: 'Redis without a version', result: judgeRedisVersion('?'), status: 'fail' },
    { why: 'noeviction', result: judgeEviction('noeviction'), status: 'ok' },
    { why: 'a policy that drops jobs', result: judgeEviction('allkeys-lru'), status: 'fail' },
    { why: 'CONFIG not allowed', result: judgeEviction('unknown'), status: 'warn' },
    { why: 'clock a little off', result: judgeClock(-900, 1), status: 'ok' },
    { why: 'clock far off, behind', result: judgeClock(-1_001, 1), status: 'warn' },
    { why: 'disk just enough', result: judgeDisk('disk', 500, 500, 'for a test'), status: 'ok' },
    {
      why: 'disk one byte short',
      result: judgeDisk('disk', 499, 500, 'for a test'),
      status: 'fail',
      detail: '499 B free',
    },
    {
      why: 'all replicas in sync',
      result: checkReplicas([topic('a', partition(0, 1, [1, 2], [2, 1]))]),
      status: 'ok',
    },
    {
      why: 'a replica behind',
      result: checkReplicas([topic('a', partition(0, 1, [1, 2], [1, 2]), partition(1, 1, [1, 2], [1]))]),
      status: 'fail',
      detail: 'under-replicated: a-1',
    },
    {
      why: 'no leader comes first',
      result: checkReplicas([
        topic('a', partition(0, 1, [1, 2], [1])),
        topic('b', partition(0, -1, [2], [])),
      ]),
      status: 'fail',
      detail: 'no leader: b-0',
    },
    { why: 'no leftovers', result: checkLeftovers([topic('orders')]), status: 'ok' },
    {
      why: 'leftovers, the long list cut',
      result: checkLeftovers([1, 2, 3, 4, 5].map((n) => topic(`plimsoll-${n}`))),
      status: 'warn',
      detail: 'plimsoll-1, plimsoll-2, plimsoll-3 and 2 more',
    },
    {
      why: 'Date of this very second',
      result: pageClock(1_000_000),
      status: 'ok',
      detail: 'between -0.5 and 0.7 s',
    },
    { why: 'Date of a second ago may be now', result: pageClock(999_400), status: 'ok' },
    { why: 'Date two seconds ago cannot', result: pageClock(998_000), status: 'warn' },
    { why: 'Date ahead', result: pageClock(1_002_000), status: 'warn' },
    { why: 'no Date', result: pageClock(null), status: 'ok' },
  ]) {
    it(why, () => {
      expect(result.status, result.detail).toBe(status);
      expect(result.detail).toContain(detail ?? '');
      expect(result.fix === null).toBe(status === 'ok');
    });
  }
});
