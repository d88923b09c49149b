import { describe, expect, it } from 'vitest';
import { readByteCount } from '../../src/config/byte-count.ts';

describe('readByteCount', () => {
  it.each<readonly [raw: unknown, expected: number | RegExp, why: string]>([
    ['10GB', 10e9, 'decimal'],
    ['1GiB', 1_073_741_824, 'binary'],
    [500_000_000, 500e6, 'a bare number'],
    ['500kB', /at least 1 MB, not 500 kB/, 'too little for anything'],
    ['much', /a size such as 10GB or 500MB, not "much"/, 'no size'],
    [null, /a size such as/, 'nothing'],
    [['1GB'], /a size such as/, 'a list'],
  ])('%j: %s', (raw, expected) => {
    const result = readByteCount({ min: 1e6 })(raw);
    if (typeof expected === 'number') expect(result).toEqual({ ok: true, value: expected });
    else expect(result).toMatchObject({ ok: false, problem: expect.stringMatching(expected) });
  });
});
