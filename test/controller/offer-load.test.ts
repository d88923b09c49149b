import { describe, expect, it } from 'vitest';
import { PLAIN_MESSAGES } from '../../boundary/payload/message-recipe.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { offerLoad } from '../../src/controller/offer-load.ts';
import type { RunContext } from '../../src/controller/run-context.ts';
import type { LoadJob, ReadJob, ShardJobData, WorkerInfo } from '../../src/queue/load-job.ts';

const worker = (workerId: string): WorkerInfo => ({
  workerId,
  host: workerId,
  pid: 1,
  concurrency: 1,
  librdkafkaVersion: '2.12.0',
  capacity: null,
});

/** Offers a load of 10 producers to made-up workers that are ready at once. */
async function offer(flags: Record<string, unknown>, workers: readonly string[], isTimed = true) {
  const jobs: ShardJobData[] = [];
  const orders: string[] = [];
  const trial = {
    whenReady: async () => 'ready',
    start: async () => void orders.push('start'),
  };
  const context = {
    runId: 'r1',
    config: loadConfig({ env: {}, flags: { bootstrap: 'a:1', ...flags }, folder: '/nowhere' }),
    messages: PLAIN_MESSAGES,
    queue: {
      clock: () => ({ nowMs: () => 5_000 }),
      workers: async () => workers.map(worker),
      dispatch: async (all: readonly ShardJobData[]) => {
        jobs.push(...all);
        return trial;
      },
    },
    signal: new AbortController().signal,
    nextEpoch: () => 7,
  } as unknown as RunContext;
  const topic = { name: 'plimsoll-t', partitions: 12 };
  const schedule = [
    { durationMs: 1_000, unitRate: 50 },
    { durationMs: 1_000, unitRate: 100 },
  ];
  const offered = await offerLoad(context, { topic, np: 10, messageBytes: 1_000, schedule, isTimed });
  return {
    offered,
    orders,
    producing: jobs.filter((job): job is LoadJob => job.kind === 'produce'),
    reading: jobs.filter((job): job is ReadJob => job.kind === 'consume'),
  };
}

describe('offerLoad', () => {
  it('is producers alone without groups', async () => {
    const { offered, producing, reading, orders } = await offer({}, ['w1', 'w2']);
    expect(producing.map(({ workerId, producers }) => [workerId, producers])).toEqual([
      ['w1', 5],
      ['w2', 5],
    ]);
    expect(reading).toEqual([]);
    expect(offered).toMatchObject({ shards: 2, readers: 0, startAtMs: 7_000 });
    expect(orders).toEqual(['start']);
  });

  it('numbers the jobs of consumers behind those of producers, each addressed to its worker', async () => {
    const { offered, producing, reading } = await offer({ groups: '3', members: '2' }, ['w1', 'w2']);
    expect(offered).toMatchObject({ shards: 2, readers: 2 });
    expect(producing.map(({ shard }) => shard)).toEqual([0, 1]);
    expect(reading.map(({ shard, workerId }) => [shard, workerId])).toEqual([
      [2, 'w1'],
      [3, 'w2'],
    ]);
    expect(reading[0]).toMatchObject({ epoch: 7, topic: 'plimsoll-t', partitions: 12, from: 'end' });
    const groups = reading.flatMap(({ members }) => members.map(({ group }) => group));
    expect([...new Set(groups)].sort()).toEqual([1, 2, 3].map((n) => `plimsoll-r1-group-${n}`));
    expect(groups).toHaveLength(6);
  });

  it('gives producers and consumers their own settings over those of every client', async () => {
    const flags = { groups: '1', client: ['a=1'], producer: ['acks=all'], consumer: ['check.crcs=true'] };
    const { producing, reading } = await offer(flags, ['w1']);
    expect(producing[0]?.client).toMatchObject({ a: 1, acks: 'all', 'bootstrap.servers': 'a:1' });
    expect(reading[0]?.client).toEqual({ a: 1, 'check.crcs': true, 'bootstrap.servers': 'a:1' });
  });

  it('times producers of trials, and none of probes', async () => {
    const [trial, probe] = [await offer({}, ['w1']), await offer({}, ['w1'], false)];
    expect(trial.producing[0]?.timedProducers).toBeGreaterThan(0);
    expect(probe.producing[0]?.timedProducers).toBe(0);
  });

  it('cannot do without a worker', async () => {
    await expect(offer({}, [])).rejects.toMatchObject({ code: 'WORKER_MISSING' });
  });
});
