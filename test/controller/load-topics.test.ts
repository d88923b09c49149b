import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { DiskGuard } from '../../src/controller/disk-guard.ts';
import { LoadTopics } from '../../src/controller/load-topics.ts';
import type { RunEvent } from '../../src/controller/run-event.ts';
import type { KafkaConnection, KafkaTopic } from '../../src/kafka/kafka-connection.ts';
import { sampleRun } from '../store/sample-trial.ts';
import { useTemporaryStores } from '../store/temporary-stores.ts';

const stores = useTemporaryStores();
const GB = 1_000_000_000;

/** Two brokers in memory: which topics are asked for is what is tested here; test/contract has the real ones. */
function setUp({ unevenTries = 0, isDeletable = true } = {}) {
  const store = stores.open();
  const made: { readonly name: string; readonly isNoted: boolean }[] = [];
  const topics = new Map<string, KafkaTopic>();
  const told: RunEvent[] = [];
  const kafka = {
    metadata: async () => ({
      brokers: [1, 2].map((id) => ({ id, host: 'h', port: id })),
      topics: [...topics.values()],
    }),
    createTopic: async ({ name }: { readonly name: string }) => {
      made.push({ name, isNoted: store.openTopics().some((topic) => topic.name === name) });
      topics.set(name, topicLed(name, made.length <= unevenTries ? [1, 1] : [1, 2]));
    },
    deleteTopic: async (name: string) => {
      if (!isDeletable) throw new Error('not authorised');
      topics.delete(name);
    },
  } as unknown as KafkaConnection;
  const runId = store.createRun(sampleRun());
  const config = loadConfig({ env: {}, flags: { partitionsPerBroker: '1' }, folder: '/' });
  const observe = (event: RunEvent) => void told.push(event);
  const disks = new DiskGuard({ brokers: 2, replicationFactor: 2, bytesBesideValue: 0, keptBytes: GB }, GB, {
    leastFreeBytes: async () => freeBytes,
  });
  const load = new LoadTopics({ kafka, store, config, runId, brokerIds: [1, 2], disks, observe });
  let freeBytes: number | null = null;
  const setFreeBytes = (bytes: number) => {
    freeBytes = bytes;
  };
  return { load, topics, told, made, setFreeBytes };
}

function topicLed(name: string, leaders: readonly number[]): KafkaTopic {
  return { name, partitions: leaders.map((leader, id) => ({ id, leader, replicas: [1, 2], isr: [1, 2] })) };
}

describe('the topic of a run', () => {
  it('stays the same from trial to trial, whatever the size of the messages', async () => {
    const { load, told } = setUp();
    const { name } = await load.topic();
    expect((await load.topic()).name).toBe(name);
    expect(told).toEqual([]);
  });

  it('is noted before it is made, also when it takes more than one try', async () => {
    const { load, made } = setUp({ unevenTries: 1 });
    await load.topic();
    expect(made.map(({ isNoted }) => isNoted)).toEqual([true, true]);
  });

  it('is made anew when somebody deleted it', async () => {
    const { load, topics, told } = setUp();
    const { name } = await load.topic();
    topics.delete(name);
    const next = await load.topic();
    expect([...topics.keys()]).toEqual([next.name]);
    expect(told).toEqual([{ type: 'warning', text: expect.stringContaining(`${name} is gone`) }]);
  });

  it('is made anew when its leaders have moved, and the old one is deleted', async () => {
    const { load, topics, told } = setUp();
    const { name } = await load.topic();
    topics.set(name, topicLed(name, [1, 1]));
    const next = await load.topic();
    expect([...topics.keys()]).toEqual([next.name]);
    expect(told).toEqual([{ type: 'warning', text: expect.stringContaining('leaders') }]);
  });
});

describe('room for a load', () => {
  const { signal } = new AbortController();
  /** A second of 1 kB messages, replicas and overhead included: so many bytes on each broker. */
  const planned = (megabytes: number) => ({
    messageBytes: 900,
    messagesPerSecond: megabytes * 1_000,
    leastMessages: megabytes * 1_000,
  });
  const written = (megabytes: number) => ({ messageBytes: 900, messages: megabytes * 1_000, seconds: 1 });

  it('is what the budget leaves, in messages', async () => {
    const { load } = setUp();
    load.wrote(written(400));
    expect((await load.topicFor(planned(100), signal)).mostMessages).toBeCloseTo(600_000);
  });

  it('is made by a new topic when the old one is in the way, and its files are waited for', async () => {
    const { load, topics, told } = setUp();
    await load.topicFor(planned(100), signal);
    load.wrote(written(950));
    const impatient = AbortSignal.timeout(20);
    await expect(load.topicFor(planned(100), impatient)).rejects.toMatchObject({ name: 'AbortError' });
    expect(topics.size).toBe(0);
    expect(told.map((event) => 'text' in event && event.text)).toEqual([
      'making room on the disks: up to 950 MB in the topic on each broker',
      'waiting 65 s until the brokers have deleted the old topic',
    ]);
  });

  it('is refused to a load that the budget never lets through', async () => {
    const { load, made } = setUp();
    await expect(load.topicFor(planned(1_100), signal)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(
        /writes 1\.1 GB .* may keep 1 GB .*: no load is offered; .*--resume .* --disk-budget/,
      ),
    });
    expect(made).toEqual([]);
  });

  it('is refused to a load that the disks have not free', async () => {
    const { load, setFreeBytes } = setUp();
    setFreeBytes(100e6);
    await expect(load.topicFor(planned(90), signal)).rejects.toMatchObject({
      code: 'CLUSTER_AT_RISK',
      message: expect.stringMatching(
        /the fullest disk has room for 80 MB: no load is offered; free some space/,
      ),
    });
    expect((await load.topicFor(planned(70), signal)).mostMessages).toBeCloseTo(80_000);
  });

  it('cannot be made when the topic cannot be deleted', async () => {
    const { load } = setUp({ isDeletable: false });
    await load.topicFor(planned(100), signal);
    load.wrote(written(950));
    await expect(load.topicFor(planned(100), signal)).rejects.toMatchObject({ code: 'TOPIC_FAILED' });
  });
});
