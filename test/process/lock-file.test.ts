import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock } from '../../src/process/lock-file.ts';
import { identifyProcess } from '../../src/process/process-identity.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the lock file', () => {
  it('is held by one at a time, and says who holds it', async () => {
    const waits: number[] = [];
    const first = await acquireLock(path, 0, () => {});
    expect(await acquireLock(path, 60, (pid) => waits.push(pid))).toBeNull();
    expect(waits).toEqual([process.pid]);
    first?.release();
    const second = await acquireLock(path, 0, () => {});
    expect(second).not.toBeNull();
    second?.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is taken also when its folder went away with the one before', async () => {
    rmSync(folder, { recursive: true });
    const lock = await acquireLock(path, 0, () => {});
    expect(lock).not.toBeNull();
    lock?.release();
  });

  it('goes to exactly one of many that come at once', async () => {
    const taken = await Promise.all(Array.from({ length: 8 }, () => acquireLock(path, 0, () => {})));
    expect(taken.filter((lock) => lock !== null)).toHaveLength(1);
  });

  const alive = identifyProcess(process.pid);
  const stale = [
    { text: '', reason: 'empty: a full disk' },
    { text: '{"pid": 1', reason: 'half written' },
    {
      text: JSON.stringify({ pid: process.pid, startedAt: 'earlier' }),
      reason: 'the pid is now another process',
    },
  ];
  for (const { text, reason } of stale) {
    it(`is taken over when its owner is gone: ${reason}`, async () => {
      writeFileSync(path, text);
      expect(await acquireLock(path, 0, () => {})).not.toBeNull();
    });
  }

  it('is taken over from a process that has ended, not from a living one', async () => {
    const child = spawn('sleep', ['5']);
    await once(child, 'spawn');
    const owner = identifyProcess(child.pid ?? 0);
    writeFileSync(path, JSON.stringify(owner));
    expect(await acquireLock(path, 0, () => {})).toBeNull();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await acquireLock(path, 0, () => {})).not.toBeNull();
    expect(alive).not.toBeNull();
  });

  it('of another is not removed by a late release', async () => {
    const first = await acquireLock(path, 0, () => {});
    writeFileSync(path, JSON.stringify({ ...alive, token: 'other' }));
    first?.release();
    expect(await acquireLock(path, 0, () => {})).toBeNull();
  });
});
