import { expect, it } from 'vitest';
import type { SearchConfig } from '../../boundary/search/search.ts';
import { Pace } from '../../src/controller/pace.ts';
import { NO_SIGNALS } from '../../src/controller/signal-timing.ts';
import { CONFIG } from '../boundary/search/oracle.ts';

const SEARCH: SearchConfig = { ...CONFIG, windowMs: 7_000, isrHoldMs: 45_000 };

it('plans with the windows and steps that the signals need', () => {
  const work = { probes: 1, trials: 2, windowSeconds: 0 };
  expect(new Pace(SEARCH, NO_SIGNALS).etaSeconds(work)).toBe(5 * 3 + 7 + 2 * (3 + 7 + 7));
  const everyQuarterMinute = { pollMs: 15_000, leastWindowMs: 60_000, endReadingMs: 0 };
  expect(new Pace(SEARCH, everyQuarterMinute).etaSeconds(work)).toBe(5 * 61 + 7 + 2 * (3 + 60 + 7));
});

it('trusts what it has seen more than the plan', () => {
  const pace = new Pace(SEARCH, NO_SIGNALS);
  pace.tookTrial(20);
  pace.tookTrial(40);
  pace.tookProbe(50);
  expect(pace.etaSeconds({ probes: 1, trials: 2, windowSeconds: 0 })).toBe(110);
});
