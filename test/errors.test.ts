import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PlimsollError, systemFailure } from '../src/errors.ts';

describe('PlimsollError', () => {
  it('never shows the credentials of a URL in its line', () => {
    const { message } = new PlimsollError(
      'METRICS_UNREACHABLE',
      'http://bob:pw@host/metrics?token=abc is down',
    );
    expect(message).toBe('http://***@host/metrics?token=*** is down');
  });
});

describe('systemFailure', () => {
  const thrownBy = (work: () => void): unknown => {
    try {
      work();
    } catch (error) {
      return error;
    }
    return null;
  };

  it('makes one line of what the system refuses', () => {
    const failure = systemFailure(thrownBy(() => mkdirSync('/dev/null/x')));
    expect(failure?.message).toMatch(/ENOTDIR.*check paths/);
    expect(failure?.exitCode).toBe(74);
  });

  it('names a full disk as such', () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    expect(systemFailure(full)?.code).toBe('DISK_FULL');
  });

  it('leaves errors of this program alone: they need a stack', () => {
    expect(systemFailure(new TypeError('x is not a function'))).toBeNull();
  });
});
