import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addFindCommand } from '../../src/cli/find.ts';
import { openStore } from '../../src/store/store.ts';

const EXAMPLE = join(import.meta.dirname, '../../deploy/simulate/small-cluster.yaml');
let home: string;
let printed: string;
let told: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-find-'));
  [printed, told] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    told += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  rmSync(home, { recursive: true });
});

async function find(...args: string[]): Promise<void> {
  const program = new Command('plimsoll').exitOverride();
  addFindCommand(program);
  await program.parseAsync(['find', ...args, '--home', home], { from: 'user' });
}

function runsOf() {
  const store = openStore(home);
  const runs = store.listRuns();
  store.close();
  return runs;
}

describe('plimsoll find --simulate', () => {
  it('searches the example, and tells what a simulation alone can tell', async () => {
    await find('--simulate', EXAMPLE, '--precision', '10%');
    expect(told).toMatch(/^#1 .*of simulated time left$/ms);
    expect(printed).toMatch(/Simulated cluster: no broker was measured\./);
    expect(printed).toMatch(/The true limits.*\n( +\S+ k?B +[\d,]+\/s .*estimate [+-].*\n){3}/);
    expect(runsOf()).toMatchObject([
      {
        status: 'finished',
        environment: { simulated: 'small-cluster.yaml' },
        cluster: { brokerIds: [1, 2, 3] },
      },
    ]);
    expect(readdirSync(join(home, 'runs', runsOf()[0]?.runId ?? ''))).toContain('curve.png');
  });

  it('ends its JSON with the document and the true limits', async () => {
    await find('--simulate', EXAMPLE, '--bpm', '1kB', '--json', '--out', join(home, 'out'));
    const last = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({
      type: 'result',
      document: { environment: { simulated: 'small-cluster.yaml' } },
      trueLimits: [{ messageBytes: 1_000, rule: 'request-handler idle' }],
    });
  });

  it('takes the seed of the flag before that of the file', async () => {
    await find('--simulate', EXAMPLE, '--bpm', '1kB', '--seed', '7');
    expect(runsOf()[0]?.configuration).toMatchObject({ simulation: { seed: 7 } });
  });

  it('heeds none of the settings file that are about a real cluster', async () => {
    const config = join(home, 'plimsoll.yaml');
    writeFileSync(config, 'bootstrap: [kafka:9092]\nsignals: none\nthresholds:\n  idleRatio: 0.4\n');
    await find('--simulate', EXAMPLE, '--bpm', '1kB', '--config', config);
    expect(runsOf()[0]).toMatchObject({
      status: 'finished',
      searchConfig: { idleLimit: 0.2, withoutSignals: false },
    });
  });

  it.each([
    {
      why: 'a real cluster beside it',
      flags: ['--bootstrap', 'k:9092'],
      line: /--bootstrap is for a real cluster/,
    },
    {
      why: 'several flags of one',
      flags: ['--metrics', 'http://k/m', '--signals', 'none'],
      line: /--metrics, --signals are for a real cluster/,
    },
    {
      why: 'an old run to go on with',
      flags: ['--resume', 'x'],
      line: /--resume does not go with --simulate/,
    },
    { why: 'an earlier run that is not there', flags: ['--rerun', 'last'], line: /no finished run/ },
  ])('is refused in one line: $why', async ({ flags, line }) => {
    await expect(find('--simulate', EXAMPLE, ...flags)).rejects.toThrow(line);
    expect(runsOf()).toEqual([]);
  });

  it('is refused for a file that is wrong, before a run is made', async () => {
    const file = join(home, 'wrong.yaml');
    writeFileSync(file, 'borkers: 3\n');
    await expect(find('--simulate', file)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    expect(runsOf()).toEqual([]);
  });

  it('is not resumed', async () => {
    await find('--simulate', EXAMPLE, '--bpm', '1kB');
    await expect(find('--resume', runsOf()[0]?.runId ?? '')).rejects.toThrow(
      /is simulated and not resumed: .*small-cluster\.yaml/,
    );
  });
});
