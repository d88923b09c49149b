import { z } from 'zod';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../boundary/verdict.ts';
import { orNull, readDurationMs, readPositive, readRatio } from './read-value.ts';
import { setting } from './setting.ts';

/** `thresholds`: the limits of the verdict's rules; defaults are boundary/verdict.ts's. */
export const thresholdSettings = z.strictObject({
  idleRatio: setting(readRatio({ allowZero: false }), DEFAULT_THRESHOLDS.idleRatio, {
    description: 'overloaded below this request-handler idle on any broker',
    unit: 'ratio',
    flag: 'idle-ratio',
    value: 'RATIO',
  }),
  isrChurnShare: setting(readRatio({ allowZero: true }), DEFAULT_THRESHOLDS.isrChurnShare, {
    description: 'overloaded above this share of time with ISR changes or under-replicated partitions',
    unit: 'ratio',
    flag: 'isr-churn-share',
    value: 'RATIO',
  }),
  deliveryRatio: setting(readRatio({ allowZero: false }), DEFAULT_THRESHOLDS.deliveryRatio, {
    description: 'delivery is behind below this acked / offered',
    unit: 'ratio',
    flag: 'delivery-ratio',
    value: 'RATIO',
  }),
  roundTripGrowth: setting(readPositive, DEFAULT_THRESHOLDS.roundTripGrowth, {
    description: 'brokers slow when the second half takes this many times the first half, and ...',
    unit: 'factor',
    flag: 'round-trip-growth',
    value: 'FACTOR',
  }),
  roundTripFloorMs: setting(readDurationMs({}), DEFAULT_THRESHOLDS.roundTripFloorMs, {
    description: '... the p99 round trip is above this',
    unit: 'ms',
    flag: 'round-trip-floor',
    value: 'DURATION',
  }),
  missedPollShare: setting(readRatio({ allowZero: true }), DEFAULT_THRESHOLDS.missedPollShare, {
    description: 'share of polls of a broker that may be missing before a trial is invalid',
    unit: 'ratio',
    flag: 'missed-poll-share',
    value: 'RATIO',
  }),
  shardLateMs: setting(readDurationMs({}), DEFAULT_THRESHOLDS.shardLateMs, {
    description: 'a shard that starts later than this makes a trial invalid',
    unit: 'ms',
    flag: 'shard-late',
    value: 'DURATION',
  }),
  lagGrowthShare: setting(readRatio({ allowZero: false }), DEFAULT_THRESHOLDS.lagGrowthShare, {
    description:
      'overloaded when the lag of a consumer group grows by more than this share of the offered rate',
    unit: 'ratio',
    flag: 'lag-growth-share',
    value: 'RATIO',
  }),
  latencyP99Ms: setting(
    orNull(readDurationMs({ min: 5, because: 'the measurement itself is only good to a few ms' })),
    DEFAULT_THRESHOLDS.latencyP99Ms,
    {
      description:
        'overloaded when more than 1 % of the messages take longer from the send time asked for to the acknowledgement, for example 100ms',
      unit: 'ms',
      flag: 'latency-p99',
      value: 'DURATION',
    },
  ),
} satisfies Record<keyof Thresholds, z.ZodType<number | null>>);
