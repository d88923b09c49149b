import { z } from 'zod';
import { readDurationMs } from './read-value.ts';
import { setting } from './setting.ts';

/** `trial`: the times of one trial. */
export const trialSettings = z.strictObject({
  warmUpMs: setting(
    readDurationMs({ min: 3_000, because: 'producers and brokers need it to reach a steady state' }),
    3_000,
    {
      description: 'time left out before the measured window',
      unit: 'ms',
      flag: 'warm-up',
      value: 'DURATION',
    },
  ),
  windowMs: setting(readDurationMs({ min: 1_000 }), 15_000, {
    description: 'length of the measured window',
    unit: 'ms',
    flag: 'window',
    value: 'DURATION',
  }),
  maxWindowMs: setting(readDurationMs({ min: 1_000 }), 45_000, {
    description: 'longest window: to see a follower leave the ISR, or when the verdict is undecided',
    unit: 'ms',
    flag: 'max-window',
    value: 'DURATION',
  }),
  pollIntervalMs: setting(readDurationMs({ min: 100 }), 1_000, {
    description: 'time between two looks at a broker',
    unit: 'ms',
    flag: 'poll-interval',
    value: 'DURATION',
  }),
  startLeadMs: setting(
    readDurationMs({ min: 2_000, because: 'every shard must hear of the start before it' }),
    2_000,
    {
      description: 'the common start lies this far ahead',
      unit: 'ms',
      flag: 'start-lead',
      value: 'DURATION',
    },
  ),
  drainTimeoutMs: setting(readDurationMs({ min: 1_000 }), 20_000, {
    description: 'how long client queues may take to empty after a trial',
    unit: 'ms',
    flag: 'drain-timeout',
    value: 'DURATION',
  }),
  settleTimeoutMs: setting(readDurationMs({}), 60_000, {
    description: 'how long the brokers may take to become idle again between trials',
    unit: 'ms',
    flag: 'settle-timeout',
    value: 'DURATION',
  }),
});
