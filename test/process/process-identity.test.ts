import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { identifyProcess, isAlive } from '../../src/process/process-identity.ts';
import { stopProcesses } from '../../src/process/stop-process.ts';

describe('the identity of a process', () => {
  it('ends with the process', async () => {
    const child = spawn('sleep', ['5']);
    await once(child, 'spawn');
    const identity = identifyProcess(child.pid ?? 0);
    if (identity === null) throw new Error('no identity of a living process');
    expect(isAlive(identity)).toBe(true);
    const exited = once(child, 'exit');
    expect(await stopProcesses([identity], 1_000)).toEqual([]);
    expect(await exited).toEqual([null, 'SIGTERM']);
    expect(isAlive(identity)).toBe(false);
  });

  it('keeps a process that got a recycled pid from being stopped', async () => {
    const child = spawn('sleep', ['5']);
    await once(child, 'spawn');
    await stopProcesses([{ pid: child.pid ?? 0, startedAt: 'before' }], 0);
    expect(identifyProcess(child.pid ?? 0)).not.toBeNull();
    child.kill('SIGKILL');
  });

  const none = [
    { pid: 0, reason: 'kill(0) is the whole group' },
    { pid: -1, reason: 'kill(-1) is everything' },
    { pid: 1, reason: 'init is never ours' },
    { pid: Number.NaN, reason: 'a damaged file' },
    { pid: 4_194_305, reason: 'above the largest pid of Linux' },
  ];
  for (const { pid, reason } of none) {
    it(`does not exist for pid ${pid}: ${reason}`, () => expect(identifyProcess(pid)).toBeNull());
  }
});
