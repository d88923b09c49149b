import { describe, expect, it } from 'vitest';
import type { ReaderTick } from '../../boundary/trial.ts';
import { type GroupEnd, unreadMessages, unreadOfWindow } from '../../workers/unread-messages.ts';

const window = { startAtMs: 10_000, endAtMs: 20_000 };

/** A tick of group `g`, which had consumed 900 of what there was. */
const tickAt = (atMs: number, lag: number | null): ReaderTick => ({
  atMs,
  cpuCores: 0,
  loopLagMs: 0,
  throttleMs: 0,
  committed: 0,
  groups: [{ group: 'g', consumed: 900, consumedBytes: 0, lag, fetched: 0 }],
});
const end = (there: number | null, consumed: number): GroupEnd => ({ group: 'g', there, consumed });

describe('unreadMessages', () => {
  it.each([
    [[end(2_000, 2_000)], 0, 'all is read'],
    [[end(2_000.4, 1_900)], 100, 'a hundred are not'],
    [[end(2_000, 2_100)], 0, 'what came after the window is read too'],
    [[end(2_000, 1_900), end(2_000, 1_800)], 300, 'groups add up'],
    [[end(2_000, 1_900), end(null, 0)], null, 'one group of which nothing is known'],
  ])('case %#', (ends, expected, _why) => {
    expect(unreadMessages(ends)).toBe(expected);
  });
});

describe('unreadOfWindow', () => {
  it.each([
    [end(2_000, 1_900), tickAt(10_000, 100), 100, 'unread ones that came in the window'],
    [end(2_000, 700), tickAt(10_000, 100), 1_000, 'a group that lags: no more than came in the window'],
    [end(2_000, 700), tickAt(9_000, 100), 1_000, 'the last tick before the window tells what came before'],
    [end(2_000, 2_100), tickAt(10_000, 100), 0, 'all is read'],
    [end(2_000, 700), tickAt(10_000, null), null, 'nobody knew the end at the start'],
    [end(2_000, 700), tickAt(11_000, 100), null, 'no tick from before the window'],
    [end(null, 700), tickAt(10_000, 100), null, 'nobody knows the end at the end'],
  ])('case %#', (group, tick, expected, _why) => {
    expect(unreadOfWindow([group], [tick], window)).toBe(expected);
  });
});
