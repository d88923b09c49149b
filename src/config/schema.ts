import { z } from 'zod';
import { DEFAULT_THRESHOLDS, type Thresholds } from '../../boundary/verdict.ts';
import { checkTogether } from './cross-checks.ts';
import { type MetricsPages, readMetricsPages } from './metrics-pages.ts';
import { DEFAULT_PRODUCER, type Properties, readProducer, readProperties } from './properties.ts';
import {
  orNull,
  type Reader,
  readAddresses,
  readChoice,
  readDurationMs,
  readPositive,
  readRatio,
  readSizes,
  readText,
  readWhole,
} from './read-value.ts';
import { readRedisUrl } from './redis-url.ts';

/** What a setting is besides its type: help text, table and names come from here. */
export interface SettingMeta {
  readonly description: string;
  /** Shown in help and table: ms, ratio, bytes ... */
  readonly unit?: string;
  /** Name of the flag, without dashes. */
  readonly flag: string;
  /** Placeholder of the flag's value in the help. */
  readonly value: string;
  /** Properties: the flag may be repeated, and every source adds to the ones below it. */
  readonly isProperties?: boolean;
  /** Environment variable read besides PLIMSOLL_...; the latter wins. */
  readonly alsoEnv?: string;
}

export const settingMeta = z.registry<SettingMeta>();

/** Makes a setting: how it is read, its default, and what is told about it. */
function setting<T>(read: Reader<T>, initial: NoInfer<T>, meta: SettingMeta) {
  const schema = z
    .unknown()
    .transform((raw, context): T => {
      const result = read(raw);
      if (result.ok) return result.value;
      context.addIssue({ code: 'custom', message: result.problem });
      return z.NEVER;
    })
    // The cast undoes what TypeScript cannot follow: T is not undefined, so the default's type is T.
    .default(initial as z.core.util.NoUndefined<Awaited<T>>);
  settingMeta.add(schema, meta);
  return schema;
}

const thresholds = z.strictObject({
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
} satisfies Record<keyof Thresholds, z.ZodType<number>>);

const trial = z.strictObject({
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
    description: 'longest window, for a hold or when the verdict is undecided',
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

const load = z.strictObject({
  targetNp: setting(readWhole({ min: 1, max: 10_000 }), 50, {
    description: 'the unit rate is chosen so that the boundary falls near this many producers',
    unit: 'producers',
    flag: 'target-np',
    value: 'NUMBER',
  }),
  maxNp: setting(readWhole({ min: 1, max: 10_000 }), 200, {
    description: 'most producers that a trial may use',
    unit: 'producers',
    flag: 'max-np',
    value: 'NUMBER',
  }),
  maxMegabytesPerSecond: setting(orNull(readPositive), null, {
    description: 'never offer the cluster more than this',
    unit: 'MB/s',
    flag: 'max-megabytes-per-second',
    value: 'NUMBER',
  }),
  seed: setting(readWhole({ min: 0, max: 0xffff_ffff }), 1, {
    description: 'seed of the payload and of every random choice',
    flag: 'seed',
    value: 'NUMBER',
  }),
});

const topic = z.strictObject({
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

/** The one schema: types, defaults, flags, variables, the README's table and the checks all come from it. */
export const configSchema = z
  .strictObject({
    bootstrap: setting(readAddresses, [], {
      description: 'addresses of the cluster, host:port with commas between',
      flag: 'bootstrap',
      value: 'ADDRESSES',
    }),
    metrics: setting<MetricsPages>(
      readMetricsPages,
      {},
      {
        description: 'metrics page of each broker: 1=http://..,2=http://.. or http://..,http://..',
        flag: 'metrics',
        value: 'URLS',
      },
    ),
    bpm: setting(readSizes, [100, 1_000, 10_000], {
      description: 'message sizes to find the limit at, for example 100,1kB,10kB',
      unit: 'bytes',
      flag: 'bpm',
      value: 'SIZES',
    }),
    strategy: setting(readChoice(['bisection']), 'bisection', {
      description: 'how the boundary is searched',
      flag: 'strategy',
      value: 'NAME',
    }),
    confirm: setting(readChoice([0, 1]), 1, {
      description: 'repeats of each bound before it is reported; 0 is the published method',
      unit: 'trials',
      flag: 'confirm',
      value: 'NUMBER',
    }),
    precision: setting(readRatio({ allowZero: false }), 0.05, {
      description: 'the search ends when the bounds are this close together',
      unit: 'ratio',
      flag: 'precision',
      value: 'RATIO',
    }),
    thresholds: thresholds.prefault({}),
    trial: trial.prefault({}),
    load: load.prefault({}),
    topic: topic.prefault({}),
    producer: setting<Properties>(readProducer, DEFAULT_PRODUCER, {
      description: 'librdkafka property of the producers, for example linger.ms=5',
      flag: 'producer',
      value: 'NAME=VALUE',
      isProperties: true,
    }),
    client: setting<Properties>(
      readProperties,
      {},
      {
        description: 'librdkafka property of every client, for example security.protocol=ssl',
        flag: 'client',
        value: 'NAME=VALUE',
        isProperties: true,
      },
    ),
    replicaLagTimeMaxMs: setting(readDurationMs({ min: 1 }), 30_000, {
      description: "the brokers' replica.lag.time.max.ms, which sets how long the lower bound is held",
      unit: 'ms',
      flag: 'replica-lag-time-max',
      value: 'DURATION',
    }),
    redis: z
      .strictObject({
        url: setting(orNull(readRedisUrl), null, {
          description: 'Redis to hand out the load with; without it a private one is started',
          flag: 'redis',
          value: 'URL',
          alsoEnv: 'REDIS_URL',
        }),
      })
      .prefault({}),
    workers: z
      .strictObject({
        localConcurrency: setting(readWhole({ min: 1, max: 256 }), 1, {
          description: 'load jobs that the local worker runs at once',
          flag: 'local-concurrency',
          value: 'NUMBER',
        }),
      })
      .prefault({}),
    home: setting(readText, '.plimsoll', {
      description: 'folder of the database and the reports',
      flag: 'home',
      value: 'FOLDER',
    }),
  })
  .superRefine(checkTogether);

/** The effective configuration: frozen, every key set. */
export type Config = DeepReadonly<z.output<typeof configSchema>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
