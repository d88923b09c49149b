import { z } from 'zod';
import { type Chosen, readKeys, readPayload, readSizeSpread } from './message-choices.ts';
import { type Properties, readProperties } from './properties.ts';
import { good, type Reader, type ReadResult, shown, wrong } from './read-value.ts';
import { setting } from './setting.ts';

/** `messages`: what is sent. Kept as texts, as they are given and recorded; `messageRecipe` makes the messages of them. */
export const messageSettings = z.strictObject({
  payload: setting(textOf(readPayload), 'random', {
    description:
      'content of the messages: random, constant:x, compressible:0.4 (compressed size over size), json, or file:FILE with a message a line (or a folder, a message a file)',
    flag: 'payload',
    value: 'CONTENT',
  }),
  sizes: setting(textOf(readSizeSpread), 'fixed', {
    description:
      'sizes around that of bpm, which stays the mean: fixed, uniform:0.5 (half to one and a half), lognormal:0.8 (sigma), or file:FILE with a size a line',
    flag: 'sizes',
    value: 'SPREAD',
  }),
  keys: setting(textOf(readKeys), 'none', {
    description:
      'keys of the messages: none, round-robin:COUNT, uniform:COUNT or zipfian:COUNT,EXPONENT; partitions are loaded evenly all the same',
    flag: 'keys',
    value: 'KEYS',
  }),
  headers: setting<Properties>(
    readMessageHeaders,
    {},
    {
      description: 'header of every message, for example tenant=acme',
      flag: 'header',
      value: 'NAME=VALUE',
      isProperties: true,
    },
  ),
});

function textOf<T>(read: (raw: unknown) => ReadResult<Chosen<T>>): Reader<string> {
  return (raw) => {
    const result = read(raw);
    return result.ok ? good(result.value.text) : result;
  };
}

function readMessageHeaders(raw: unknown): ReadResult<Properties> {
  const read = readProperties(raw);
  if (!read.ok) return read;
  const unfit = Object.keys(read.value).find((name) => name.trim() === '' || /\p{Cc}/u.test(name));
  return unfit === undefined ? read : wrong(`needs names of headers; ${shown(unfit)} is not one`);
}
