import { afterAll, describe, expect, it } from 'vitest';
import { type LaneSettings, makeSend, openLane, type ProducerLane } from '../../workers/producer-lane.ts';

const START_AT_MS = 1_700_000_000_000;
const PARTITIONS = 4;
const lanes: ProducerLane[] = [];

afterAll(async () => {
  await Promise.all(lanes.map((lane) => lane.drain(2_000)));
});

/** A lane on librdkafka's own mock cluster, which lives in the lane's process. */
async function lane(change: Partial<LaneSettings> = {}) {
  const client = {
    'test.mock.num.brokers': 1,
    'allow.auto.create.topics': true,
    'linger.ms': 5,
    'statistics.interval.ms': 100,
    dr_cb: true,
    // It announces the mock cluster as a notice on standard error.
    log_level: 3,
    ...change.client,
  };
  const settings: LaneSettings = {
    topic: 'plimsoll-lane',
    schedule: [{ durationMs: 10_000, unitRate: 1_000 }],
    rotation: { partitions: PARTITIONS, dwellMs: 10, batchBytes: 10_000 },
    producer: 0,
    producersOfTrial: 1,
    source: { values: [Buffer.alloc(100, 'a'), Buffer.alloc(100, 'b')], keys: null, headers: undefined },
    connectTimeoutMs: 10_000,
    acceptedByPartition: [],
    errors: {},
    onDelivered: null,
    ...change,
    client,
  };
  const opened = await openLane(settings);
  lanes.push(opened);
  return { opened, settings };
}

describe('a lane', () => {
  it('sends what is due, over all partitions, and never beyond the schedule', async () => {
    const { opened, settings } = await lane();
    expect(opened.send(0, START_AT_MS)).toBe(false);
    expect(opened.accepted).toBe(0);
    opened.send(400, START_AT_MS);
    expect(opened.accepted).toBe(400);
    expect(opened.lateMs(500)).toBe(100);
    for (let pass = 0; pass < 10; pass += 1) opened.send(60_000, START_AT_MS);
    expect(opened.accepted).toBe(10_000);
    expect(settings.acceptedByPartition.reduce((sum, count) => sum + count, 0)).toBe(10_000);
    expect(Math.min(...settings.acceptedByPartition)).toBeGreaterThan(10_000 / PARTITIONS - 200);
    expect(settings.errors).toEqual({});
  });

  it('owes more after a portion, so that the others get their turn', async () => {
    const { opened } = await lane();
    expect(opened.send(10_000, START_AT_MS)).toBe(true);
    expect(opened.accepted).toBeLessThan(10_000);
    while (opened.send(10_000, START_AT_MS));
    expect(opened.accepted).toBe(10_000);
  });

  it('counts and rests when the client queue is full, and loses nothing', async () => {
    const { opened, settings } = await lane({
      client: { 'queue.buffering.max.messages': 10, 'linger.ms': 300 },
    });
    expect(opened.send(1_000, START_AT_MS)).toBe(false);
    expect(opened).toMatchObject({ accepted: 10, queueFull: 1 });
    opened.send(1_001, START_AT_MS);
    expect(opened).toMatchObject({ accepted: 10, queueFull: 1 });
    opened.send(1_020, START_AT_MS);
    expect(opened).toMatchObject({ accepted: 10, queueFull: 2 });
    expect(settings.errors).toEqual({});
  });

  it('names what librdkafka has against a message', async () => {
    const { opened, settings } = await lane({
      rotation: { partitions: 400, dwellMs: 10, batchBytes: 1_000 },
      producer: 300,
      producersOfTrial: 400,
    });
    opened.send(1_000, START_AT_MS);
    expect(opened.accepted).toBe(0);
    expect(settings.errors).toEqual({ ERR__UNKNOWN_PARTITION: 1 });
  });

  it('has every delivered message told when it is timed', async () => {
    let told = 0;
    const { opened } = await lane({
      onDelivered: () => {
        told += 1;
      },
    });
    expect(opened.isTimed).toBe(true);
    opened.send(300, START_AT_MS);
    await opened.drain(5_000);
    await expect.poll(() => told, { timeout: 5_000 }).toBe(300);
  });

  it('tells nothing of single messages otherwise, but counts the acknowledged ones', async () => {
    const { opened } = await lane();
    expect(opened.isTimed).toBe(false);
    opened.send(500, START_AT_MS);
    await opened.drain(5_000);
    const acked = async () => {
      opened.poll();
      return opened.snapshots.at(-1)?.acked;
    };
    await expect.poll(acked, { timeout: 5_000 }).toBe(500);
    const sentBytes = async () => {
      opened.poll();
      return opened.snapshots.at(-1)?.sentBytes;
    };
    await expect.poll(sentBytes, { timeout: 5_000 }).toBeGreaterThan(500 * 100);
  });
});

describe('makeSend', () => {
  const values = ['a', 'bb', 'ccc', 'dddd'].map((text) => Buffer.from(text));
  const settings: LaneSettings = {
    client: {},
    topic: 'plimsoll-lane',
    schedule: [{ durationMs: 1_000, unitRate: 300 }],
    rotation: { partitions: PARTITIONS, dwellMs: 10, batchBytes: 10 },
    producer: 1,
    producersOfTrial: 4,
    source: { values, keys: [Buffer.from('k0'), Buffer.from('k1')], headers: undefined },
    connectTimeoutMs: 1_000,
    acceptedByPartition: [],
    errors: {},
    onDelivered: null,
  };
  const recorder = () => {
    const calls: { partition: number; value: string; key: string | undefined; atMs: number }[] = [];
    const produce = (partition: number, value: Buffer, key: Buffer | null, atMs: number) => {
      calls.push({ partition, value: value.toString(), key: key?.toString(), atMs });
      return 0;
    };
    return { calls, produce };
  };

  it('gives each message when it fell due as its timestamp, in whole ms rounded down, however late it is', () => {
    const { calls, produce } = recorder();
    makeSend(produce, settings, { accepted: 0, failed: 0, queueFull: 0 }, 0.25)(60_000, START_AT_MS);
    const due = Array.from({ length: 300 }, (_, index) =>
      Math.floor(START_AT_MS + ((index + 0.75) / 300) * 1_000),
    );
    expect(calls.map(({ atMs }) => atMs)).toEqual(due);
  });

  it('starts at a place of its own in values and keys, goes round, and fills batches with the real sizes', () => {
    const { calls, produce } = recorder();
    makeSend(produce, settings, { accepted: 0, failed: 0, queueFull: 0 }, 0.25)(25, START_AT_MS);
    expect(calls.map(({ value, key }) => `${key} ${value}`)).toEqual([
      'k1 bb',
      'k0 ccc',
      'k1 dddd',
      'k0 a',
      'k1 bb',
      'k0 ccc',
      'k1 dddd',
    ]);
    expect(calls.map(({ partition }) => partition)).toEqual([1, 1, 1, 1, 2, 2, 2]);
  });
});
