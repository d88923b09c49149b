import { z } from 'zod';
import { messageOf } from '../errors.ts';
import { parseIdleSelector } from '../signals/idle-selector.ts';
import { parseLabelMatchers } from '../signals/label-matchers.ts';
import { readFilePath } from './file-path.ts';
import { type Properties, readProperties } from './properties.ts';
import {
  good,
  orNull,
  type Reader,
  readChoice,
  readDurationMs,
  readText,
  shown,
  wrong,
} from './read-value.ts';
import { setting } from './setting.ts';

/** Where the brokers' signals come from. `none`: nowhere; verdicts then come from delivery alone. */
export const SIGNAL_ORIGINS = ['scrape', 'prometheus', 'jolokia', 'none'] as const;

/** `signals`: how the brokers are looked at. The addresses are those of `metrics`. */
export const signalSettings = z.strictObject({
  source: setting(readChoice(SIGNAL_ORIGINS), 'scrape', {
    description: 'what metrics are: pages of exporters, a Prometheus API, Jolokia agents, or none at all',
    flag: 'signals',
    value: 'SOURCE',
  }),
  idle: setting(orNull(readIdleSeries), null, {
    description: 'the series of the idle meter, where its name is unusual: my_idle{pool="io"} as count ns',
    flag: 'idle-series',
    value: 'SELECTOR',
  }),
  selector: setting(orNull(readSelector), null, {
    description: 'label matchers of the brokers in Prometheus, for example job="kafka"',
    flag: 'signals-selector',
    value: 'MATCHERS',
  }),
  deadlineMs: setting(readDurationMs({ min: 100 }), 10_000, {
    description: 'longest that one look at a broker may take',
    unit: 'ms',
    flag: 'signals-deadline',
    value: 'DURATION',
  }),
  user: setting(orNull(readText), null, {
    description: 'user of basic authentication; a user in the URL of a page goes first',
    flag: 'signals-user',
    value: 'NAME',
  }),
  password: setting(orNull(readSecret), null, {
    description: 'its password; better given as a variable, never stored',
    flag: 'signals-password',
    value: 'PASSWORD',
  }),
  bearerToken: setting(orNull(readSecret), null, {
    description: 'bearer token in place of user and password, never stored',
    flag: 'signals-bearer-token',
    value: 'TOKEN',
  }),
  caFile: setting(orNull(readFilePath), null, {
    description: 'certificates to trust for https, PEM',
    flag: 'signals-ca',
    value: 'FILE',
  }),
  certFile: setting(orNull(readFilePath), null, {
    description: 'certificate of this client, PEM',
    flag: 'signals-cert',
    value: 'FILE',
  }),
  keyFile: setting(orNull(readFilePath), null, {
    description: 'key of that certificate, PEM',
    flag: 'signals-key',
    value: 'FILE',
  }),
  proxy: setting(orNull(readProxyUrl), null, {
    description: 'HTTP proxy to look through; the proxy variables of the environment are not used',
    flag: 'signals-proxy',
    value: 'URL',
  }),
  headers: setting<Properties>(
    readHeaders,
    {},
    {
      description: 'header of every request, for example X-Scope-OrgID=team1',
      flag: 'signals-header',
      value: 'NAME=VALUE',
      isProperties: true,
    },
  ),
});

/** As it is, blanks too, and never repeated in a message. */
function readSecret(raw: unknown): ReturnType<Reader<string>> {
  return typeof raw === 'string' && raw !== '' ? good(raw) : wrong('must be a text, in quotes');
}

function readSelector(raw: unknown): ReturnType<Reader<string>> {
  const isSelector = typeof raw === 'string' && (parseLabelMatchers(raw)?.length ?? 0) > 0;
  return isSelector
    ? good(raw.trim())
    : wrong(`must be label matchers such as job="kafka", not ${shown(raw)}`);
}

function readIdleSeries(raw: unknown): ReturnType<Reader<string>> {
  const text = readText(raw);
  if (!text.ok) return text;
  try {
    parseIdleSelector(text.value);
    return text;
  } catch (error) {
    return wrong(messageOf(error).replace(/^signals\.idle: /, ''));
  }
}

function readProxyUrl(raw: unknown): ReturnType<Reader<string>> {
  const isUrl = typeof raw === 'string' && /^https?:\/\/./i.test(raw.trim()) && URL.canParse(raw.trim());
  return isUrl ? good(raw.trim()) : wrong(`must be a URL such as http://proxy:3128, not ${shown(raw)}`);
}

function readHeaders(raw: unknown): ReturnType<Reader<Properties>> {
  const read = readProperties(raw);
  if (!read.ok) return read;
  for (const [name, value] of Object.entries(read.value)) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
      return wrong(`needs names of headers; ${shown(name)} is not one`);
    if (/[^\t\x20-\x7e\x80-\xff]/.test(String(value)))
      return wrong(`has a value for ${name} that no header can carry`);
  }
  return read;
}
