import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addRunsCommand, runsTable } from '../../src/cli/runs.ts';
import { ownerHere } from '../../src/store/run-owner.ts';
import { hasStore, openStore } from '../../src/store/store.ts';
import { sampleEvidence, sampleRecord, sampleRun } from '../store/sample-trial.ts';

let home: string;
let printed: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-runs-'));
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(home, { recursive: true });
});

async function plimsoll(...args: string[]): Promise<void> {
  const program = new Command('plimsoll').exitOverride();
  addRunsCommand(program);
  await program.parseAsync([...args, '--home', home], { from: 'user' });
}

/** A run with one trial, whose owner was killed. */
function makeRun(configuration = sampleRun().configuration): string {
  const owner = { ...ownerHere(), pid: 2 ** 30 };
  const store = openStore(home, { owner, nowMs: () => Date.UTC(2026, 10, 30, 14, 15, 2), random: () => 0 });
  const runId = store.createRun({ ...sampleRun(), configuration });
  store.recordTrial(runId, sampleRecord(1), sampleEvidence(1), null);
  store.close();
  return runId;
}

describe('plimsoll runs', () => {
  it('says that there are none, and makes no database by looking', async () => {
    await plimsoll('runs');
    expect(printed).toBe('no runs yet; `plimsoll find` makes one\n');
    expect(hasStore(home)).toBe(false);
    printed = '';
    await plimsoll('runs', '--json');
    expect(JSON.parse(printed)).toEqual([]);
  });

  it('lists them', async () => {
    makeRun();
    await plimsoll('runs');
    expect(printed).toBe(
      'run                  status       started               sizes        points  trials\n' +
        '20261130-141502-000  interrupted  2026-11-30 14:15 UTC  100 B, 1 kB  0 of 2  1\n',
    );
  });

  it('shows a range as it was given', async () => {
    makeRun({ bpm: { from: 100, to: 1_000_000 } });
    await plimsoll('runs');
    expect(printed).toContain('  100 B..1 MB  0       1\n');
    printed = '';
    await plimsoll('runs', '--json');
    expect(JSON.parse(printed)).toMatchObject([{ messageBytes: [100, 10_000, 1_000_000] }]);
  });

  it('tells simulated runs from measured ones', async () => {
    const store = openStore(home);
    store.createRun({ ...sampleRun(), environment: { simulated: 'small.yaml' } });
    store.close();
    await plimsoll('runs');
    expect(printed).toMatch(/running \(simulated\)/);
    printed = '';
    await plimsoll('runs', '--json');
    expect(JSON.parse(printed)).toMatchObject([{ simulated: 'small.yaml' }]);
  });

  it('lists them for machines', async () => {
    const runId = makeRun();
    await plimsoll('runs', '--json');
    expect(JSON.parse(printed)).toMatchObject([
      { runId, status: 'interrupted', error: null, messageBytes: [100, 1_000], points: [], trials: 1 },
    ]);
  });

  it('needs no runs to make a table', () => {
    expect(runsTable([])).toContain('no runs yet');
  });
});

describe('plimsoll report', () => {
  it('writes the files of a run anew', async () => {
    const out = join(home, 'out', 'deep');
    await plimsoll('report', makeRun(), '--out', out);
    expect(existsSync(out)).toBe(true);
    const names = ['curve.csv', 'curve.json', 'curve.png', 'curve.svg', 'report.html'];
    expect(readdirSync(out).sort()).toEqual(names);
    expect(printed.trimEnd().split('\n').sort()).toEqual(names.map((name) => join(out, name)));
  });

  it('goes where find has put them when no folder is named', async () => {
    const runId = makeRun();
    await plimsoll('report', runId);
    expect(readdirSync(join(home, 'runs', runId))).toContain('report.html');
  });

  it('takes `last` for the run that started last', async () => {
    makeRun();
    const store = openStore(home, { nowMs: () => Date.UTC(2026, 10, 30, 16, 15, 2), random: () => 0 });
    const runId = store.createRun(sampleRun());
    store.close();
    await plimsoll('report', 'last');
    expect(readdirSync(join(home, 'runs'))).toEqual([runId]);
  });

  it('makes no database where there is none', async () => {
    await expect(plimsoll('report', 'x', '--out', home)).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
    expect(hasStore(home)).toBe(false);
  });

  it('does not know a run that is not there', async () => {
    makeRun();
    await expect(plimsoll('report', 'nope', '--out', join(home, 'out'))).rejects.toMatchObject({
      code: 'RUN_UNKNOWN',
    });
    expect(existsSync(join(home, 'out'))).toBe(false);
  });
});
