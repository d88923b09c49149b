import { describe, expect, it } from 'vitest';
import type { StoredTrial } from '../../../../boundary/search/adaptive/adaptive-state.ts';
import { confirmedBounds } from '../../../../boundary/search/adaptive/confirmed-bounds.ts';
import { normalCdf } from '../../../../boundary/statistics/normal.ts';
import { verdictOf } from '../oracle.ts';

const CONFIG = { confirm: 1, isrHoldMs: 45_000 } as const;

/** `+50` is np 50 sustained, `-50` is np 50 overloaded. */
const trial = (np: number, windowSeconds = 60): StoredTrial => ({
  np: Math.abs(np),
  unitRate: 10,
  purpose: 'bisect',
  verdict: verdictOf(np > 0 ? 'sustained' : 'overloaded'),
  offeredPerSecond: Math.abs(np) * 10,
  ackedPerSecond: Math.abs(np) * 10 - 1,
  idleByBroker: {},
  plannedWindowMs: 60_000,
  windowSeconds,
  atSeconds: Math.abs(np),
});

/** A model that puts the limit at np 50, give or take 2 %. */
const model = (lnLoad: number) => normalCdf((Math.log(500) - lnLoad) / 0.02);

const bounds = (votes: readonly number[], chance: typeof model | null = model) => {
  const trials = votes.map((np) => trial(np));
  const size = { messageBytes: 1_000, unitRate: 10, probes: [], trials, seconds: 0 };
  const { lower, upper } = confirmedBounds(size, CONFIG, chance);
  return [lower?.bound.np ?? null, upper?.bound.np ?? null];
};

describe('bounds of a size', () => {
  it.each([
    { votes: [], expected: [null, null], why: 'nothing was tried' },
    { votes: [47, -53], expected: [47, 53], why: 'the model is sure of a single trial' },
    { votes: [49, -51], expected: [null, null], why: 'the model is not sure, and no second trial agrees' },
    {
      votes: [50, 50, -51, -51],
      expected: [null, 51],
      why: 'the model doubts the lower one, though two agree',
    },
    { votes: [48, 49, -51, -52], expected: [48, 52], why: 'a trial beyond speaks for the load as well' },
    { votes: [-47, -47, 47], expected: [null, null], why: 'more trials are against the load than for it' },
    {
      votes: [-45, 47, 46],
      expected: [46, null],
      why: 'it takes two that held to make up for one that did not',
    },
  ])('$expected of $votes: $why', ({ votes, expected }) => {
    expect(bounds(votes)).toEqual(expected);
  });

  it('need a second trial where no model fits', () => {
    expect(bounds([47, -53], null)).toEqual([null, null]);
    expect(bounds([47, 47, -53, -54], null)).toEqual([47, 54]);
  });

  it('say whether a follower could have been seen to leave the ISR', () => {
    const seen = (windowSeconds: number) =>
      confirmedBounds(
        { messageBytes: 1, unitRate: 10, probes: [], trials: [trial(46, windowSeconds)], seconds: 0 },
        CONFIG,
        model,
      ).lower?.hasSeenIsr;
    expect(seen(44)).toBe(false);
    expect(seen(45)).toBe(true);
  });
});
