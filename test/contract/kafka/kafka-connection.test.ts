import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectKafka, type KafkaConnection } from '../../../src/kafka/kafka-connection.ts';
import { createLoadTopic, dropLoadTopic, leadersByBroker } from '../../../src/kafka/load-topic.ts';
import type { LocalCluster } from '../../../src/local-cluster/local-cluster.ts';
import { startLocalCluster } from '../../../src/local-cluster/start-local-cluster.ts';

const directory = mkdtempSync(join(tmpdir(), 'plimsoll-kafka-'));
let cluster: LocalCluster;
let connection: KafkaConnection;

beforeAll(async () => {
  cluster = await startLocalCluster({ directory, keepRunning: false });
  connection = await connectKafka({ 'bootstrap.servers': cluster.bootstrap }, 10_000);
});

afterAll(async () => {
  await connection?.close();
  await cluster?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const request = (name: string, config: Record<string, string> = {}) => ({
  name,
  brokerIds: cluster.brokers.map(({ id }) => id),
  partitionsPerBroker: 4,
  replicationFactor: 3,
  config,
});
const topicNames = async () => (await connection.metadata(5_000)).topics.map(({ name }) => name);

describe('the load topic', () => {
  it('has even leaders, refuses to be made twice, and is gone after the drop', async () => {
    const topic = await createLoadTopic(connection, request('plimsoll-even', { 'flush.messages': '10' }));
    expect(topic.partitions).toBe(12);
    const { brokers, topics } = await connection.metadata(5_000);
    expect(brokers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    const found = topics.find(({ name }) => name === topic.name);
    expect(found && leadersByBroker(found)).toEqual({ 1: 4, 2: 4, 3: 4 });
    await expect(createLoadTopic(connection, request('plimsoll-even'))).rejects.toMatchObject({
      code: 'TOPIC_FAILED',
    });
    await dropLoadTopic(connection, topic.name);
    await expect.poll(topicNames).not.toContain(topic.name);
  });

  it('gives up on uneven leaders and leaves no topic behind', async () => {
    // Five partitions for "one broker" that is one of three: the others get some of them every time.
    const uneven = { ...request('plimsoll-uneven'), brokerIds: [1], partitionsPerBroker: 5 };
    await expect(createLoadTopic(connection, uneven)).rejects.toMatchObject({
      code: 'TOPIC_FAILED',
      message: expect.stringContaining('5 tries gave no topic with 5 leaders on each broker'),
    });
    await expect.poll(topicNames).not.toContainEqual(expect.stringContaining('uneven'));
  });

  it.each(['orders', 'my-plimsoll-x'])('leaves %s alone', async (name) => {
    await expect(dropLoadTopic(connection, name)).rejects.toMatchObject({ code: 'TOPIC_FAILED' });
    await expect(createLoadTopic(connection, request(name))).rejects.toMatchObject({ code: 'TOPIC_FAILED' });
  });

  it('says what the broker has against its configuration', async () => {
    await expect(
      createLoadTopic(connection, request('plimsoll-bad', { 'flush.messages': '-3' })),
    ).rejects.toMatchObject({
      code: 'TOPIC_FAILED',
      message: expect.stringMatching(/^topic plimsoll-bad cannot be created: .*/),
    });
  });
});

describe('messages', () => {
  it('counts a burst in the end offsets of its partitions only', async () => {
    const topic = await createLoadTopic(connection, request('plimsoll-burst'));
    await connection.sendBurst(topic.name, [3, 7], 100_000);
    const offsets = await connection.endOffsets(topic.name, topic.partitions);
    expect(offsets).toEqual([0, 0, 0, 10, 0, 0, 0, 10, 0, 0, 0, 0]);
    await dropLoadTopic(connection, topic.name);
  });

  it('tells a size that fits from one that the brokers refuse', async () => {
    const topic = await createLoadTopic(
      connection,
      request('plimsoll-size', { 'max.message.bytes': '50000' }),
    );
    await connection.sendOne(topic.name, 49_000);
    for (const bytes of [60_000, 3_000_000]) {
      await expect(connection.sendOne(topic.name, bytes)).rejects.toMatchObject({
        code: 'MESSAGE_TOO_LARGE',
      });
    }
    await expect(connection.sendOne(topic.name, 60_000)).rejects.toThrow(
      'the brokers refuse messages of 60 kB: raise message.max.bytes of the brokers or leave this size out',
    );
    await dropLoadTopic(connection, topic.name);
  });

  it('never makes a topic by asking for it', async () => {
    const absent = `plimsoll-absent-${process.pid}`;
    await expect(connection.endOffsets(absent, 1)).rejects.toMatchObject({ code: 'TOPIC_FAILED' });
    await expect(connection.sendOne(absent, 10)).rejects.toMatchObject({ code: 'TOPIC_FAILED' });
    expect(await topicNames()).not.toContain(absent);
  });

  it('gives acks its effect', async () => {
    // With acks=0 the broker answers nothing, so a message that the topic refuses goes unnoticed.
    const topic = await createLoadTopic(
      connection,
      request('plimsoll-acks', { 'max.message.bytes': '50000' }),
    );
    const blind = await connectKafka({ 'bootstrap.servers': cluster.bootstrap, acks: 0 }, 10_000);
    await blind.sendOne(topic.name, 60_000);
    await blind.close();
    await dropLoadTopic(connection, topic.name);
  });
});
