import { z } from 'zod';
import { type Properties, readProperties } from './properties.ts';
import { readWhole } from './read-value.ts';
import { setting } from './setting.ts';

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
  config: setting<Properties>(
    readProperties,
    {},
    {
      description: 'setting of the test topic, for example flush.messages=1',
      flag: 'topic-config',
      value: 'NAME=VALUE',
      isProperties: true,
    },
  ),
});
