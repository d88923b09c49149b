import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { searchConfigOf } from '../../src/controller/search-config.ts';

const load = (flags: Record<string, unknown>) => loadConfig({ env: {}, flags, folder: '/nowhere' });

describe('what the search is told', () => {
  it.each([
    {
      why: 'no budget, no hold, no guard unless asked for',
      flags: {},
      told: { timeBudgetSeconds: null, holdMs: 0, maxMegabytesPerSecond: null, sizes: [100, 1_000, 10_000] },
    },
    {
      why: 'a budget, in seconds, and holds',
      flags: { timeBudget: '30m', hold: '10m', maxLoad: '40MB/s' },
      told: { timeBudgetSeconds: 1_800, holdMs: 600_000, maxMegabytesPerSecond: 40 },
    },
    {
      why: 'of a range the sizes to start with',
      flags: { bpm: '100..1MB' },
      told: { sizes: [100, 10_000, 1_000_000], sizeRange: { from: 100, to: 1_000_000 } },
    },
    { why: 'without signals nobody sees the ISR', flags: { signals: 'none' }, told: { isrHoldMs: 0 } },
  ])('$why', ({ flags, told }) => {
    const config = searchConfigOf(load(flags));
    expect(config).toMatchObject(told);
    expect(JSON.parse(JSON.stringify(config))).toEqual(config);
    if (!('bpm' in flags)) expect(config).not.toHaveProperty('sizeRange');
  });
});

it.each([
  {
    why: 'a budget for not even one trial',
    flags: { timeBudget: '30s' },
    problem: '--time-budget: timeBudgetMs must be at least 1m, not 30s',
  },
  {
    why: 'a hold that is no longer than a window',
    flags: { hold: '30s', window: '40s' },
    problem: '--hold: holdMs is 30s, no longer than a window of any trial (trial.windowMs, 40s)',
  },
  {
    why: 'a hold that leaves no time to find what to hold',
    flags: { hold: '30m', timeBudget: '30m' },
    problem: '--hold: holdMs is 30m, which leaves nothing of timeBudgetMs (30m) to find a limit in',
  },
  {
    why: 'a load without a unit of time',
    flags: { maxLoad: '40MB' },
    problem:
      '--max-load: load.maxMegabytesPerSecond must be a rate above 0 such as 40MB/s or 500kB/s, not "40MB"',
  },
])('refuses $why', ({ flags, problem }) => {
  expect(() => load(flags)).toThrow(problem);
});
