import type {
  BrokerReading,
  CoreIdle,
  HandlerIdle,
  IdleMeter,
  Meter,
} from '../../boundary/broker-reading.ts';
import { contradictsKind } from './bean-attribute.ts';
import type { ChosenSeries } from './choose-series.ts';
import type { Exposition, Sample } from './exposition.ts';
import { type HandlerChoice, HIGHEST_RATIO_OF_ONE_POOL, idleSignal, meterInUse } from './idle-choice.ts';
import type { PageResolution } from './resolve-series.ts';
import { hasSeriesName, labelOf, seriesText } from './series-name.ts';
import type { IdleAttribute, SignalName } from './signal-series.ts';
import type { Snapshot } from './signal-source.ts';

/** The values of one look at a broker, without who and when. */
export type PageValues = Omit<BrokerReading, 'kind' | 'brokerId' | 'atMs' | 'scrapeMs'>;

export type ValuesOfLook =
  | { readonly kind: 'values'; readonly values: PageValues }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Reads the resolved series from another look at the same broker. Signals that this look lacks, or shows with a value
 * that they cannot have, are null.
 * @returns the values, or a short reason why this is no look at the broker: its idle is gone or not what it was.
 */
export function readValues(resolution: PageResolution, snapshot: Snapshot): ValuesOfLook {
  const found = findSamples(resolution, snapshot.series);
  const idle = idleOf(found, resolution, snapshot);
  if (typeof idle === 'string') return { kind: 'failed', reason: idle };
  const highest = highestRate(idle);
  if (idle.kind === 'request handlers' && idle.pool === 'broker' && highest > HIGHEST_RATIO_OF_ONE_POOL) {
    const reason = `idle of ${highest.toFixed(2)}: broker and controller share the meter (KAFKA-19606)`;
    return { kind: 'failed', reason };
  }
  const value = (signal: SignalName) => signalValue(found, resolution.chosen.get(signal));
  const meter = (count: SignalName, rate: SignalName) => meterOf(value(count), value(rate));
  const networkIdle = value('networkIdle');
  return {
    kind: 'values',
    values: {
      idle,
      underReplicatedPartitions: value('underReplicatedPartitions'),
      underMinIsrPartitions: value('underMinIsrPartitions'),
      offlinePartitions: value('offlineReplicas') ?? value('offlinePartitions'),
      isrShrinks: meter('isrShrinks', 'isrShrinkRate'),
      isrExpands: meter('isrExpands', 'isrExpandRate'),
      bytesIn: meter('bytesIn', 'bytesInRate'),
      bytesOut: meter('bytesOut', 'bytesOutRate'),
      replicationBytesIn: meter('replicationBytesIn', 'replicationBytesInRate'),
      messagesIn: meter('messagesIn', 'messagesInRate'),
      requests: sumOf(value('produceRequests'), value('fetchRequests')),
      requestQueueSize: value('requestQueueSize'),
      produceP99Ms: value('produceP99Ms'),
      // Before KAFKA-7354 a wait that ended late could make it a little more than 1.
      networkIdle: networkIdle === null ? null : Math.min(1, networkIdle),
      processCpuSeconds: value('processCpuSeconds'),
      gcSeconds: value('gcSeconds'),
    },
  };
}

/** @returns the idle meter as the look shows it, whoever's it is, or what is wrong. */
export function readIdle(resolution: PageResolution, snapshot: Snapshot): IdleMeter | string {
  return idleOf(findSamples(resolution, snapshot.series), resolution, snapshot);
}

/** The highest of the meter's rates, 0 where it has none. */
export function highestRate(idle: IdleMeter): number {
  if (idle.kind === 'cores') return 0;
  const { meanRate, oneMinuteRate, fiveMinuteRate, fifteenMinuteRate } = idle;
  return Math.max(meanRate ?? 0, oneMinuteRate ?? 0, fiveMinuteRate ?? 0, fifteenMinuteRate ?? 0);
}

function idleOf(found: FoundSamples, resolution: PageResolution, snapshot: Snapshot): IdleMeter | string {
  const { idle, chosen } = resolution;
  return idle.kind === 'cores'
    ? readCores(found, chosen.get('busySeconds'))
    : readHandlers(found, resolution, idle, snapshot);
}

type FoundSamples = ReadonlyMap<SignalName, readonly Sample[]>;

/** One pass over the look; of equal series twice the first finite one counts. */
function findSamples({ chosen }: PageResolution, series: Exposition): FoundSamples {
  const byName = new Map<string, ChosenSeries[]>();
  for (const one of chosen.values()) {
    for (const name of one.names) byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  const found = new Map<SignalName, Sample[]>();
  for (const sample of series.samples) {
    if (!Number.isFinite(sample.value)) continue;
    for (const one of byName.get(sample.name) ?? []) {
      if (!isSeriesOf(sample, one)) continue;
      const before = found.get(one.signal);
      if (before === undefined) found.set(one.signal, [sample]);
      else if (one.gather !== 'one') before.push(sample);
    }
  }
  return found;
}

function isSeriesOf(sample: Sample, chosen: ChosenSeries): boolean {
  if (chosen.gather !== 'one') return hasSeriesName(sample, chosen.seriesName);
  if (sample.labels.size !== chosen.labels.size) return false;
  for (const [name, value] of chosen.labels) if (sample.labels.get(name) !== value) return false;
  return true;
}

function signalValue(found: FoundSamples, chosen: ChosenSeries | undefined): number | null {
  if (chosen === undefined) return null;
  const samples = unequal(found.get(chosen.signal) ?? []);
  if (samples.length === 0) return null;
  const value = samples.reduce((sum, sample) => sum + sample.value, 0);
  return contradictsKind(value, chosen.kind) ? null : value / chosen.seriesName.divisor;
}

function unequal(samples: readonly Sample[]): readonly Sample[] {
  if (samples.length < 2) return samples;
  const bySeries = new Map<string, Sample>();
  for (const sample of samples) {
    const series = seriesText(sample);
    if (!bySeries.has(series)) bySeries.set(series, sample);
  }
  return [...bySeries.values()];
}

/** @returns the meter's attributes, or what is wrong. */
function readHandlers(
  found: FoundSamples,
  { chosen }: PageResolution,
  choice: HandlerChoice,
  snapshot: Snapshot,
): HandlerIdle | string {
  const meter = meterInUse(chosen);
  const seriesOf = (attribute: IdleAttribute) => chosen.get(idleSignal(meter, attribute));
  const value = (attribute: IdleAttribute) => signalValue(found, seriesOf(attribute));
  const [best = 'Count'] = choice.attributes;
  if (value(best) === null) {
    const series = seriesOf(best)?.series ?? best;
    const raw = found.get(idleSignal(meter, best))?.[0]?.value;
    return raw === undefined
      ? `${series} is gone from the page`
      : `${series} = ${raw} is no ${best} of the idle`;
  }
  const startSeconds = signalValue(found, chosen.get('processStartSeconds'));
  const nowMs = snapshot.serverDateMs ?? snapshot.atMs;
  return {
    kind: 'request handlers',
    pool: choice.pool,
    countNs: value('Count'),
    meanRate: value('MeanRate'),
    oneMinuteRate: value('OneMinuteRate'),
    fiveMinuteRate: value('FiveMinuteRate'),
    fifteenMinuteRate: value('FifteenMinuteRate'),
    processAgeMs: startSeconds === null ? null : Math.max(0, nowMs - startSeconds * 1000),
  };
}

/** @returns busy seconds by shard, or what is wrong. */
function readCores(found: FoundSamples, chosen: ChosenSeries | undefined): CoreIdle | string {
  const samples = unequal(found.get('busySeconds') ?? []);
  if (chosen === undefined || samples.length < chosen.seriesCount) {
    return `${chosen?.name ?? 'busy time'} is there for ${samples.length} cores only`;
  }
  const byShard = samples.toSorted((a, b) => Number(labelOf(a, 'shard')) - Number(labelOf(b, 'shard')));
  return { kind: 'cores', busySeconds: byShard.map(({ value }) => value) };
}

function meterOf(count: number | null, oneMinuteRate: number | null): Meter | null {
  return count === null && oneMinuteRate === null ? null : { count, oneMinuteRate };
}

function sumOf(produce: number | null, fetch: number | null): number | null {
  return produce === null || fetch === null ? null : produce + fetch;
}
