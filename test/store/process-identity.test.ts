import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { identityOf, livenessOf, ownIdentity } from '../../src/store/process-identity.ts';

describe('livenessOf', () => {
  const own = ownIdentity();

  it.each([
    { why: 'this process', identity: own, liveness: 'alive' },
    {
      why: 'a recycled number: same pid, other start',
      identity: { ...own, start: `${own.start}1` },
      liveness: 'gone',
    },
    { why: 'a number that no process has', identity: { ...own, pid: 2 ** 30 }, liveness: 'gone' },
    {
      why: 'a process of another machine',
      identity: { ...own, host: 'elsewhere.invalid' },
      liveness: 'elsewhere',
    },
  ])('$why is $liveness', ({ identity, liveness }) => {
    expect(livenessOf(identity)).toBe(liveness);
  });

  it('tells the start of a process, the same at every look', () => {
    expect(own.start).not.toBe('');
    expect(ownIdentity()).toEqual(own);
  });

  it('sees a killed process as gone', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    const identity = identityOf(child.pid ?? 0);
    expect(livenessOf(identity)).toBe('alive');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(livenessOf(identity)).toBe('gone');
  });
});
