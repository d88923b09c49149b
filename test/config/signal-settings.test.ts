import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { sourceOptionsOf } from '../../src/config/source-options.ts';
import type { PlimsollError } from '../../src/errors.ts';
import { PLAIN_SOURCE } from '../../src/signals/source-options.ts';

let folder: string;
const path = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-signals-'));
  for (const name of ['one', 'other']) {
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-subj',
        `/CN=${name}`,
      ].concat(['-keyout', path(`${name}.key`), '-out', path(`${name}.pem`)]),
      { stdio: 'pipe' },
    );
  }
  writeFileSync(path('empty.pem'), '\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Given {
  readonly yaml?: string;
  readonly env?: Record<string, string>;
  readonly flags?: Record<string, unknown>;
}

function load({ yaml = '', env = {}, flags = {} }: Given) {
  writeFileSync(path('plimsoll.yaml'), yaml);
  return loadConfig({ env, flags, folder });
}

function messageOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
    return (error as PlimsollError).message;
  }
  return 'accepted';
}

describe('signals', () => {
  it('are the exporters pages unless told otherwise', () => {
    const { signals } = load({});
    expect(signals).toMatchObject({ source: 'scrape', idle: null, deadlineMs: 10_000, proxy: null });
    expect(sourceOptionsOf(signals)).toEqual(PLAIN_SOURCE);
  });

  it.each<{ why: string; given: Given; source: string }>([
    { why: 'in short', given: { yaml: 'signals: none' }, source: 'none' },
    { why: 'as a group', given: { yaml: 'signals:\n  source: none' }, source: 'none' },
    { why: 'nothing behind it', given: { yaml: 'signals:\n' }, source: 'scrape' },
    {
      why: 'in short, more by flags',
      given: { yaml: 'signals: jolokia\nmetrics: [http://b1:8778]', flags: { signalsDeadline: '3s' } },
      source: 'jolokia',
    },
    {
      why: 'a flag over the file',
      given: { yaml: 'signals: none', flags: { signals: 'scrape' } },
      source: 'scrape',
    },
    { why: 'a variable', given: { env: { PLIMSOLL_SIGNALS_SOURCE: 'none' } }, source: 'none' },
  ])('can be given: $why', ({ given, source }) => {
    expect(load(given).signals.source).toBe(source);
  });

  it('take the API of Prometheus as one URL, or with matchers for each broker', () => {
    const signals = { signals: 'prometheus' };
    expect(load({ flags: { ...signals, metrics: 'http://prom:9090/x' } }).metrics).toEqual([
      'http://prom:9090/x',
    ]);
    const metrics = '1=http://prom:9090/?instance=b1:7071,2=http://prom:9090/?instance=b2:7071';
    expect(load({ flags: { ...signals, metrics } }).metrics).toEqual({
      1: 'http://prom:9090/?instance=b1:7071',
      2: 'http://prom:9090/?instance=b2:7071',
    });
  });

  it.each<{ why: string; given: Given; problem: string }>([
    {
      why: 'another word, on its line',
      given: { yaml: 'bpm: 100\nsignals: off' },
      problem: 'plimsoll.yaml:2: signals.source must be scrape or prometheus or jolokia or none, not "off"',
    },
    {
      why: 'a mistyped setting',
      given: { yaml: 'signals:\n  sorce: none' },
      problem: 'plimsoll.yaml:2: signals.sorce is not a setting; did you mean signals.source?',
    },
    {
      why: 'a name written with its dot',
      given: { yaml: 'signals.source: prometheus' },
      problem:
        'plimsoll.yaml:1: signals.source is a group in the file: write signals: and below it, indented, source:',
    },
    {
      why: 'a variable named after the flag',
      given: { env: { PLIMSOLL_SIGNALS: 'prometheus' } },
      problem: 'PLIMSOLL_SIGNALS is not a setting; did you mean PLIMSOLL_SIGNALS_SOURCE?',
    },
    {
      why: 'a property without its value, with an example of its own kind',
      given: { flags: { signalsHeader: ['team1'] } },
      problem: '--signals-header: signals.headers must be NAME=VALUE, for example X-Scope-OrgID=team1',
    },
    {
      why: 'a duration without its unit, which would hold the lower bound for 6 ms',
      given: { flags: { replicaLagTimeMax: '4' } },
      problem: '--replica-lag-time-max: replicaLagTimeMaxMs must be at least 1s, not 4ms',
    },
    {
      why: 'none with pages',
      given: { flags: { signals: 'none', metrics: 'http://b1:7071/metrics' } },
      problem: '--metrics: metrics is given although signals.source is none; leave one of them out',
    },
    {
      why: 'none with an idle series',
      given: { flags: { signals: 'none', idleSeries: 'my_idle' } },
      problem: '--idle-series: signals.idle is given although signals.source is none; leave one of them out',
    },
    {
      why: 'Prometheus without its URL',
      given: { flags: { signals: 'prometheus' } },
      problem:
        '--signals: signals.source is prometheus, which needs the URL of its API in metrics, as in http://host:9090',
    },
    {
      why: 'Prometheus with two URLs',
      given: { flags: { signals: 'prometheus', metrics: 'http://a:9090,http://b:9090' } },
      problem:
        '--metrics: metrics must be one URL, that of the Prometheus API (signals.source), or a map of broker id to URL',
    },
    {
      why: 'Jolokia without its agents',
      given: { flags: { signals: 'jolokia' } },
      problem:
        "--signals: signals.source is jolokia, which needs the brokers' agents in metrics, as in http://host:8778/jolokia",
    },
    {
      why: 'a selector without Prometheus',
      given: { flags: { signalsSelector: 'job="kafka"' } },
      problem: '--signals-selector: signals.selector is for Prometheus, but signals.source is scrape',
    },
    {
      why: 'a selector that is none',
      given: { flags: { signals: 'prometheus', metrics: 'http://a:9090', signalsSelector: 'job=kafka' } },
      problem:
        '--signals-selector: signals.selector must be label matchers such as job="kafka", not "job=kafka"',
    },
    {
      why: 'a user without password',
      given: { flags: { signalsUser: 'me' } },
      problem: '--signals-user: signals.user is given without signals.password (PLIMSOLL_SIGNALS_PASSWORD)',
    },
    {
      why: 'a password without user',
      given: { env: { PLIMSOLL_SIGNALS_PASSWORD: 'hush' } },
      problem: 'PLIMSOLL_SIGNALS_PASSWORD: signals.password is given without signals.user',
    },
    {
      why: 'a password that YAML takes for a number, without repeating it',
      given: { yaml: 'signals:\n  user: me\n  password: 12345' },
      problem: 'plimsoll.yaml:3: signals.password must be a text, in quotes',
    },
    {
      why: 'two kinds of credentials',
      given: { flags: { signalsUser: 'me', signalsPassword: 'hush', signalsBearerToken: 'hush' } },
      problem: '--signals-bearer-token: signals.bearerToken is given beside signals.user; give one of them',
    },
    {
      why: 'a proxy that is no URL',
      given: { flags: { signalsProxy: 'proxy:3128' } },
      problem: '--signals-proxy: signals.proxy must be a URL such as http://proxy:3128, not "proxy:3128"',
    },
    {
      why: 'a header that can be none',
      given: { flags: { signalsHeader: ['X Y=1'] } },
      problem: '--signals-header: signals.headers needs names of headers; "X Y" is not one',
    },
    {
      why: 'a header over two lines',
      given: { yaml: 'signals:\n  headers:\n    X-A: "1\\r\\nX-B: 2"' },
      problem: 'plimsoll.yaml:2: signals.headers has a value for X-A that no header can carry',
    },
    {
      why: 'a file that is not there',
      given: { flags: { signalsCa: '/nowhere/ca.pem' } },
      problem: '--signals-ca: signals.caFile must be a file; there is no "/nowhere/ca.pem"',
    },
  ])('are refused: $why', ({ given, problem }) => {
    expect(messageOf(() => load(given))).toBe(problem);
  });

  it('are refused: a certificate without key, a key without certificate', () => {
    expect(messageOf(() => load({ flags: { signalsCert: path('one.pem') } }))).toBe(
      '--signals-cert: signals.certFile is given without signals.keyFile',
    );
    expect(messageOf(() => load({ flags: { signalsKey: path('one.key') } }))).toBe(
      '--signals-key: signals.keyFile is given without signals.certFile',
    );
  });
});

describe('sourceOptionsOf', () => {
  const optionsOf = (flags: Record<string, unknown>) => sourceOptionsOf(load({ flags }).signals);

  it('reads files, credentials, headers and the name of the idle series', () => {
    const options = optionsOf({
      signalsUser: 'me',
      signalsPassword: ' 1 23 ',
      signalsCa: path('other.pem'),
      signalsCert: path('one.pem'),
      signalsKey: path('one.key'),
      signalsHeader: ['X-Scope-OrgID=12'],
      idleSeries: 'my_idle{pool="io"} as count ns',
    });
    expect(options).toMatchObject({
      credentials: { kind: 'basic', user: 'me', password: ' 1 23 ' },
      caPem: expect.stringContaining('BEGIN CERTIFICATE'),
      certPem: expect.stringContaining('BEGIN CERTIFICATE'),
      keyPem: expect.stringContaining('PRIVATE KEY'),
      headers: { 'X-Scope-OrgID': '12' },
      alsoTelling: new Set(['my_idle']),
    });
    expect(optionsOf({ signalsBearerToken: 'abc' }).credentials).toEqual({ kind: 'bearer', token: 'abc' });
  });

  it.each([
    { why: 'a key of another certificate', cert: 'one.pem', key: 'other.key', says: /of no use together/ },
    { why: 'a certificate as key', cert: 'one.pem', key: 'one.pem', says: /of no use together/ },
    { why: 'an empty file', cert: 'empty.pem', key: 'one.key', says: /of no use together/ },
  ])('refuses $why', ({ cert, key, says }) => {
    expect(messageOf(() => optionsOf({ signalsCert: path(cert), signalsKey: path(key) }))).toMatch(says);
  });

  it('refuses an authority that is none', () => {
    expect(messageOf(() => optionsOf({ signalsCa: path('empty.pem') }))).toBe(
      'signals.caFile holds no certificate in PEM form',
    );
  });
});
