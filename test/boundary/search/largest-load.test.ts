import { describe, expect, it } from 'vitest';
import { largestLoad } from '../../../boundary/search/largest-load.ts';
import type { SearchConfig } from '../../../boundary/search/search.ts';
import { CONFIG } from './oracle.ts';

const fleet = { workers: 1, rates: [{ messageBytes: 1_000, messagesPerSecond: 43_210 }] };

describe('largestLoad', () => {
  const rows: readonly (readonly [
    asked: Partial<SearchConfig>,
    load: number,
    why: RegExp,
    reason: string,
  ])[] = [
    [{}, Number.POSITIVE_INFINITY, /^no largest load is set$/, 'nothing is limited'],
    [{ maxMegabytesPerSecond: 5 }, 5_000, /^5 MB\/s is the largest load allowed$/, 'the configuration'],
    [
      { fleet },
      43_210,
      /^the worker can offer 43 MB\/s at this size; each more like it adds as much$/,
      'the workers, told to what is known of it',
    ],
    [{ fleet, maxMegabytesPerSecond: 5 }, 5_000, /allowed/, 'the lesser is the configuration'],
    [{ fleet, maxMegabytesPerSecond: 50 }, 43_210, /can offer/, 'the lesser is the fleet'],
    [
      {
        disk: {
          budgetBytes: 20e9,
          seconds: 50,
          shape: { brokers: 6, replicationFactor: 3, bytesBesideValue: 0 },
        },
      },
      20e9 / (50 * 550),
      /^a run keeps 20 GB on each broker at most .*, which 50 s of more would fill$/,
      'the disks: half of the replicas of 1.1 kB each',
    ],
  ];
  it.each(rows)('%j: %d/s (row %#)', (asked, load, why, _reason) => {
    const found = largestLoad(1_000, { ...CONFIG, ...asked });
    expect(found.load).toBe(load);
    expect(found.why).toMatch(why);
  });

  it('follows the capacity of each size', () => {
    expect(largestLoad(10_000, { ...CONFIG, fleet }).load).toBe(4_321);
  });
});
