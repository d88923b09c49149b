import { z } from 'zod';
import { type Properties, readProperties } from './properties.ts';
import { orNull, type Reader, readChoice, readWhole, wrong } from './read-value.ts';
import { setting } from './setting.ts';

/** `consumers`: groups that read everything that is sent. */
export const consumerSettings = z.strictObject({
  groups: setting(readWhole({ min: 0, max: 64 }), 0, {
    description:
      'consumer groups that read all of the load while it is sent; 0 loads the brokers with producers alone',
    unit: 'groups',
    flag: 'groups',
    value: 'NUMBER',
  }),
  members: setting(orNull(readWhole({ min: 1, max: 1_000 })), null, {
    description: 'consumers of each group; without it as many as likely keep up with the load',
    unit: 'consumers',
    flag: 'members',
    value: 'NUMBER',
  }),
  from: setting(readChoice(['end', 'beginning']), 'end', {
    description:
      'where groups start in every trial: at the end, or at the beginning of what the topic still holds (catch-up read)',
    flag: 'read-from',
    value: 'PLACE',
  }),
});

/** Set by Plimsoll itself, since what is measured relies on it. */
const RESERVED = ['group.id', 'group.instance.id', 'statistics.interval.ms', 'enable.partition.eof'];

/** Reads consumer properties. */
export const readConsumer: Reader<Properties> = (raw) => {
  const read = readProperties(raw);
  const reserved = read.ok ? RESERVED.find((name) => name in read.value) : undefined;
  return reserved === undefined ? read : wrong(`may not hold ${reserved}; Plimsoll sets it`);
};
