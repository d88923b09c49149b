import { PlimsollError } from '../errors.ts';
import { contradictsKind, originOf } from './bean-attribute.ts';
import type { ChosenSeries } from './choose-series.ts';
import type { Exposition, Sample } from './exposition.ts';
import { IDLE_ATTRIBUTES, type IdleMeterName, idleSignal } from './idle-choice.ts';
import { type IdleSelector, parseIdleSelector } from './idle-selector.ts';
import { KAFKA_SIGNALS, labelOf, type SeriesName, seriesText } from './series-name.ts';
import type { IdleAttribute } from './signal-series.ts';

/**
 * Finds the series that the settings name as the idle.
 * @throws PlimsollError CONFIG_INVALID for a selector that cannot be read; METRIC_MISSING when the page does not have
 * it, or neither page nor selector tells what it is; METRICS_MISMATCH when several series fit.
 */
export function chooseSelectedIdle(page: Exposition, text: string, place: string): ChosenSeries {
  const selector = parseIdleSelector(text);
  const fitting = page.samples.filter(
    (sample) => isSelected(sample, selector) && Number.isFinite(sample.value),
  );
  const [sample] = fitting;
  if (sample === undefined) throw notThere(page, selector, place);
  const series = seriesText(sample);
  const other = fitting.find((candidate) => seriesText(candidate) !== series);
  if (other !== undefined) {
    throw new PlimsollError(
      'METRICS_MISMATCH',
      `signals.idle: ${selector.text} fits ${series} and ${seriesText(other)} of ${place}; add a label that tells them apart`,
    );
  }
  const { attribute, how } = attributeOf(page, sample, selector, place);
  const meter: IdleMeterName = /brokerrequesthandler/i.test(series) ? 'broker' : 'shared';
  const kind = attribute === 'Count' ? 'ns counter' : 'idle rate';
  if (contradictsKind(sample.value, kind)) {
    throw new PlimsollError(
      'METRIC_MISSING',
      `${series} = ${sample.value} of ${place} cannot be the ${attribute} of the idle (signals.idle: ${selector.text})`,
    );
  }
  return {
    signal: idleSignal(meter, attribute),
    series,
    name: sample.name,
    labels: sample.labels,
    names: [sample.name],
    seriesName: seriesNameOf(selector, false),
    gather: 'one',
    kind,
    seriesCount: 1,
    value: sample.value,
    how,
  };
}

/** What the selector says beats what the page says; without either it would be a guess. */
function attributeOf(
  page: Exposition,
  sample: Sample,
  selector: IdleSelector,
  place: string,
): { readonly attribute: IdleAttribute; readonly how: string } {
  const { kind } = selector;
  if (kind !== null && kind !== 'ratio') return { attribute: kind, how: `${kind} by signals.idle` };
  for (const { signal, wanted, names } of KAFKA_SIGNALS) {
    const attribute = IDLE_ATTRIBUTES.find(
      (candidate) => signal === idleSignal('broker', candidate) || signal === idleSignal('shared', candidate),
    );
    if (attribute === undefined || (kind === 'ratio' && attribute === 'Count')) continue;
    const listed = names.find(({ name, isUnsure }) => !isUnsure && name === sample.name.toLowerCase());
    const origin = originOf(page, sample, wanted, listed ?? seriesNameOf(selector, true));
    if (origin.attribute === attribute) {
      return { attribute, how: `${attribute} by its ${origin.knownFrom}` };
    }
  }
  throw new PlimsollError(
    'METRIC_MISSING',
    `nothing tells what ${seriesText(sample)} = ${sample.value} of ${place} is; ` +
      `say it: signals.idle: ${selector.name} as one-minute rate (or count ns, mean rate, five-minute rate)`,
  );
}

function isSelected(sample: Sample, selector: IdleSelector): boolean {
  return (
    sample.name.toLowerCase() === selector.name.toLowerCase() &&
    selector.labels.every(({ name, value }) => (labelOf(sample, name.toLowerCase()) ?? '') === value)
  );
}

function seriesNameOf(selector: IdleSelector, isUnsure: boolean): SeriesName {
  return {
    name: selector.name.toLowerCase(),
    isPrefix: false,
    labels: selector.labels,
    divisor: 1,
    isUnsure,
  };
}

function notThere(page: Exposition, selector: IdleSelector, place: string): PlimsollError {
  const near = nearestSeries(page, selector.name);
  const instead = near.length === 0 ? '' : `; nearest: ${near.join(', ')}`;
  return new PlimsollError(
    'METRIC_MISSING',
    `${place} has no ${selector.text.trim()} (signals.idle)${instead}`,
  );
}

/** The three series whose names share most with what was asked for. */
function nearestSeries(page: Exposition, name: string): readonly string[] {
  const wanted = pairsOf(name);
  const scored = [...new Map(page.samples.map((sample) => [seriesText(sample), sample.name]))]
    .map(([series, seriesName]) => ({ series, score: likeness(wanted, pairsOf(seriesName)) }))
    .filter(({ score }) => score > 0.3)
    .sort((a, b) => b.score - a.score);
  return scored.slice(0, 3).map(({ series }) => series);
}

function pairsOf(name: string): ReadonlySet<string> {
  const lower = name.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, lower.length - 1) }, (_, at) => lower.slice(at, at + 2)));
}

/** Dice's coefficient of two sets, 0..1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return (2 * shared) / Math.max(1, a.size + b.size);
}
