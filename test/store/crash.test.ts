import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { sampleEvidence, sampleRecord, sampleRun } from './sample-trial.ts';

// The children are real processes and start from the build, as everything does on Node 20.
const DIST = resolve('dist');
const FIXTURES = resolve('test/fixtures/store');

let home: string;
let input: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-crash-'));
  input = join(home, 'input.json');
  writeFileSync(
    input,
    JSON.stringify({ run: sampleRun(), record: sampleRecord(0), evidence: sampleEvidence(0) }),
  );
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(home, { recursive: true });
});

function start(script: string, ...args: string[]): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const child = spawn(process.execPath, [join(FIXTURES, script), DIST, home, input, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

describe('kill -9', () => {
  it.each([1, 2, 3])('in the middle of writing keeps every acknowledged trial (round %d)', async (round) => {
    const child = start('write-trials.mjs');
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      // Killed by a timer, not between two lines: most of the time goes into the write itself.
      if (lines.push(line) === 20 * round) setTimeout(() => child.kill('SIGKILL'), round * 3);
    }
    const acknowledged = lines.filter((line) => line.startsWith('trial')).length;
    const runId = lines[0]?.slice('run '.length) ?? '';

    const store = openStore(home);
    const kept = store.trials(runId);
    expect(acknowledged).toBeGreaterThanOrEqual(20 * round - 1);
    // One more may have been committed whose acknowledgement was not printed any more.
    expect([acknowledged, acknowledged + 1]).toContain(kept.length);
    expect(kept.map(({ sequence }) => sequence)).toEqual(kept.map((_, index) => index + 1));
    expect(store.events(runId)).toHaveLength(kept.length);
    for (const { sequence } of kept) expect(store.evidence(runId, sequence)).toEqual(sampleEvidence(0));
    expect(store.run(runId).status).toBe('interrupted');
    expect(store.claimRun(runId).status).toBe('running');
    store.close();
    const db = new Database(join(home, 'plimsoll.db'));
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.pragma('foreign_key_check')).toEqual([]);
    db.close();
  });
});

describe('programs that start together in a new home', () => {
  it('make one database, and only one of them gets the cluster', async () => {
    const atMs = String(Date.now() + 1_500);
    const racers = Array.from({ length: 4 }, () => start('start-run.mjs', atMs));
    const answers = await Promise.all(
      racers.map(async (child) => String((await once(createInterface({ input: child.stdout }), 'line'))[0])),
    );
    const winners = answers.filter((answer) => answer.startsWith('run '));
    expect(winners, answers.join('\n')).toHaveLength(1);
    expect(answers.filter((answer) => answer.startsWith('error CLUSTER_BUSY run'))).toHaveLength(3);
  });
});
