import type { Exposition, Sample } from './exposition.ts';
import { labelOf, type SeriesName } from './series-name.ts';
import type { SignalSeries } from './series-table.ts';

/** Which attribute of which bean a series carries, and how that is known. */
export interface BeanOrigin {
  /** null: the page does not name the bean. */
  readonly bean: string | null;
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
 * (handbook "Signals", 1.3). HELP is the first sample's of the family, hence after the label.
 */
export function originOf(
  page: Exposition,
  sample: Sample,
  wanted: SignalSeries,
  seriesName: SeriesName,
): BeanOrigin {
  const objectName = labelOf(sample, '_objectname');
  const fromLabel = objectName === null ? null : parseObjectName(objectName);
  if (fromLabel !== null) return { ...fromLabel, knownFrom: '_objectname' };

  const help = page.help.get(sample.name) ?? page.help.get(`${sample.name}_total`);
  const fromHelp = help === undefined ? null : parseObjectName(help);
  // Without rules one family holds many beans, and the `name` label tells them apart.
  if (fromHelp !== null && wanted.kind !== 'seconds') {
    return {
      bean: seriesName.label === null ? fromHelp.bean : null,
      attribute: fromHelp.attribute,
      knownFrom: 'HELP',
    };
  }

  if (!seriesName.isUnsure) return { bean: null, attribute: wanted.attribute, knownFrom: 'name' };
  const type = page.types.get(sample.name) ?? page.types.get(`${sample.name}_total`);
  if (type === 'counter') return { bean: null, attribute: 'Count', knownFrom: 'TYPE' };
  if (type === 'gauge') return { bean: null, attribute: 'a rate', knownFrom: 'TYPE' };
  return { bean: null, attribute: attributeByValue(sample.value, wanted), knownFrom: 'value' };
}

function attributeByValue(value: number, wanted: SignalSeries): string {
  if (wanted.kind === 'ns counter') return value > SMALLEST_NS_COUNT ? 'Count' : 'a rate';
  return Number.isInteger(value) ? 'Count' : 'a rate';
}

/** @returns true when the value cannot be what the series claims, whatever the page says about itself. */
export function contradictsKind(value: number, kind: SignalSeries['kind']): boolean {
  if (kind === 'ns counter') return value < 0 || (value > 0 && value <= LARGEST_RATIO);
  if (kind === 'ratio') return value > LARGEST_RATIO;
  return kind !== 'gauge' && value < 0;
}

/**
 * Reads bean name and attribute from the two spellings of the JMX exporter: 0.x
 * `(kafka.server<type=T, name=N><>Count)`, 1.x `kafka.server:name=N,type=T,attribute=Count`.
 */
function parseObjectName(text: string): { bean: string | null; attribute: string } | null {
  const old = /<([^<>]*)><>(\w+)/.exec(text);
  if (old?.[2] !== undefined) return { bean: propertyOf(old[1] ?? '', 'name'), attribute: old[2] };
  const attribute = propertyOf(text, 'attribute');
  return attribute === null ? null : { bean: propertyOf(text, 'name'), attribute };
}

function propertyOf(properties: string, key: string): string | null {
  return new RegExp(`(?:^|[:, ])${key}=([^,<>)]+)`).exec(properties)?.[1]?.trim() ?? null;
}
