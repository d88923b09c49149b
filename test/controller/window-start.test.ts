import { describe, expect, it } from 'vitest';
import { movedStartMs, plannedStartMs } from '../../src/controller/window-start.ts';
import { evidenceOf, type Scene } from '../boundary/evidence.ts';

const evidence = evidenceOf({});
const loadAtMs = evidence.window.startAtMs;
const request = { plan: evidence.plan, loadAtMs, pollMs: 1_000 };

/** The start of a window `second` seconds into the load, in seconds, when it was `start` so far. */
function startAt(scene: Scene, second: number, start = 3): number {
  const nowMs = loadAtMs + second * 1_000 + 100;
  const polls = evidenceOf({ seconds: 30, ...scene }).polls.filter((poll) => poll.atMs <= nowMs);
  const seen = { nowMs, polls, ticks: [], readerTicks: [], hasLostShard: false, throttleMs: 0, risk: null };
  return (movedStartMs(loadAtMs + start * 1_000, request, seen) - loadAtMs) / 1_000;
}

const falling = (seconds: number) => (_: number, second: number) => (second <= seconds ? 0.8 : 0.3);
const ticksAt = (rates: readonly number[]) => (_: number, second: number) => ({
  countNs: null,
  meanRate: null,
  oneMinuteRate: rates[Math.ceil(second / 5)] ?? rates.at(-1) ?? null,
});

describe('plannedStartMs', () => {
  it.each([
    [1_000, 3_000, 'on a look'],
    [2_000, 4_000, 'looks every 2 s: on the one after'],
  ])('looks every %i ms: after %i ms (%s)', (pollMs, expected) => {
    expect(plannedStartMs({ ...request, pollMs }) - loadAtMs).toBe(expected);
  });
});

describe('movedStartMs', () => {
  it.each([
    ['at rest from the start', { idle: () => 0.3 }, 10, 3, 3],
    ['at rest after 5 s, seen while the window runs', { idle: falling(5) }, 12, 3, 5],
    ['never earlier than it was', { idle: () => 0.3 }, 12, 6, 6],
    ['at most four times as planned', { idle: (_: number, s: number) => 0.9 - s / 50 }, 30, 3, 12],
    ['a broker that rests before the planned warm-up ends', { idle: falling(2) }, 12, 3, 3],
    ['nothing is read: as planned', { missed: () => true }, 4, 3, 3],
  ] as const)('%s', (_why, scene, second, start, expected) => {
    expect(startAt(scene, second, start)).toBe(expected);
  });

  it('of a moving average waits, look by look, until two ticks are alike', () => {
    const unlike = { meter: ticksAt([0.9, 0.9, 0.85, 0.75]) };
    expect(startAt(unlike, 12, 12)).toBe(12);
    expect(startAt(unlike, 11, 11)).toBe(12);
    expect(startAt(unlike, 9, 11)).toBe(11);
  });
});
