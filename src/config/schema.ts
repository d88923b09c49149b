import { z } from 'zod';
import { consumerSettings, readConsumer } from './consumer-settings.ts';
import { checkTogether } from './cross-checks.ts';
import { loadSettings } from './load-settings.ts';
import { messageSettings } from './message-settings.ts';
import { type MessageSizes, readSizes } from './message-sizes.ts';
import { type MetricsPages, readMetricsPages } from './metrics-pages.ts';
import { DEFAULT_PRODUCER, type Properties, readProducer, readProperties } from './properties.ts';
import {
  orNull,
  readAddresses,
  readChoice,
  readDurationMs,
  readRatio,
  readText,
  readWhole,
} from './read-value.ts';
import { readRedisUrl } from './redis-url.ts';
import { setting } from './setting.ts';
import { checkSignals } from './signal-checks.ts';
import { signalSettings } from './signal-settings.ts';
import { thresholdSettings } from './threshold-settings.ts';
import { topicSettings } from './topic-settings.ts';
import { trialSettings } from './trial-settings.ts';

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
        description:
          'metrics page (or agent, signals.source) of each broker: 1=http://..,2=http://.. or http://..,http://..',
        flag: 'metrics',
        value: 'URLS',
      },
    ),
    signals: signalSettings.prefault({}),
    bpm: setting<MessageSizes>(readSizes, [100, 1_000, 10_000], {
      description:
        'message sizes to find the limit at, for example 100,1kB,10kB; 100..1MB picks the sizes that the curve needs',
      unit: 'bytes',
      flag: 'bpm',
      value: 'SIZES',
    }),
    strategy: setting(readChoice(['adaptive', 'bisection']), 'adaptive', {
      description:
        'how the boundary is searched: adaptive, by how idle the brokers are, or bisection, the published method',
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
      description:
        'how well each limit is to be known: half of its 95 % interval (adaptive), the gap between the bounds (bisection)',
      unit: 'ratio',
      flag: 'precision',
      value: 'RATIO',
    }),
    maxTrials: setting(readWhole({ min: 1, max: 1_000 }), 40, {
      description: 'a size that took this many trials ends with the bounds it has, once it has both',
      unit: 'trials',
      flag: 'max-trials',
      value: 'NUMBER',
    }),
    timeBudgetMs: setting(orNull(readDurationMs({ min: 60_000 })), null, {
      description: 'the search ends with what it has before it takes longer than this',
      unit: 'ms',
      flag: 'time-budget',
      value: 'DURATION',
    }),
    holdMs: setting(orNull(readDurationMs({ min: 30_000 })), null, {
      description: 'each limit that was found is held for this long: what holds for a window need not last',
      unit: 'ms',
      flag: 'hold',
      value: 'DURATION',
    }),
    thresholds: thresholdSettings.prefault({}),
    trial: trialSettings.prefault({}),
    load: loadSettings.prefault({}),
    messages: messageSettings.prefault({}),
    consumers: consumerSettings.prefault({}),
    topic: topicSettings.prefault({}),
    producer: setting<Properties>(readProducer, DEFAULT_PRODUCER, {
      description: 'librdkafka property of the producers, for example linger.ms=5',
      flag: 'producer',
      value: 'NAME=VALUE',
      isProperties: true,
    }),
    consumer: setting<Properties>(
      readConsumer,
      {},
      {
        description: 'librdkafka property of the consumers, for example fetch.min.bytes=10000',
        flag: 'consumer',
        value: 'NAME=VALUE',
        isProperties: true,
      },
    ),
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
    replicaLagTimeMaxMs: setting(readDurationMs({ min: 1_000 }), 30_000, {
      description: "the brokers' replica.lag.time.max.ms, which sets the window that confirms a lower bound",
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
        localConcurrency: setting(orNull(readWhole({ min: 1, max: 256 })), null, {
          description:
            'load jobs that the local worker runs at once; none: one for each core, as memory allows',
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
  .superRefine(checkTogether)
  .superRefine(checkSignals);

/** The effective configuration: frozen, every key set. */
export type Config = DeepReadonly<z.output<typeof configSchema>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
