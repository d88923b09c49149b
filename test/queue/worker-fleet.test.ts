import { describe, expect, it } from 'vitest';
import type { WorkerInfo } from '../../src/queue/load-job.ts';
import { fleetOf } from '../../src/queue/worker-fleet.ts';

const rates = [{ messageBytes: 100, messagesPerSecond: 300_000 }];
const info = (workerId: string, host: string, capacity: WorkerInfo['capacity']): WorkerInfo => ({
  workerId,
  host,
  pid: 1,
  concurrency: 4,
  librdkafkaVersion: '2.12.0',
  capacity,
});

describe('fleetOf', () => {
  it('counts the cores of a host once, however many workers are on it', () => {
    const fleet = fleetOf([
      info('a', 'one', { cores: 4, rates }),
      info('b', 'one', { cores: 4, rates }),
      info('c', 'two', { cores: 4, rates }),
    ]);
    expect(fleet.map(({ workerId, slots, capacity }) => [workerId, slots, capacity?.cores])).toEqual([
      ['a', 4, 2],
      ['b', 4, 2],
      ['c', 4, 4],
    ]);
  });

  it('takes a worker that measured nothing, or is of a version that says nothing, for unknown', () => {
    const { capacity: _, ...old } = info('b', 'two', null);
    const fleet = fleetOf([info('a', 'one', { cores: 4, rates: [] }), old as WorkerInfo]);
    expect(fleet.map(({ capacity }) => capacity)).toEqual([null, null]);
  });
});
