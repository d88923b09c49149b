import { z } from 'zod';
import { readByteCount } from './byte-count.ts';
import { type Properties, readProperties } from './properties.ts';
import { type Reader, readWhole, wrong } from './read-value.ts';
import { setting } from './setting.ts';

/** Latencies are told from the time that the producer gave a message, which the brokers must not write over. */
const readTopicConfig: Reader<Properties> = (raw) => {
  const read = readProperties(raw);
  const isBrokersTime = read.ok && read.value['message.timestamp.type'] === 'LogAppendTime';
  return isBrokersTime
    ? wrong(
        'may not hold message.timestamp.type=LogAppendTime: latencies are told from the time of the producer',
      )
    : read;
};

/** `topic`: the test topic that a run makes and deletes. */
export const topicSettings = z.strictObject({
  partitionsPerBroker: setting(readWhole({ min: 1, max: 1_000 }), 10, {
    description: 'partitions of the test topic led by each broker',
    flag: 'partitions-per-broker',
    value: 'NUMBER',
  }),
  replicationFactor: setting(readWhole({ min: 1, max: 32_767 }), 3, {
    description: 'replicas of each partition; lowered to the number of brokers',
    flag: 'replication-factor',
    value: 'NUMBER',
  }),
  diskBudgetBytes: setting(readByteCount({ min: 1_000_000 }), 20_000_000_000, {
    description: 'most that a run keeps on the disk of each broker; the topic is made anew in time',
    unit: 'bytes',
    flag: 'disk-budget',
    value: 'SIZE',
  }),
  config: setting<Properties>(
    readTopicConfig,
    {},
    {
      description: 'setting of the test topic, for example flush.messages=1',
      flag: 'topic-config',
      value: 'NAME=VALUE',
      isProperties: true,
    },
  ),
});
