import type { Exposition, Sample } from './exposition.ts';
import { labelOf, type SeriesName } from './series-name.ts';
import type { SignalSeries, ValueKind } from './signal-series.ts';

/** Which attribute of which bean a series carries, and how that is known. */
export interface BeanOrigin {
  /** null: the page does not name the bean. */
  readonly bean: string | null;
  /** A JMX attribute, or `a rate` when nothing tells which one. */
  readonly attribute: string;
  readonly knownFrom: '_objectname' | 'HELP' | 'TYPE' | 'name' | 'value';
}

/** A ratio of the idle meter never exceeds this: two pools in one meter, and one late tick. */
const LARGEST_RATIO = 2.1;
/** Idle nanoseconds that any live broker has passed after a millisecond. */
const SMALLEST_NS_COUNT = 1e6;

/**
 * Tells what a series is. One name means a nanosecond counter under one exporter configuration and a ratio under
 * another, so the page is asked in this order: `_objectname` label, HELP, TYPE, the name itself, the magnitude
 * (handbook "Signals", 1.3). HELP is the first sample's of the family, hence after the labels.
 */
export function originOf(
  page: Exposition,
  sample: Sample,
  wanted: SignalSeries,
  seriesName: SeriesName,
): BeanOrigin {
  const said = wanted.bean === null ? null : saidOrigin(page, sample, wanted, seriesName);
  if (said !== null) return said;

  const type = familyText(page.types, sample.name);
  const isRate = wanted.kind === 'idle rate' || wanted.kind === 'rate';
  if (type === 'counter' && (isRate || seriesName.isUnsure)) {
    return { bean: null, attribute: 'Count', knownFrom: 'TYPE' };
  }
  if (!seriesName.isUnsure) return { bean: null, attribute: wanted.attribute, knownFrom: 'name' };
  if (type === 'gauge') return { bean: null, attribute: 'a rate', knownFrom: 'TYPE' };
  return { bean: null, attribute: attributeByValue(sample.value, wanted), knownFrom: 'value' };
}

/** What the page says in words; null when it says nothing about the bean. */
function saidOrigin(
  page: Exposition,
  sample: Sample,
  wanted: SignalSeries,
  seriesName: SeriesName,
): BeanOrigin | null {
  const objectName = labelOf(sample, '_objectname');
  const fromLabel = objectName === null ? null : parseObjectName(objectName);
  if (fromLabel !== null) return { ...fromLabel, knownFrom: '_objectname' };
  const help = familyText(page.help, sample.name);
  const fromHelp = help === null ? null : parseObjectName(help);
  if (fromHelp === null) return null;
  // One family may hold many beans, or many percentiles: then the label of the sample tells, not the family's HELP.
  const isTold = (label: string) => seriesName.labels.some(({ name }) => name === label);
  return {
    bean: isTold('name') ? null : fromHelp.bean,
    attribute: isTold('quantile') ? wanted.attribute : fromHelp.attribute,
    knownFrom: 'HELP',
  };
}

/** HELP and TYPE of a counter stand with or without `_total`, by the exporter's and the format's version. */
function familyText(texts: ReadonlyMap<string, string>, name: string): string | null {
  return (
    texts.get(name) ??
    texts.get(`${name}_total`) ??
    (name.endsWith('_total') ? texts.get(name.slice(0, -'_total'.length)) : undefined) ??
    null
  );
}

function attributeByValue(value: number, wanted: SignalSeries): string {
  const isBeanOfIdle = wanted.kind === 'ns counter' || wanted.kind === 'idle rate';
  return (isBeanOfIdle ? value > SMALLEST_NS_COUNT : Number.isInteger(value)) ? 'Count' : 'a rate';
}

/** @returns true when the value cannot be what the series claims, whatever the page says about itself. */
export function contradictsKind(value: number, kind: ValueKind): boolean {
  switch (kind) {
    case 'ns counter':
      return value < 0 || (value > 0 && value <= LARGEST_RATIO);
    case 'counter':
      return value < 0 || !Number.isInteger(value);
    case 'idle rate':
      return value < 0 || value > LARGEST_RATIO;
    case 'rate':
    case 'seconds':
      return value < 0;
    case 'gauge':
      return false;
  }
}

/**
 * Reads bean name and attribute from the two spellings of the JMX exporter: 0.x
 * `(kafka.server<type=T, name=N><>Count)`, 1.x `kafka.server:name=N,type=T,attribute=Count`.
 */
function parseObjectName(text: string): { readonly bean: string | null; readonly attribute: string } | null {
  const old = /<([^<>]*)><>(\w+)/.exec(text);
  if (old?.[2] !== undefined) return { bean: propertyOf(old[1] ?? '', 'name'), attribute: old[2] };
  const attribute = propertyOf(text, 'attribute');
  return attribute === null ? null : { bean: propertyOf(text, 'name'), attribute };
}

/** The `name` of a bean's object name, in lower case. */
export function beanNameOf(objectName: string): string | null {
  return propertyOf(objectName, 'name')?.toLowerCase() ?? null;
}

function propertyOf(properties: string, key: string): string | null {
  return new RegExp(`(?:^|[:, ])${key}=([^,<>)]+)`).exec(properties)?.[1]?.trim() ?? null;
}
