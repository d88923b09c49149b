import { PlimsollError } from '../errors.ts';
import { parseLabelMatchers } from './label-matchers.ts';
import type { IdleAttribute } from './signal-series.ts';

/** Which series is the request-handler idle, as the user says it: `signals.idle`. */
export interface IdleSelector {
  readonly text: string;
  readonly name: string;
  readonly labels: readonly { readonly name: string; readonly value: string }[];
  /** `ratio`: some rate, the page must tell which; null: the page must tell all. */
  readonly kind: IdleAttribute | 'ratio' | null;
}

const KINDS: ReadonlyMap<string, IdleAttribute | 'ratio'> = new Map([
  ['count ns', 'Count'],
  ['count', 'Count'],
  ['mean rate', 'MeanRate'],
  ['one-minute rate', 'OneMinuteRate'],
  ['five-minute rate', 'FiveMinuteRate'],
  ['fifteen-minute rate', 'FifteenMinuteRate'],
  ['ratio', 'ratio'],
]);

const SELECTOR =
  /^([a-zA-Z_:][a-zA-Z0-9_:.]*)\s*(?:\{((?:[^{}"]|"(?:[^"\\]|\\.)*")*)\})?(?:\s+as\s+(\S.*))?$/;

/**
 * Parses `name{label="value",...} as one-minute rate`; labels and the kind may be left out.
 * @throws PlimsollError CONFIG_INVALID, saying what is wrong.
 */
export function parseIdleSelector(text: string): IdleSelector {
  const parts = SELECTOR.exec(text.trim());
  if (parts === null) throw invalid(text, 'it must read NAME{label="value",...} as one-minute rate');
  const [, name = '', labels = '', kindText] = parts;
  return { text, name, labels: parseMatchers(text, labels), kind: parseKind(text, kindText) };
}

function parseMatchers(text: string, labels: string): IdleSelector['labels'] {
  const matchers = parseLabelMatchers(labels);
  if (matchers === null || matchers.some(({ operator }) => operator !== '=')) {
    throw invalid(text, `${labels.trim()} is not of the form label="value",...`);
  }
  return matchers.map(({ label, value }) => ({ name: label, value }));
}

function parseKind(text: string, kindText: string | undefined): IdleSelector['kind'] {
  if (kindText === undefined) return null;
  const kind = KINDS.get(kindText.trim().toLowerCase().replace(/\s+/g, ' '));
  if (kind !== undefined) return kind;
  throw invalid(text, `"${kindText.trim()}" is none of ${[...KINDS.keys()].join(', ')}`);
}

function invalid(text: string, why: string): PlimsollError {
  return new PlimsollError('CONFIG_INVALID', `signals.idle: ${text.trim() || '(empty)'}: ${why}`);
}
