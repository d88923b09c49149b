import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { onInterrupt } from '../../src/cli/interrupt.ts';
import { guardOutput } from '../../src/cli/output.ts';

const failure = (code: string) => Object.assign(new Error(`write ${code}`), { code });

afterEach(() => vi.restoreAllMocks());

describe('a standard output that fails', () => {
  it('does not end the program, and is told once', () => {
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    vi.spyOn(process, 'once').mockReturnValue(process);
    const [stdout, stderr] = [new EventEmitter(), new EventEmitter()];
    guardOutput(stdout, stderr);
    for (const stream of [stdout, stdout, stderr]) stream.emit('error', failure('ENOSPC'));
    expect(told.mock.calls).toEqual([['plimsoll: standard output cannot be written (write ENOSPC)\n']]);
  });

  it('says nothing to a reader who closed the pipe', () => {
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    vi.spyOn(process, 'once').mockReturnValue(process);
    const stdout = new EventEmitter();
    guardOutput(stdout, new EventEmitter());
    stdout.emit('error', failure('EPIPE'));
    expect(told).not.toHaveBeenCalled();
  });

  it('ends a run in order', () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const interrupt = onInterrupt();
    process.stdout.emit('error', failure('EPIPE'));
    process.stdout.emit('error', failure('EPIPE'));
    interrupt.release();
    expect(interrupt.signal.aborted).toBe(true);
  });
});
