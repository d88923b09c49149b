import { expect, it } from 'vitest';
import type { SearchConfig } from '../../boundary/search/search.ts';
import { Pace } from '../../src/controller/pace.ts';
import { NO_SIGNALS } from '../../src/controller/signal-timing.ts';
import { CONFIG } from '../boundary/search/oracle.ts';

const SEARCH: SearchConfig = { ...CONFIG, windowMs: 7_000, isrHoldMs: 45_000 };

it('plans with the windows and steps that the signals need', () => {
  const work = { probes: 1, trials: 2, windowSeconds: 14 };
  expect(new Pace(SEARCH, NO_SIGNALS).etaSeconds(work)).toBe(5 * 3 + 7 + 2 * (3 + 7 + 7));
  const everyQuarterMinute = { pollMs: 15_000, leastWindowMs: 60_000, endReadingMs: 0 };
  expect(new Pace(SEARCH, everyQuarterMinute).etaSeconds(work)).toBeCloseTo(5 * 61 + 7 + 2 * (3 + 60 + 7), 6);
});

it('trusts what it has seen more than the plan: around windows, in them, and of probes', () => {
  const pace = new Pace(SEARCH, NO_SIGNALS);
  pace.tookTrial({ seconds: 20, windowSeconds: 7 }, 7_000);
  // an overload that was plain after half of its window
  pace.tookTrial({ seconds: 18.5, windowSeconds: 3.5 }, 7_000);
  pace.tookProbe(50);
  expect(pace.etaSeconds({ probes: 1, trials: 2, windowSeconds: 14 })).toBeCloseTo(
    50 + 2 * 14 + 14 * 0.75,
    6,
  );
});

it('takes a long window for what it is: a longer wait, with no more around it', () => {
  const pace = new Pace(SEARCH, NO_SIGNALS);
  pace.tookTrial({ seconds: 20, windowSeconds: 7 }, 7_000);
  const one = (windowSeconds: number) => pace.etaSeconds({ probes: 0, trials: 1, windowSeconds });
  expect(one(600) - one(7)).toBeCloseTo(593, 6);
});

it('does not take the time that a hold lasted, before it dropped, for time around windows', () => {
  const pace = new Pace(SEARCH, NO_SIGNALS);
  pace.tookTrial({ seconds: 313, windowSeconds: 30, heldSeconds: 300 }, 600_000);
  const hold = { probes: 0, trials: 1, windowSeconds: 600, holdSeconds: 600 };
  expect(pace.etaSeconds(hold)).toBeCloseTo(13 + 600, 6);
});

it('expects a hold to last as long as asked, however short other windows and holds were', () => {
  const pace = new Pace(SEARCH, NO_SIGNALS);
  pace.tookTrial({ seconds: 13.5, windowSeconds: 3.5 }, 7_000);
  pace.tookTrial({ seconds: 26, windowSeconds: 8, heldSeconds: 16 }, 120_000);
  const left = { probes: 0, trials: 2, windowSeconds: 127, holdSeconds: 120 };
  expect(pace.etaSeconds(left)).toBeCloseTo(2 * 10 + 3.5 + 120, 6);
});

it('never promises more than the time budget leaves', () => {
  const pace = new Pace({ ...SEARCH, timeBudgetSeconds: 60 }, NO_SIGNALS);
  expect(pace.etaSeconds({ probes: 3, trials: 30, windowSeconds: 210 })).toBe(60);
  pace.tookTrial({ seconds: 25, windowSeconds: 7 }, 7_000);
  expect(pace.etaSeconds({ probes: 0, trials: 30, windowSeconds: 210 })).toBe(35);
  pace.tookTrial({ seconds: 45, windowSeconds: 7 }, 7_000);
  expect(pace.etaSeconds({ probes: 0, trials: 1, windowSeconds: 7 })).toBe(0);
});

it('goes on with what was seen before a run was cut off', () => {
  const pace = new Pace({ ...SEARCH, timeBudgetSeconds: 600 }, NO_SIGNALS);
  pace.catchUp(
    [
      { type: 'probeFinished', probeId: 'p', steps: [], seconds: 40 },
      {
        type: 'trialFinished',
        trialId: 't',
        verdict: { kind: 'sustained', worst: null },
        offeredPerSecond: 1,
        ackedPerSecond: 1,
        idleByBroker: {},
        windowSeconds: 14,
        atSeconds: 80,
        seconds: 40,
      },
    ],
    [
      {
        plan: {
          trialId: 't',
          messageBytes: 1,
          np: 1,
          unitRate: 1,
          warmUpMs: 0,
          windowMs: 28_000,
          purpose: 'bisect',
        },
      },
    ],
  );
  expect(pace.etaSeconds({ probes: 1, trials: 1, windowSeconds: 7 })).toBe(40 + 26 + 3.5);
  expect(pace.etaSeconds({ probes: 100, trials: 1, windowSeconds: 7 })).toBe(600 - 80);
});
