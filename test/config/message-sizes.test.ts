import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { formatSizes, largestSize, readSizes, sizesToStart } from '../../src/config/message-sizes.ts';

describe('readSizes', () => {
  it.each([
    { raw: '100..1MB', value: { from: 100, to: 1_000_000 }, why: 'a range' },
    { raw: ' 1 kB .. 10kB ', value: { from: 1_000, to: 10_000 }, why: 'spaces around' },
    { raw: '10kB,100,100', value: [100, 10_000], why: 'a list, sorted, each once' },
    { raw: [100, '1kB'], value: [100, 1_000], why: 'a list of a file' },
    { raw: 100, value: [100], why: 'one size' },
  ])('takes $why', ({ raw, value }) => {
    expect(readSizes(raw)).toEqual({ ok: true, value });
  });

  it.each([
    {
      raw: '100..',
      problem: 'must be a range of two sizes such as 100..1MB, not "100.."',
      why: 'half a range',
    },
    {
      raw: '1..2..3',
      problem: 'must be a range of two sizes such as 100..1MB, not "1..2..3"',
      why: 'three ends',
    },
    {
      raw: '100,1kB..1MB',
      problem: 'must be a range of two sizes such as 100..1MB, not "100,1kB..1MB"',
      why: 'a list and a range in one',
    },
    {
      raw: '1MB..100',
      problem: 'must go from a smaller to a larger size, not "1MB..100"',
      why: 'a range that goes down',
    },
    { raw: '1kB..1kB', problem: 'must go from a smaller to a larger size, not "1kB..1kB"', why: 'one size' },
  ])('refuses $why', ({ raw, problem }) => {
    expect(readSizes(raw)).toEqual({ ok: false, problem });
  });
});

describe('a range', () => {
  const bpm = '100..1MB';
  it.each([
    { flags: { bpm }, problem: null, why: 'adaptive is the default' },
    {
      flags: { bpm, strategy: 'bisection' },
      problem: '--bpm: bpm is the range 100 B..1 MB, but strategy is bisection: give a list of sizes',
      why: 'bisection cannot tell where the curve is least known',
    },
    {
      flags: { bpm, signals: 'none' },
      problem: '--bpm: bpm is the range 100 B..1 MB, but signals.source is none: give a list of sizes',
      why: 'no idle, no model',
    },
  ])('$why', ({ flags, problem }) => {
    const load = () => loadConfig({ env: {}, flags, folder: '/nowhere' });
    if (problem === null) expect(load().bpm).toEqual({ from: 100, to: 1_000_000 });
    else expect(load).toThrow(problem);
  });

  it.each([
    { from: 100, to: 1_000_000, sizes: [100, 10_000, 1_000_000], why: 'decades' },
    { from: 100, to: 300, sizes: [100, 170, 300], why: 'two digits' },
    { from: 100, to: 102, sizes: [100, 102], why: 'no middle of two digits' },
    { from: 1, to: 10, sizes: [1, 3, 10], why: 'whole bytes' },
    { from: 1, to: 2, sizes: [1, 2], why: 'no whole middle' },
  ])('starts with its ends and their middle: $why', ({ from, to, sizes }) => {
    expect(sizesToStart({ from, to })).toEqual(sizes);
  });

  it('never starts with a size outside, or with one twice', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }), (from, more) => {
        const sizes = sizesToStart({ from, to: from + more });
        expect(sizes.every(Number.isInteger)).toBe(true);
        expect([...new Set(sizes)].sort((a, b) => a - b)).toEqual(sizes);
        expect([sizes[0], sizes.at(-1)]).toEqual([from, from + more]);
      }),
    );
  });

  it('says what it is and how large its messages get', () => {
    expect(formatSizes({ from: 100, to: 1_000_000 })).toBe('100 B..1 MB');
    expect(largestSize({ from: 100, to: 1_000_000 })).toBe(1_000_000);
    expect(largestSize([100, 1_000])).toBe(1_000);
  });
});
