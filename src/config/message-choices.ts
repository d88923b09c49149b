import { MOST_KEYS } from '../../boundary/payload/message-keys.ts';
import type { KeyRecipe, PayloadRecipe, SizeRecipe } from '../../boundary/payload/message-recipe.ts';
import { readSampleFile, readSizeFile } from './message-files.ts';
import { good, type ReadResult, readRatio, readWhole, shown, wrong } from './read-value.ts';

/** What a setting of the messages was read as: the recipe, and the text that means the same and is recorded. */
export interface Chosen<T> {
  readonly recipe: T;
  readonly text: string;
}

type Choice<T> = ReadResult<Chosen<T>>;

/** Stronger ones make a handful of messages carry most of the bytes. */
const LARGEST_SIGMA = 2;

/** gzip needs about this much for the runs alone. */
const LEAST_RATIO = 0.05;

const LARGEST_EXPONENT = 5;

/** The one of YCSB, whose keys many have in mind. */
const USUAL_EXPONENT = 0.99;

/** Reads `messages.payload`; a file is read on the way. */
export function readPayload(raw: unknown): Choice<PayloadRecipe> {
  const { word, argument } = parted(raw);
  if (argument === null && (word === 'random' || word === 'json')) return chosen({ kind: word }, word);
  if (argument !== null) {
    if (word === 'constant') return readConstant(argument);
    if (word === 'compressible') return readCompressible(argument);
    if (word === 'file') {
      const read = readSampleFile(argument);
      return read.ok ? chosen({ kind: 'samples', values: read.value.content }, read.value.text) : read;
    }
  }
  return wrong(`must be random, constant:x, compressible:0.4, json or file:FILE, not ${shown(raw)}`);
}

/** Reads `messages.sizes`; a file is read on the way. */
export function readSizeSpread(raw: unknown): Choice<SizeRecipe> {
  const { word, argument } = parted(raw);
  if (argument === null && word === 'fixed') return chosen({ kind: 'fixed' }, word);
  if (argument !== null) {
    if (word === 'uniform') {
      const spread = readRatio({ allowZero: false })(argument);
      if (!spread.ok) return wrong(`needs a spread: uniform:0.5 is half to one and a half times the size`);
      return chosen({ kind: 'uniform', spread: spread.value }, `uniform:${spread.value}`);
    }
    if (word === 'lognormal') {
      const sigma = Number(argument);
      if (!(sigma > 0 && sigma <= LARGEST_SIGMA)) {
        return wrong(
          `needs a sigma above 0 and up to ${LARGEST_SIGMA}, as in lognormal:0.8, not ${shown(argument)}`,
        );
      }
      return chosen({ kind: 'lognormal', sigma }, `lognormal:${sigma}`);
    }
    if (word === 'file') {
      const read = readSizeFile(argument);
      return read.ok ? chosen({ kind: 'sizes', bytes: read.value.content }, read.value.text) : read;
    }
  }
  return wrong(
    `must be fixed, uniform:0.5, lognormal:0.8 or file:FILE, not ${shown(raw)} (the sizes themselves are bpm)`,
  );
}

/** Reads `messages.keys`. */
export function readKeys(raw: unknown): Choice<KeyRecipe> {
  const { word, argument } = parted(raw);
  if (argument === null && word === 'none') return chosen({ kind: 'none' }, word);
  if (argument !== null && (word === 'round-robin' || word === 'uniform' || word === 'zipfian')) {
    const [countText, exponentText, ...more] = argument.split(',').map((part) => part.trim());
    const count = readWhole({ min: 1, max: MOST_KEYS })(countText);
    if (!count.ok)
      return wrong(
        `needs a count of keys from 1 to ${MOST_KEYS}, as in ${word}:1000, not ${shown(countText)}`,
      );
    if (word === 'zipfian' && more.length === 0) return readZipfian(count.value, exponentText);
    if (word !== 'zipfian' && exponentText === undefined) {
      const kind = word === 'round-robin' ? 'round robin' : word;
      return chosen({ kind, count: count.value }, `${word}:${count.value}`);
    }
  }
  return wrong(`must be none, round-robin:1000, uniform:1000 or zipfian:1000,0.99, not ${shown(raw)}`);
}

function readConstant(character: string): Choice<PayloadRecipe> {
  return /^[\x21-\x7e]$/.test(character)
    ? chosen({ kind: 'constant', character }, `constant:${character}`)
    : wrong(`needs one letter, digit or sign, as in constant:x, not ${shown(character)}`);
}

function readCompressible(text: string): Choice<PayloadRecipe> {
  const ratio = readRatio({ allowZero: false })(text);
  return ratio.ok && ratio.value >= LEAST_RATIO
    ? chosen({ kind: 'compressible', ratio: ratio.value }, `compressible:${ratio.value}`)
    : wrong(
        `needs compressed size over size, from ${LEAST_RATIO} to 1, as in compressible:0.4, not ${shown(text)}`,
      );
}

function readZipfian(count: number, text: string | undefined): Choice<KeyRecipe> {
  const exponent = text === undefined ? USUAL_EXPONENT : Number(text);
  return exponent > 0 && exponent <= LARGEST_EXPONENT
    ? chosen({ kind: 'zipfian', count, exponent }, `zipfian:${count},${exponent}`)
    : wrong(
        `needs an exponent above 0 and up to ${LARGEST_EXPONENT}, as in zipfian:1000,0.99, not ${shown(text)}`,
      );
}

/** `uniform:0.5` -> uniform and 0.5; without a colon there is no argument. */
function parted(raw: unknown): { readonly word: string; readonly argument: string | null } {
  const text = typeof raw === 'string' ? raw.trim() : '';
  const at = text.indexOf(':');
  if (at < 0) return { word: text, argument: null };
  return { word: text.slice(0, at).trim(), argument: text.slice(at + 1).trim() };
}

function chosen<T>(recipe: T, text: string): Choice<T> {
  return good({ recipe, text });
}
