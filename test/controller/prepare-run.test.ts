import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { maskedConfig } from '../../src/config/masked-config.ts';
import { methodDifferences } from '../../src/controller/method-differences.ts';
import { prepareRun } from '../../src/controller/prepare-run.ts';
import type { RunEvent } from '../../src/controller/run-event.ts';
import { searchConfigOf } from '../../src/controller/search-config.ts';
import { sampleRun } from '../store/sample-trial.ts';
import { useTemporaryStores } from '../store/temporary-stores.ts';
import { samplePoint } from './sample-point.ts';

const stores = useTemporaryStores();
const configOf = (flags: Record<string, unknown> = {}) => loadConfig({ env: {}, flags, folder: '/nowhere' });

function rerun(flags: Record<string, unknown>, hasSizes: boolean, others: readonly number[] = []) {
  const store = stores.open();
  const { cluster } = sampleRun();
  const configuration = maskedConfig(configOf({ client: ['sasl.password=secret'] }));
  const run = store.createRun({ ...sampleRun(), configuration });
  for (const messageBytes of [1_000, 4_000]) store.savePoint(run, samplePoint({ messageBytes }));
  for (const messageBytes of others) store.savePoint(run, samplePoint({ messageBytes, quality: 'at most' }));
  store.endRun(run, 'finished');
  const told: RunEvent[] = [];
  const observe = (event: RunEvent) => void told.push(event);
  const config = configOf({ client: ['sasl.password=secret'], ...flags });
  return { run, told, ...prepareRun({ config, rerun: { run, hasSizes }, observe }, store, cluster) };
}

describe('prepareRun', () => {
  it('checks the sizes of the earlier run when none are named', () => {
    const { config, former, told, run, environment } = rerun({}, false);
    expect(config.bpm).toEqual([1_000, 4_000]);
    expect(former.map(({ messageBytes }) => messageBytes)).toEqual([1_000, 4_000]);
    expect(searchConfigOf(config, former)).toMatchObject({ sizes: [1_000, 4_000], former });
    expect(environment).toEqual({ rerunOf: run });
    expect(told).toEqual([
      { type: 'step', text: `checking what run ${run} found: 1 kB 2,000/s, 4 kB 2,000/s` },
    ]);
  });

  it('names the sizes of the earlier run that it leaves out, unless sizes are named', () => {
    const { config, told } = rerun({}, false, [100, 10_000]);
    expect(config.bpm).toEqual([1_000, 4_000]);
    expect(told[1]).toEqual({
      type: 'warning',
      text: expect.stringMatching(/^left out, .*: 100 B, 10 kB; --bpm searches them$/),
    });
    expect(rerun({ bpm: '1kB,10kB' }, true, [100, 10_000]).told).toHaveLength(1);
  });

  it.each([
    { bpm: '1kB,10kB', checked: [1_000], why: 'a list' },
    { bpm: '2kB..10kB', checked: [4_000], why: 'a range' },
  ])('keeps sizes that are named: $why', ({ bpm, checked }) => {
    const { config, former } = rerun({ bpm }, true);
    expect(config.bpm).toEqual(configOf({ bpm }).bpm);
    expect(former.map(({ messageBytes }) => messageBytes)).toEqual(checked);
  });

  it('warns when nothing at the named sizes can be checked', () => {
    const { former, told } = rerun({ bpm: '7kB' }, true);
    expect(former).toEqual([]);
    expect(told).toEqual([{ type: 'warning', text: expect.stringContaining('no limit at these sizes') }]);
  });

  it('warns of settings that make the runs incomparable, not of those of the topic', () => {
    const { told } = rerun(
      { window: '20s', producer: ['acks=all'], topicConfig: ['flush.messages=2'] },
      false,
    );
    expect(told[1]).toEqual({
      type: 'warning',
      text: expect.stringContaining('(trial.windowMs, producer.acks)'),
    });
  });

  it.each([
    { flags: { strategy: 'bisection' }, line: /--rerun does not go with strategy bisection/ },
    { flags: { signals: 'none' }, line: /--rerun does not go with signals.source none/ },
  ])('is for the adaptive search: $line', ({ flags, line }) => {
    expect(() => rerun(flags, false)).toThrow(line);
  });

  it('leaves other runs as they are', () => {
    const config = configOf();
    const request = { config, rerun: null, observe: () => {} };
    expect(prepareRun(request, stores.open(), sampleRun().cluster)).toEqual({
      config,
      former: [],
      environment: {},
    });
  });
});

describe('methodDifferences', () => {
  it.each([
    { why: 'the same', earlier: {}, now: {}, names: [] },
    { why: 'a threshold', earlier: {}, now: { idleRatio: '0.3' }, names: ['thresholds.idleRatio'] },
    { why: 'a new property', earlier: {}, now: { client: ['a=1'] }, names: ['client.a'] },
    { why: 'the seed', earlier: {}, now: { seed: '2' }, names: ['load.seed'] },
    {
      why: 'consumers',
      earlier: {},
      now: { groups: '2', consumer: ['a=1'] },
      names: ['consumers.groups', 'consumer.a'],
    },
    { why: 'the payload', earlier: {}, now: { payload: 'json' }, names: ['messages.payload'] },
    {
      why: 'sizes, keys and headers',
      earlier: { keys: 'uniform:9' },
      now: { sizes: 'uniform:0.5', header: ['a=1'] },
      names: ['messages.sizes', 'messages.keys', 'messages.headers'],
    },
    {
      why: 'how much is searched',
      earlier: {},
      now: { precision: '1%', bpm: '1kB', maxTrials: '7' },
      names: [],
    },
  ])('$why', ({ earlier, now, names }) => {
    expect(methodDifferences(maskedConfig(configOf(earlier)), maskedConfig(configOf(now)))).toEqual(names);
  });

  it('does not compare what an older version did not have', () => {
    const { signals: _, ...then } = maskedConfig(configOf());
    expect(methodDifferences(then, maskedConfig(configOf({ signals: 'none' })))).toEqual([]);
  });

  it('knows that runs of older versions had no consumers, and neither limit', () => {
    const { consumers: _, consumer: __, thresholds, ...rest } = maskedConfig(configOf());
    const { lagGrowthShare: ___, latencyP99Ms: ____, ...then } = thresholds as Record<string, unknown>;
    const old = { ...rest, thresholds: then };
    expect(methodDifferences(old, maskedConfig(configOf()))).toEqual([]);
    const now = maskedConfig(configOf({ groups: '1', latencyP99: '50ms' }));
    expect(methodDifferences(old, now)).toEqual(['thresholds.latencyP99Ms', 'consumers.groups']);
  });

  it('knows that runs of older versions sent random messages', () => {
    const { messages: _, ...then } = maskedConfig(configOf());
    expect(methodDifferences(then, maskedConfig(configOf()))).toEqual([]);
    expect(methodDifferences(then, maskedConfig(configOf({ payload: 'json' })))).toEqual([
      'messages.payload',
    ]);
  });
});
