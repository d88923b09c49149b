import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSimulation } from '../../src/simulate/read-simulation.ts';
import { burstSchema, simulationSchema } from '../../src/simulate/simulation-schema.ts';

const EXAMPLE = join(import.meta.dirname, '../../deploy/simulate/small-cluster.yaml');
const USUAL = simulationSchema.parse({});
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-simulate-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string, name = 'cluster.yaml') {
  const file = join(folder, name);
  writeFileSync(file, text);
  return readSimulation(file);
}

describe('the description of a simulated cluster', () => {
  it.each([
    { why: 'an empty file is the usual cluster', text: '', means: USUAL },
    { why: 'so is one with comments alone', text: '# nothing\n', means: USUAL },
    { why: 'JSON is as good as YAML', text: '{"brokers": 5}', means: { ...USUAL, brokers: 5 } },
    { why: 'a key without a value keeps its default', text: 'noise:\nburst:\n', means: USUAL },
    {
      why: 'ratios may be percentages, sizes have units',
      text: 'invalidShare: 20%\ndeliveryCliff: 10kB\n',
      means: { ...USUAL, invalidShare: 0.2, deliveryCliff: 10_000 },
    },
    {
      why: 'a burst takes what it does not say from the default',
      text: 'burst:\n  share: 0.5\n',
      means: { ...USUAL, burst: { afterSeconds: 1_200, share: 0.5 } },
    },
  ])('is read: $why', ({ text, means }) => {
    expect(read(text)).toEqual({ name: 'cluster.yaml', settings: means });
  });

  it.each([
    { why: 'a mistyped key', text: 'seed: 1\nborkers: 3\n', line: /:2: borkers .*did you mean brokers\?$/ },
    { why: 'a key like no other', text: 'xyzzyplugh: 1\n', line: /:1: xyzzyplugh .*known are brokers, / },
    {
      why: 'one in the burst',
      text: 'burst:\n  afterSecond: 3\n',
      line: /:2: burst\.afterSecond .*afterSeconds\?$/,
    },
    { why: 'a burst without its two', text: 'burst: 3\n', line: /:1: burst needs afterSeconds and share/ },
    { why: 'no family of curves', text: 'curve: G\n', line: /:1: curve must be mixed or lin .*"G"$/ },
    {
      why: 'less than no noise',
      text: 'noise: -1\n',
      line: /:1: noise must be a number from 0 to 20, not -1/,
    },
    { why: 'no number', text: 'noise: .nan\n', line: /:1: noise must be a number from 0 to 20, not NaN/ },
    {
      why: 'more than a number',
      text: 'messagesPerSecond: 1e400\n',
      line: /:1: messagesPerSecond must be a number above 0, not Infinity/,
    },
    {
      why: 'more than a cluster',
      text: 'messagesPerSecond: 1e30\n',
      line: /:1: messagesPerSecond must be at most 1000000000, not 1e\+30/,
    },
    {
      why: 'an eternity',
      text: 'slowRecovery: 1e9\n',
      line: /:1: slowRecovery must be .* 1 to 100, not 1000000000/,
    },
    { why: 'a file without end', text: 'burst: &a\n  share: *a\n', line: /: an alias stands within what it/ },
    { why: 'more than all trials', text: 'invalidShare: 1.2\n', line: /:1: invalidShare must be a ratio/ },
    { why: 'half a broker', text: 'brokers: 2.5\n', line: /:1: brokers must be a whole number/ },
    { why: 'no limit at all', text: 'messagesPerSecond: 0\n', line: /must be a number above 0, not 0/ },
    { why: 'faster than at once', text: 'slowRecovery: 0.5\n', line: /from 1 to 100, not 0.5/ },
    { why: 'a cliff under the smallest size', text: 'deliveryCliff: 50\n', line: /above 100 B, not 50/ },
    { why: 'a cliff that is no size', text: 'deliveryCliff: high\n', line: /must be a message size/ },
    { why: 'a list', text: '- 3\n', line: /:1: must hold settings/ },
    { why: 'no YAML', text: 'a: [\n', line: /cluster\.yaml:\d: / },
  ])('is refused in one line with its place: $why', ({ text, line }) => {
    const problem = expect(() => read(text));
    problem.toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(line) }),
    );
  });

  it('tells all mistakes at once', () => {
    expect(() => read('noise: -1\ncurve: G\n')).toThrow(/curve[^\n]*\n[^\n]*noise/);
  });

  it('must be there', () => {
    expect(() => readSimulation(join(folder, 'none.yaml'))).toThrow(/none\.yaml: there is no such/);
  });
});

describe('the example', () => {
  it('is accepted and shows every key', () => {
    const { settings } = readSimulation(EXAMPLE);
    const text = readFileSync(EXAMPLE, 'utf8');
    expect(Object.keys(parse(text)).sort()).toEqual(Object.keys(simulationSchema.shape).sort());
    for (const key of Object.keys(burstSchema.shape)) expect(text).toMatch(new RegExp(`^#  ${key}: `, 'm'));
    // As its first lines say.
    expect({ ...settings, messagesPerSecond: 0, megabytesPerSecond: 0 }).toEqual({
      ...USUAL,
      messagesPerSecond: 0,
      megabytesPerSecond: 0,
    });
  });
});
