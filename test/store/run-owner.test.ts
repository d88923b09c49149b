import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ownerHere, ownerLiveness } from '../../src/store/run-owner.ts';

describe('ownerLiveness', () => {
  const own = ownerHere();

  it.each([
    { why: 'this process', owner: own, liveness: 'alive' },
    {
      why: 'a recycled number: same pid, other start',
      owner: { ...own, startedAt: 'other' },
      liveness: 'gone',
    },
    { why: 'a number that no process has', owner: { ...own, pid: 2 ** 30 }, liveness: 'gone' },
    {
      why: 'a process of another machine',
      owner: { ...own, host: 'elsewhere.invalid' },
      liveness: 'unknown',
    },
    { why: 'a process without an identity', owner: { ...own, startedAt: null }, liveness: 'unknown' },
  ])('$why is $liveness', ({ owner, liveness }) => {
    expect(ownerLiveness(owner)).toBe(liveness);
  });

  it('sees a killed process as gone', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    const owner = ownerHere(child.pid);
    expect(ownerLiveness(owner)).toBe('alive');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(ownerLiveness(owner)).toBe('gone');
  });
});
