import { describe, expect, it } from 'vitest';
import { PLAIN_MESSAGES } from '../../boundary/payload/message-recipe.ts';
import type { LoadJob } from '../../src/queue/load-job.ts';
import { batchBytesOf, producerProperties, rotationRule } from '../../workers/client-settings.ts';

const job = (change: Partial<LoadJob>): LoadJob => ({
  kind: 'produce',
  runId: 'run',
  workerId: 'worker',
  epoch: 1,
  shard: 0,
  producers: 50,
  firstProducer: 0,
  producersOfTrial: 50,
  schedule: [{ durationMs: 10_000, unitRate: 1 }],
  messageBytes: 1_000,
  messages: PLAIN_MESSAGES,
  timedProducers: 0,
  topic: 'plimsoll-t',
  partitions: 30,
  client: {},
  startTimeoutMs: 1_000,
  drainTimeoutMs: 5_000,
  seed: 1,
  ...change,
});

describe('producerProperties', () => {
  it.each([
    [1, 100, 1_000_000, 'one producer has it all'],
    [50, 100, 20_000, 'fifty share 1 GB'],
    [1_000, 100, 4_096, 'never under 4 MB'],
    [1_000, 1_000_000, 7_813, 'always room for eight messages'],
  ])('gives %d producers of %d B a queue of %d kB (%s)', (producers, messageBytes, kbytes) => {
    expect(producerProperties(job({ producers, messageBytes }))['queue.buffering.max.kbytes']).toBe(kbytes);
  });

  it('lets the configuration win, but for what the counting relies on', () => {
    const client = { 'message.timeout.ms': 77, 'statistics.interval.ms': 0, dr_cb: false };
    expect(producerProperties(job({ client }))).toMatchObject({
      'message.timeout.ms': 77,
      'statistics.interval.ms': 1_000,
      dr_cb: true,
    });
  });

  it('gives messages more time than the trial lasts', () => {
    expect(producerProperties(job({}))['message.timeout.ms']).toBeGreaterThan(15_000);
  });

  it('lets the largest value of a distribution through', () => {
    const messages = { ...PLAIN_MESSAGES, sizes: { kind: 'uniform', spread: 0.5 } } as const;
    const properties = producerProperties(job({ messageBytes: 2_000_000, messages }));
    expect(properties['message.max.bytes']).toBeGreaterThanOrEqual(3_000_000);
  });
});

describe('rotationRule', () => {
  it.each([
    [{}, 10, 'librdkafka lingers 5 ms by default'],
    [{ 'linger.ms': 25 }, 50, 'twice the linger'],
    [{ 'queue.buffering.max.ms': '7' }, 14, 'the older name of linger.ms'],
  ])('%j dwells %d ms (%s)', (client, dwellMs, _why) => {
    expect(rotationRule(job({ client })).dwellMs).toBe(dwellMs);
  });

  it('reads batch.size', () => {
    expect(batchBytesOf({ 'batch.size': 131_072 })).toBe(131_072);
  });
});
