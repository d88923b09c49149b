import { describe, expect, it } from 'vitest';
import { abortable } from '../../src/controller/abortable.ts';

describe('abortable', () => {
  const never = new Promise<string>(() => {});

  it('gives what the work gives', async () => {
    const { signal } = new AbortController();
    expect(await abortable(Promise.resolve('report'), signal)).toBe('report');
    await expect(abortable(Promise.reject(new Error('lost')), signal)).rejects.toThrow('lost');
  });

  it('waits no longer than until the signal', async () => {
    const stop = new AbortController();
    const waiting = abortable(never, stop.signal);
    stop.abort(new Error('Ctrl-C'));
    await expect(waiting).rejects.toThrow('Ctrl-C');
    await expect(abortable(never, stop.signal)).rejects.toThrow('Ctrl-C');
  });
});
