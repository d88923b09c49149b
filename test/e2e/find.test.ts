import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunDocument } from '../../boundary/run-document.ts';
import { parseRunDocument } from '../../charts/curve-json.ts';
import { waitUntil } from '../../src/process/wait-until.ts';
import { openStore } from '../../src/store/store.ts';
import { plimsoll, processesOf, startPlimsoll } from './plimsoll-command.ts';
import { startTestCluster, type TestCluster } from './test-cluster.ts';

/** Short but whole: the window is the least that can see a follower leave the ISR of the local cluster. */
const QUICK = ['--bpm', '1kB', '--window', '6s', '--precision', '20%'];
/** Precise enough not to be over after two trials. */
const LONGER = ['--bpm', '1kB', '--window', '6s', '--precision', '8%', '--max-trials', '8'];
const FINISHED_TRIAL = /#\d+ .*(sustained|overloaded|invalid)/;

let test: TestCluster;
let home: string;

beforeAll(async () => {
  test = await startTestCluster();
  home = join(test.folder, '.plimsoll');
});
afterAll(() => test?.stop());

function documentOf(runId: string): RunDocument {
  const read = parseRunDocument(readFileSync(join(home, 'runs', runId, 'curve.json'), 'utf8'));
  if (read.kind === 'problem') throw new Error(read.problem);
  return read.document;
}

function newestRun(): string {
  const store = openStore(home);
  const run = store.listRuns().at(-1);
  store.close();
  return run?.runId ?? '';
}

describe('plimsoll find on a real cluster', () => {
  it('finds both bounds, set by the brokers, and leaves nothing but its files', async () => {
    const { status, stdout } = await plimsoll(['find', ...QUICK], test.folder, 'whole');
    expect([0, 10, 11]).toContain(status);
    expect(stdout).toMatch(/1 kB .* (converged|wide|unstable)/);
    const { points, trials, run, environment } = documentOf(newestRun());
    const point = points[0];
    expect(point?.lower?.messagesPerSecond).toBeGreaterThan(0);
    expect(point?.upper?.messagesPerSecond).toBeGreaterThan(point?.lower?.messagesPerSecond ?? Number.NaN);
    expect(['request-handler idle', 'delivery']).toContain(point?.limit?.rule);
    expect(run.status).toBe('finished');
    expect(environment).toMatchObject({ kafka: '4.4.0', node: process.versions.node });
    for (const trial of trials.filter(({ verdict }) => verdict.kind === 'sustained')) {
      expect(trial.ackedPerSecond / trial.offeredPerSecond).toBeGreaterThan(0.99);
      expect(Math.min(...Object.values(trial.idleByBroker).map((idle) => idle ?? 0))).toBeGreaterThanOrEqual(
        0.2,
      );
    }
    for (const name of ['curve.csv', 'curve.svg', 'curve.png', 'report.html']) {
      expect(existsSync(join(home, 'runs', run.runId, name)), name).toBe(true);
    }
    expect(await test.topics()).toEqual([]);
    expect(processesOf('whole')).toEqual([]);
  });

  it('keeps the raw samples of every trial, and its verdict can be judged again', async () => {
    const { judgeTrial } = await import('../../boundary/judge-trial.ts');
    const store = openStore(home);
    const { trials, thresholds } = store.runDocument(newestRun());
    for (const { sequence, verdict } of trials) {
      const evidence = store.evidence(newestRun(), sequence);
      expect(evidence && judgeTrial(evidence, thresholds)).toEqual(verdict);
    }
    store.close();
  });
});

describe('what a finished run is good for', () => {
  it('explains each of its decisions, and would decide so again', async () => {
    const { status, stdout } = await plimsoll(['explain', newestRun()], test.folder, 'explained');
    expect(stdout).toMatch(/#1 .* np \d+ of 1 kB: .* -> (sustained|overloaded|invalid)/);
    expect(stdout).toMatch(/\nevery one of the \d+ decisions was reproduced\n$/);
    expect(status).toBe(0);
  });

  it('is checked by a rerun with few trials, at its own sizes', async () => {
    const former = newestRun();
    const quick = QUICK.slice(2);
    const { status, stderr } = await plimsoll(['find', '--rerun', 'last', ...quick], test.folder, 'rerun');
    expect([0, 10, 11]).toContain(status);
    expect(stderr).toContain(`checking what run ${former} found: 1 kB `);
    const { points, trials, environment } = documentOf(newestRun());
    expect(environment.rerunOf).toBe(former);
    expect(points.map(({ messageBytes }) => messageBytes)).toEqual([1_000]);
    // a refuted limit is searched anew
    if (points[0]?.former?.outcome === 'confirmed') expect(trials.length).toBeLessThanOrEqual(4);
  });
});

describe('a run that is cut off', () => {
  it('goes on after kill -9, repeats no finished trial, and leaves no process or topic', async () => {
    const first = startPlimsoll(['find', ...LONGER], test.folder, 'killed');
    await first.until(/#2 .*(sustained|overloaded|invalid)/);
    first.child.kill('SIGKILL');
    await first.done;
    expect(await waitUntil(async () => processesOf('killed').length === 0, 6_000)).toBe(true);
    const runId = newestRun();
    const store = openStore(home);
    const before = store.trials(runId);
    store.close();
    expect(before.length).toBeGreaterThanOrEqual(2);
    const { status } = await plimsoll(['find', '--resume', runId], test.folder, 'resumed');
    expect([0, 10, 11]).toContain(status);
    const { trials, points } = documentOf(runId);
    expect(trials.slice(0, before.length)).toEqual(before);
    expect(new Set(trials.map(({ plan }) => plan.trialId)).size).toBe(trials.length);
    expect(points).toHaveLength(1);
    // the adaptive search counts its probe
    expect(points[0]?.trials).toBe(trials.length + 1);
    expect(await test.topics()).toEqual([]);
    expect(processesOf('resumed')).toEqual([]);
  });

  it('ends in order on Ctrl-C, and says how to go on', async () => {
    const run = startPlimsoll(['find', ...QUICK], test.folder, 'interrupted');
    await run.until(FINISHED_TRIAL);
    run.child.kill('SIGINT');
    const { status, stderr } = await run.done;
    expect(status).toBe(130);
    expect(stderr).toContain(`plimsoll find --resume ${newestRun()}`);
    expect(await test.topics()).toEqual([]);
    expect(processesOf('interrupted')).toEqual([]);
  });
});
