import { describe, expect, it } from 'vitest';
import { idleOfBrokers } from '../../boundary/judge-trial.ts';
import { observedPart } from '../../boundary/observed-part.ts';
import { evidenceOf } from './evidence.ts';

const { polls, window } = evidenceOf({ seconds: 60, idle: () => 0.3 });
const secondOf = (atMs: number) => Math.round((atMs - window.startAtMs) / 1_000);
/** Looks of broker 1 as a server with this interval and phase would have them. */
const every = (seconds: number, phase: number) =>
  polls.filter(({ brokerId, atMs }) => brokerId === 1 && secondOf(atMs) % seconds === phase);
const inSeconds = (part: typeof window) => [secondOf(part.startAtMs), secondOf(part.endAtMs)];

describe('observedPart', () => {
  it.each([
    [every(15, 7), [7, 52], 'three quarters between the outermost looks speak for the window'],
    [every(15, 0), [0, 60], 'looks on the edges see all of it'],
    [every(30, 20), [0, 60], 'half of the window does not speak for it'],
    [[], [0, 60], 'no look at all'],
  ])('%# gives seconds %j', (seen, expected, _why) => {
    expect(inSeconds(observedPart(seen, 1, window))).toEqual(expected);
  });

  it('stays whole with a missed poll in the window, which may be the overload', () => {
    const missed = {
      kind: 'missed',
      brokerId: 1,
      atMs: window.startAtMs + 58_000,
      reason: 'timeout',
      isAnsweredLate: false,
    } as const;
    expect(observedPart([...every(15, 7), missed], 1, window)).toEqual(window);
  });

  it('keeps a reading of slow samples exact', () => {
    const [reading] = idleOfBrokers({ polls: every(15, 7), window });
    expect(reading?.idle.ratio).toBeCloseTo(0.3, 6);
    expect((reading?.idle.high ?? 1) - (reading?.idle.low ?? 0)).toBeLessThan(0.05);
  });
});
