import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { LoadTopics } from '../../src/controller/load-topics.ts';
import type { RunEvent } from '../../src/controller/run-event.ts';
import type { KafkaConnection, KafkaTopic } from '../../src/kafka/kafka-connection.ts';
import { sampleRun } from '../store/sample-trial.ts';
import { useTemporaryStores } from '../store/temporary-stores.ts';

const stores = useTemporaryStores();

/** Two brokers in memory: which topics are asked for is what is tested here; test/contract has the real ones. */
function setUp(unevenTries = 0) {
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
    deleteTopic: async (name: string) => void topics.delete(name),
  } as unknown as KafkaConnection;
  const runId = store.createRun(sampleRun());
  const config = loadConfig({ env: {}, flags: { partitionsPerBroker: '1' }, folder: '/' });
  const observe = (event: RunEvent) => void told.push(event);
  const load = new LoadTopics({ kafka, store, config, runId, brokerIds: [1, 2], observe });
  return { load, topics, told, made };
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
    const { load, made } = setUp(1);
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
