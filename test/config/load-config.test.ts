import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { PlimsollError } from '../../src/errors.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Given {
  readonly yaml?: string;
  readonly env?: Record<string, string>;
  readonly flags?: Record<string, unknown>;
}

function load({ yaml, env = {}, flags = {} }: Given) {
  if (yaml !== undefined) writeFileSync(join(folder, 'plimsoll.yaml'), yaml);
  return loadConfig({ env, flags, folder });
}

function problemsOf(given: Given): string[] {
  try {
    load(given);
  } catch (error) {
    expect(error).toBeInstanceOf(PlimsollError);
    expect((error as PlimsollError).code).toBe('CONFIG_INVALID');
    return (error as PlimsollError).message.split('\n');
  }
  return [];
}

describe('loadConfig', () => {
  it('works without file, variables and flags', () => {
    const config = load({});
    expect(config).toMatchObject({
      bootstrap: [],
      bpm: [100, 1_000, 10_000],
      confirm: 1,
      precision: 0.05,
      thresholds: { idleRatio: 0.2, isrChurnShare: 0.5, deliveryRatio: 0.99 },
      trial: { warmUpMs: 3_000, windowMs: 15_000, maxWindowMs: 45_000 },
      load: { targetNp: 50, maxNp: 200, maxMegabytesPerSecond: null, seed: 1 },
      producer: { acks: 1, 'linger.ms': 10, 'batch.size': 131_072, 'compression.codec': 'none' },
      redis: { url: null },
      home: '.plimsoll',
    });
  });

  it.each<{ why: string; given: Given; windowMs: number }>([
    { why: 'file over default', given: { yaml: 'trial: {windowMs: 16s}' }, windowMs: 16_000 },
    {
      why: 'variable over file',
      given: { yaml: 'trial: {windowMs: 16s}', env: { PLIMSOLL_TRIAL_WINDOW_MS: '17000' } },
      windowMs: 17_000,
    },
    {
      why: 'flag over variable',
      given: { env: { PLIMSOLL_TRIAL_WINDOW_MS: '17000' }, flags: { window: '18s' } },
      windowMs: 18_000,
    },
    {
      why: 'an empty variable is not set',
      given: { env: { PLIMSOLL_TRIAL_WINDOW_MS: '' } },
      windowMs: 15_000,
    },
    { why: 'a group without settings is the defaults', given: { yaml: 'load: {seed: 2}' }, windowMs: 15_000 },
    { why: 'an empty group in YAML is null', given: { yaml: 'trial:\n' }, windowMs: 15_000 },
    { why: 'an empty file is no settings', given: { yaml: '# nothing\n' }, windowMs: 15_000 },
  ])('takes $why', ({ given, windowMs }) => {
    expect(load(given).trial.windowMs).toBe(windowMs);
  });

  it('reads every value from text', () => {
    const config = load({
      env: {
        REDIS_URL: 'redis://127.0.0.1:1',
        PLIMSOLL_BOOTSTRAP: 'a:1, b:2,a:1',
        PLIMSOLL_BPM: '10kB,100,1kB,100',
      },
      flags: { metrics: '1=http://a:7071/metrics,2=http://b:7071', precision: '2%', confirm: '0' },
    });
    expect(config).toMatchObject({
      bootstrap: ['a:1', 'b:2'],
      bpm: [100, 1_000, 10_000],
      metrics: { 1: 'http://a:7071/metrics', 2: 'http://b:7071' },
      precision: 0.02,
      confirm: 0,
      redis: { url: 'redis://127.0.0.1:1' },
    });
  });

  it('prefers PLIMSOLL_REDIS_URL to REDIS_URL', () => {
    const env = { REDIS_URL: 'redis://a:1', PLIMSOLL_REDIS_URL: 'redis://b:1' };
    expect(load({ env }).redis.url).toBe('redis://b:1');
  });

  it('adds properties of every source, by name', () => {
    const config = load({
      yaml: 'client:\n  security.protocol: sasl_ssl\n  sasl.username: file\nproducer: {linger.ms: 1, acks: all}\n',
      env: { PLIMSOLL_CLIENT: 'sasl.username=env,sasl.password=a=b', PLIMSOLL_PRODUCER: '{"linger.ms": 2}' },
      flags: { client: ['sasl.username=flag'], topicConfig: ['flush.messages=1', 'x=true'] },
    });
    expect(config.client).toEqual({
      'security.protocol': 'sasl_ssl',
      'sasl.username': 'flag',
      'sasl.password': 'a=b',
    });
    expect(config.producer).toMatchObject({ acks: 'all', 'linger.ms': 2, 'batch.size': 131_072 });
    expect(config.topic.config).toEqual({ 'flush.messages': 1, x: true });
  });

  it('lets an alias take the place of the default that it stands for', () => {
    const { producer } = load({ flags: { producer: ['compression.type=lz4', 'request.required.acks=-1'] } });
    expect(producer).toEqual({
      'linger.ms': 10,
      'batch.size': 131_072,
      'compression.type': 'lz4',
      'request.required.acks': -1,
    });
  });

  it('is frozen to the bottom', () => {
    const config = load({});
    expect(() => Object.assign(config.trial, { windowMs: 1 })).toThrow(TypeError);
    expect(() => Object.assign(config.bpm, { 0: 1 })).toThrow(TypeError);
  });

  it.each<{ why: string; given: Given; problem: string }>([
    {
      why: 'letter case of a key, with its line',
      given: { yaml: 'bpm: 100\n\ntrial:\n  windowMS: 15s\n' },
      problem: 'plimsoll.yaml:4: trial.windowMS is not a setting; did you mean trial.windowMs?',
    },
    {
      why: 'a key outside its group',
      given: { yaml: 'windowMs: 15s' },
      problem: 'plimsoll.yaml:1: windowMs is not a setting; did you mean trial.windowMs?',
    },
    {
      why: 'a key without its unit, as the flag has it',
      given: { yaml: 'trial:\n  window: 15s' },
      problem: 'plimsoll.yaml:2: trial.window is not a setting; did you mean trial.windowMs?',
    },
    {
      why: 'a mistyped group',
      given: { yaml: 'trail: {windowMs: 15s}' },
      problem: 'plimsoll.yaml:1: trail is not a setting; did you mean trial?',
    },
    {
      why: 'nothing alike: no guess',
      given: { yaml: 'quux: 1' },
      problem: 'plimsoll.yaml:1: quux is not a setting',
    },
    {
      why: 'a variable without its unit',
      given: { env: { PLIMSOLL_TRIAL_WINDOW: '15s' } },
      problem: 'PLIMSOLL_TRIAL_WINDOW is not a setting; did you mean PLIMSOLL_TRIAL_WINDOW_MS?',
    },
    {
      why: 'a duration from a variable',
      given: { env: { PLIMSOLL_TRIAL_WINDOW_MS: 'soon' } },
      problem:
        'PLIMSOLL_TRIAL_WINDOW_MS: trial.windowMs must be a duration such as 15s, 500ms or 1m, not "soon"',
    },
    {
      why: 'a short warm-up from a flag',
      given: { flags: { warmUp: '2s' } },
      problem:
        '--warm-up: trial.warmUpMs must be at least 3s, not 2s (producers and brokers need it to reach a steady state)',
    },
    {
      why: 'two settings that do not fit, on the line of the first',
      given: { yaml: 'trial:\n  maxWindowMs: 10s\n  windowMs: 12s' },
      problem: 'plimsoll.yaml:3: trial.windowMs is 12s, longer than trial.maxWindowMs (10s)',
    },
    {
      why: 'a window of a few polls',
      given: { flags: { pollInterval: '4s' } },
      problem: 'trial.windowMs is 15s, too short for 5 polls every 4s (trial.pollIntervalMs)',
    },
    {
      why: 'target above the most',
      given: { flags: { targetNp: '300' } },
      problem: '--target-np: load.targetNp is 300, more than load.maxNp (200)',
    },
    {
      why: 'half a byte',
      given: { yaml: 'bpm: 0.5' },
      problem: 'plimsoll.yaml:1: bpm must be sizes such as 100, 1kB or 1MiB; "0.5" is not one',
    },
    {
      why: 'no size',
      given: { yaml: 'bpm: []' },
      problem: 'plimsoll.yaml:1: bpm is empty; give at least one message size, for example 100,1kB,10kB',
    },
    {
      why: 'a size that is none',
      given: { yaml: 'bpm:\n  - 100\n  - big\n' },
      problem: 'plimsoll.yaml:1: bpm must be sizes such as 100, 1kB or 1MiB; "big" is not one',
    },
    {
      why: 'a ratio given as a percentage number',
      given: { flags: { idleRatio: '20' } },
      problem:
        '--idle-ratio: thresholds.idleRatio must be a ratio above 0 and up to 1 (or a percentage such as 5%), not "20"',
    },
    {
      why: 'a plain value where a group belongs',
      given: { yaml: 'trial: 5', env: { PLIMSOLL_TRIAL_WINDOW_MS: '6s' } },
      problem: 'plimsoll.yaml:1: trial is a group of settings and needs them below it, indented',
    },
    {
      why: 'an address without port',
      given: { flags: { bootstrap: 'kafka' } },
      problem: '--bootstrap: bootstrap must be host:port; "kafka" is not',
    },
    {
      why: 'a metrics page that is no URL',
      given: { flags: { metrics: '1=host:7071' } },
      problem: '--metrics: metrics needs an http:// or https:// URL for broker 1, not "host:7071"',
    },
    {
      why: 'the two forms of metrics mixed',
      given: { flags: { metrics: '1=http://a,http://b' } },
      problem: '--metrics: metrics mixes URLs with and without a broker id; use one form',
    },
    {
      why: 'a property without value',
      given: { flags: { producer: ['linger.ms'] } },
      problem: '--producer: producer must be NAME=VALUE, for example linger.ms=5',
    },
    {
      why: 'a property that is a setting of its own',
      given: { flags: { client: ['bootstrap.servers=a:1'] } },
      problem: '--client: client may not hold bootstrap.servers; set bootstrap instead',
    },
    {
      why: 'a bad Redis address, its password hidden',
      given: { env: { REDIS_URL: 'http://u:hush@host' } },
      problem: 'REDIS_URL: redis.url must be a URL such as redis://host:6379, not "http://***@host"',
    },
    {
      why: 'a variable with broken JSON, its text not repeated',
      given: { env: { PLIMSOLL_CLIENT: '{"sasl.password": hush}' } },
      problem: 'PLIMSOLL_CLIENT: client starts with { but is not a JSON object',
    },
  ])('refuses $why', ({ given, problem }) => {
    expect(problemsOf(given)).toEqual([problem]);
  });

  it('reports all problems at once', () => {
    const problems = problemsOf({
      yaml: 'bmp: 100\nconfirm: 3',
      env: { PLIMSOLL_HOEM: 'x' },
      flags: { seed: '-1' },
    });
    expect(problems).toEqual([
      'PLIMSOLL_HOEM is not a setting; did you mean PLIMSOLL_HOME?',
      'plimsoll.yaml:2: confirm must be 0 or 1, not 3',
      '--seed: load.seed must be at least 0, not -1',
      'plimsoll.yaml:1: bmp is not a setting; did you mean bpm?',
    ]);
  });

  it.each([
    {
      why: 'an open bracket',
      yaml: 'bpm: 100\ntrial: {windowMs: 15s\nload: 3',
      line: /^plimsoll\.yaml:[23]: .+/,
    },
    {
      why: 'a key given twice',
      yaml: 'bpm: 100\nbpm: 1kB',
      line: /^plimsoll\.yaml:2: Map keys must be unique$/,
    },
    { why: 'a list instead of settings', yaml: '- bpm', line: /^plimsoll\.yaml:1: must hold settings/ },
  ])('refuses YAML with $why', ({ yaml, line }) => {
    expect(problemsOf({ yaml })[0]).toMatch(line);
  });

  it('reads the file named by flag or variable, and insists on it', () => {
    const file = join(folder, 'other.yaml');
    writeFileSync(file, 'confirm: 0');
    expect(load({ flags: { config: file } }).confirm).toBe(0);
    expect(load({ env: { PLIMSOLL_CONFIG: file } }).confirm).toBe(0);
    expect(problemsOf({ flags: { config: `${file}.gone` } })).toEqual([
      `${file}.gone: there is no such settings file`,
    ]);
  });
});
