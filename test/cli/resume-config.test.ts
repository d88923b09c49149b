import { describe, expect, it } from 'vitest';
import { resumeConfig } from '../../src/cli/resume-config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { maskedConfig } from '../../src/config/masked-config.ts';

const load = (flags: Record<string, unknown>) => loadConfig({ env: {}, flags, folder: '/nowhere' });
const then = load({
  bootstrap: 'kafka1:9092',
  window: '9s',
  client: ['sasl.username=u', 'sasl.password=secret'],
  metrics: '1=http://user:pw@kafka1:7071/metrics',
});

describe('resumeConfig', () => {
  it('keeps the settings of the run and takes secrets and addresses from now', () => {
    const now = load({
      bootstrap: 'kafka2:9092',
      window: '20s',
      client: ['sasl.password=secret'],
      metrics: '1=http://user:pw@kafka2:7071/metrics',
      home: '/elsewhere',
    });
    const config = resumeConfig(maskedConfig(then), now);
    expect(config.trial.windowMs).toBe(9_000);
    expect(config.bootstrap).toEqual(['kafka2:9092']);
    expect(config.home).toBe('/elsewhere');
    expect(config.client).toEqual({ 'sasl.username': 'u', 'sasl.password': 'secret' });
  });

  it('takes the secrets of the signals from now, wherever they stand', () => {
    const signals = {
      signalsUser: 'u',
      signalsPassword: 'pw',
      signalsHeader: ['X-Api-Key=k', 'X-Team=a'],
    };
    const stored = maskedConfig(load({ ...signals, signalsProxy: 'http://u:p@proxy:3128' }));
    expect(JSON.stringify(stored)).not.toMatch(/"pw"|"k"|u:p@/);
    const now = load({ ...signals, signalsProxy: 'http://u:p@proxy:3128', signalsUser: 'other' });
    expect(resumeConfig(stored, now).signals).toMatchObject({
      user: 'u',
      password: 'pw',
      proxy: 'http://u:p@proxy:3128',
      headers: { 'X-Api-Key': 'k', 'X-Team': 'a' },
    });
    expect(() => resumeConfig(stored, load({}))).toThrow(/give signals again/);
  });

  it('keeps the topic of the run, but not what the disks may hold: that may be why it goes on', () => {
    const stored = maskedConfig(load({ bootstrap: 'kafka1:9092', partitionsPerBroker: '3' }));
    const { topic } = resumeConfig(stored, load({ diskBudget: '50GB', partitionsPerBroker: '7' }));
    expect(topic).toMatchObject({ partitionsPerBroker: 3, diskBudgetBytes: 50_000_000_000 });
  });

  it('resumes a run of a version without consumer groups without any, and with the usual limits of rules it lacked', () => {
    const {
      consumers: _,
      consumer: __,
      thresholds,
      ...rest
    } = maskedConfig(load({ bootstrap: 'kafka1:9092' }));
    const { lagGrowthShare: ___, latencyP99Ms: ____, ...then } = thresholds as Record<string, unknown>;
    const config = resumeConfig(
      { ...rest, thresholds: then },
      load({ groups: '5', consumer: ['check.crcs=true'] }),
    );
    expect(config.consumers.groups).toBe(0);
    expect(config.consumer).toEqual({});
    expect(config.thresholds).toEqual(load({}).thresholds);
  });

  it('keeps the groups of the run', () => {
    const stored = maskedConfig(
      load({ bootstrap: 'kafka1:9092', groups: '3', consumer: ['check.crcs=true'] }),
    );
    const config = resumeConfig(stored, load({}));
    expect(config.consumers.groups).toBe(3);
    expect(config.consumer).toEqual({ 'check.crcs': true });
  });

  it('resumes a run of a version that had no signals settings', () => {
    const { signals: _, ...stored } = maskedConfig(load({ bootstrap: 'kafka1:9092' }));
    expect(resumeConfig(stored, load({})).signals.source).toBe('scrape');
  });

  it.each([
    { strategy: 'bisection', why: 'as it was asked for' },
    { strategy: 'adaptive', why: 'also the other one' },
    { strategy: undefined, resumed: 'bisection', why: 'the only one that its version had' },
  ])('goes on with the strategy of the run: $why', ({ strategy, resumed = strategy }) => {
    const { strategy: _, ...rest } = maskedConfig(load({ bootstrap: 'kafka1:9092' }));
    const stored = strategy === undefined ? rest : { ...rest, strategy };
    expect(resumeConfig(stored, load({})).strategy).toBe(resumed);
  });

  it('names the secrets that are missing instead of connecting with stars', () => {
    expect(() => resumeConfig(maskedConfig(then), load({}))).toThrow(/give metrics, client again/);
  });
});
