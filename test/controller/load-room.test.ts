import { describe, expect, it } from 'vitest';
import type { RunProbe } from '../../boundary/search/search.ts';
import type { TrialPlan } from '../../boundary/trial.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import {
  fittedProbe,
  loadLength,
  probeLoad,
  trialLoad,
  writtenBy,
  writtenByProbe,
} from '../../src/controller/load-room.ts';
import { evidenceOf } from '../boundary/evidence.ts';

const context = {
  config: loadConfig({ env: {}, flags: {}, folder: '/' }),
  timing: { pollMs: 1_000, leastWindowMs: 4_000, endReadingMs: 0 },
};
const plan: TrialPlan = {
  trialId: '1',
  messageBytes: 1_000,
  np: 50,
  unitRate: 20,
  warmUpMs: 3_000,
  windowMs: 15_000,
  purpose: 'bisect',
};
/** Four warm-ups, two polls and the tail. */
const AROUND_SECONDS = 12 + 2 + 2;

describe('the load of a trial', () => {
  it.each<readonly [why: string, change: Partial<TrialPlan>, leastSeconds: number]>([
    ['its window, however late that starts', {}, AROUND_SECONDS + 15],
    ['one that sees a follower leave', { windowMs: 45_000, purpose: 'confirm-lower' }, AROUND_SECONDS + 45],
    ['a minute of a hold is worth something', { windowMs: 3_600_000, purpose: 'hold' }, AROUND_SECONDS + 60],
    ['a window that is too short for the signals', { windowMs: 1_000 }, AROUND_SECONDS + 4],
  ])('wants room for %s', (_why, change, leastSeconds) => {
    expect(trialLoad(context, { ...plan, ...change })).toEqual({
      messageBytes: 1_000,
      messagesPerSecond: 1_000,
      leastMessages: 1_000 * leastSeconds,
    });
  });

  it.each<readonly [why: string, mostMessages: number, change: Partial<TrialPlan>, windowSeconds: number]>([
    ['no end of room: the longest window', Number.POSITIVE_INFINITY, {}, 45],
    ['room for less', 40_000, {}, 40 - AROUND_SECONDS],
    ['room for a part of a hold', 100_000, { windowMs: 600_000, purpose: 'hold' }, 100 - AROUND_SECONDS],
  ])('lasts as long as there is room: %s', (_why, mostMessages, change, windowSeconds) => {
    const { loadMs, windowMs } = loadLength(context, { ...plan, ...change }, mostMessages);
    expect(windowMs).toBeCloseTo(windowSeconds * 1_000);
    expect(loadMs).toBeCloseTo((windowSeconds + AROUND_SECONDS) * 1_000);
  });

  it('has written what was handed over, or all of its schedule when a shard does not tell', () => {
    const { shards } = evidenceOf();
    expect(writtenBy(plan, 60_000, shards, 1)).toEqual({
      messageBytes: 1_000,
      messages: 13_000,
      seconds: 60,
    });
    expect(writtenBy(plan, 60_000, shards, 2).messages).toBe(60_000);
  });
});

describe('the load of a probe', () => {
  const probe: RunProbe = {
    type: 'runProbe',
    probeId: 'p',
    messageBytes: 1_000,
    np: 10,
    unitRates: [10, 20, 40, 80],
    stepMs: 3_000,
    warmUpMs: 10_000,
    why: '',
  };

  it('wants room for its first step', () => {
    expect(probeLoad(probe)).toEqual({ messageBytes: 1_000, messagesPerSecond: 800, leastMessages: 1_300 });
  });

  it.each<readonly [mostMessages: number, steps: number]>([
    [Number.POSITIVE_INFINITY, 4],
    [1_000 + 300 + 600 + 1_200 + 2_400, 4],
    [1_000 + 300 + 600 + 1_200 + 2_399, 3],
    [1_300, 1],
  ])('has room for %d messages: %d steps', (mostMessages, steps) => {
    expect(fittedProbe(probe, mostMessages).unitRates).toEqual(probe.unitRates.slice(0, steps));
  });

  it('has written at most its last rate all the time', () => {
    expect(writtenByProbe(probe, [], 1)).toEqual({ messageBytes: 1_000, messages: 800 * 22, seconds: 22 });
  });
});
