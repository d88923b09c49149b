import { PlimsollError } from '../errors.ts';
import { beanNameOf, contradictsKind, originOf } from './bean-attribute.ts';
import type { Exposition, Sample } from './exposition.ts';
import {
  labelOf,
  type SamplesByName,
  type SeriesName,
  samplesOf,
  seriesText,
  type WantedSignal,
} from './series-name.ts';
import type { SignalName, SignalSeries } from './signal-series.ts';

/** The series that carries a signal on this page. */
export interface ChosenSeries {
  readonly signal: SignalName;
  /** As the page writes it, labels sorted, for people; the first one where several are gathered. */
  readonly series: string;
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  /** All names that its series have on the page. */
  readonly names: readonly string[];
  /** How to find gathered series again. */
  readonly seriesName: SeriesName;
  readonly gather: SignalSeries['gather'];
  readonly kind: SignalSeries['kind'];
  /** How many series are gathered. */
  readonly seriesCount: number;
  /** In the signal's unit; a sum where several are gathered. */
  readonly value: number;
  /** What tells that it is this signal, as in `Count by its HELP`. */
  readonly how: string;
}

export interface Choice {
  readonly chosen: ChosenSeries | null;
  /** What looked like it but is something else, with the reason, for people. */
  readonly rejected: readonly string[];
}

interface Fitting {
  readonly sample: Sample;
  readonly how: string;
}

/**
 * Picks the series of one signal: those of the first name in the table that the page has and that are what they must be.
 * @throws PlimsollError METRICS_MISMATCH when the page speaks for several brokers.
 */
export function chooseSeries(
  page: Exposition,
  byName: SamplesByName,
  { signal, wanted, names }: WantedSignal,
  place: string,
): Choice {
  const rejected: string[] = [];
  for (const seriesName of names) {
    const fitting: Fitting[] = [];
    for (const sample of samplesOf(byName, seriesName)) {
      if (!Number.isFinite(sample.value)) continue;
      const origin = originOf(page, sample, wanted, seriesName);
      const isOtherBean =
        origin.bean !== null && wanted.bean !== null && origin.bean.toLowerCase() !== beanNameOf(wanted.bean);
      const how = `${origin.attribute} by its ${origin.knownFrom}`;
      const what = `${seriesText(sample)} = ${sample.value} is ${isOtherBean ? `${origin.bean} ` : ''}${how}`;
      if (isOtherBean || origin.attribute !== wanted.attribute) {
        rejected.push(what);
      } else if (contradictsKind(sample.value, wanted.kind)) {
        rejected.push(`${what}, which it cannot be`);
      } else {
        fitting.push({ sample, how });
      }
    }
    const [first] = fitting;
    if (first === undefined) continue;
    refuseSeveralBrokers(fitting, wanted.gather, place);
    const { name, labels } = first.sample;
    const value = wanted.gather === 'one' ? first.sample.value : sumOf(fitting);
    return {
      chosen: {
        signal,
        series: seriesText(first.sample),
        name,
        labels,
        names: [...new Set(fitting.map(({ sample }) => sample.name))],
        seriesName,
        gather: wanted.gather,
        kind: wanted.kind,
        seriesCount: new Set(fitting.map(({ sample }) => seriesText(sample))).size,
        value: value / seriesName.divisor,
        how: first.how,
      },
      rejected,
    };
  }
  return { chosen: null, rejected };
}

function sumOf(fitting: readonly Fitting[]): number {
  return fitting.reduce((sum, { sample }) => sum + sample.value, 0);
}

/** Equal series twice are an exporter's duplicates; unequal ones are other brokers'. Of a sum nothing can be told. */
function refuseSeveralBrokers(
  fitting: readonly Fitting[],
  gather: SignalSeries['gather'],
  place: string,
): void {
  if (gather === 'sum') return;
  const seen = new Map<string, string>();
  for (const { sample } of fitting) {
    const part = gather === 'each' ? (labelOf(sample, 'shard') ?? '') : '';
    const series = seriesText(sample);
    const other = seen.get(part);
    if (other !== undefined && other !== series) {
      throw new PlimsollError(
        'METRICS_MISMATCH',
        `${place} speaks for more than one broker (${other} and ${series}); give each broker's own page`,
      );
    }
    seen.set(part, series);
  }
}
