import { describe, expect, it } from 'vitest';
import { readMegabytesPerSecond } from '../../src/config/data-rate.ts';

describe('readMegabytesPerSecond', () => {
  it.each([
    { raw: 40, value: 40, why: 'a number of a file is MB/s' },
    { raw: '40', value: 40, why: 'also as text' },
    { raw: '0.5', value: 0.5, why: 'part of a MB/s' },
    { raw: '40MB/s', value: 40, why: 'with its unit' },
    { raw: '40 MBps', value: 40, why: 'the other way to write it' },
    { raw: '500kB/s', value: 0.5, why: 'a smaller unit' },
    { raw: '1MiB/s', value: 1.048576, why: 'binary' },
  ])('$raw: $why', ({ raw, value }) => {
    expect(readMegabytesPerSecond(raw)).toEqual({ ok: true, value });
  });

  it.each([
    { raw: '0', why: 'no load at all' },
    { raw: '-4', why: 'below nothing' },
    { raw: '40MB', why: 'a size, not a rate' },
    { raw: '40Mbit/s', why: 'bits' },
    { raw: '40/s', why: 'messages, perhaps' },
    { raw: true, why: 'no number' },
  ])('refuses $raw: $why', ({ raw }) => {
    expect(readMegabytesPerSecond(raw)).toEqual({
      ok: false,
      problem: `must be a rate above 0 such as 40MB/s or 500kB/s, not ${JSON.stringify(raw)}`,
    });
  });
});
