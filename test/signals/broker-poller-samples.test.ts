import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BrokerPoller } from '../../src/signals/broker-poller.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import type { Look } from '../../src/signals/signal-source.ts';
import { type FakeSource, fakeSource, looked, parsed, snapshotAt } from './fake-source.ts';
import { idlePage } from './metrics-server.ts';

/** A Prometheus server that scrapes every 15 s, 4 s after the grid's points. */
const REFRESH_MS = 15_000;
const EPOCH_MS = 1_000_000;
const resolution = resolveSeries(parsed(idlePage(EPOCH_MS)), 'page', { idleSelector: null });
const clock = { nowMs: () => Date.now(), errorMs: 0 };

let isAway: (atMs: number) => boolean;
let isLacking: (sampleAtMs: number) => boolean;
let source: FakeSource;
let poller: BrokerPoller;

beforeEach(() => {
  vi.useFakeTimers({ now: EPOCH_MS });
  isAway = () => false;
  isLacking = () => false;
  let broughtMs = EPOCH_MS - 40_000;
  source = fakeSource(({ nowMs }): Look => {
    if (isAway(nowMs() - EPOCH_MS)) return { kind: 'failed', reason: 'connection refused' };
    const times: number[] = [];
    for (let atMs = EPOCH_MS - 41_000; atMs <= nowMs(); atMs += REFRESH_MS) {
      if (atMs > broughtMs && !isLacking(atMs - EPOCH_MS)) times.push(atMs);
    }
    broughtMs = times.at(-1) ?? broughtMs;
    return looked(times.map((atMs) => snapshotAt(atMs)));
  }, 'prometheus');
  source.refreshMs = REFRESH_MS;
  poller = new BrokerPoller({
    brokers: [{ brokerId: 1, source, resolution }],
    clock,
    intervalMs: 1_000,
    deadlineMs: 5_000,
  });
});
afterEach(async () => {
  await poller.stop();
  vi.useRealTimers();
});

function told(): string[] {
  return poller.polls().map((poll) => {
    const at = `${(poll.atMs - EPOCH_MS) / 1_000}`;
    if (poll.kind === 'reading') return `${at} reading`;
    return `${at} ${poll.reason}${poll.isAnsweredLate ? ', answered late' : ''}`;
  });
}

it('is looked at as often as it has something new; the sample before the start is the first', async () => {
  poller.start(EPOCH_MS);
  await vi.advanceTimersByTimeAsync(60_500);
  expect(source.asked.map(({ atMs }) => (atMs - EPOCH_MS) / 1_000)).toEqual([0, 15, 30, 45, 60]);
  expect(told()).toEqual(['-11 reading', '4 reading', '19 reading', '34 reading', '49 reading']);
  expect(poller.slowestIntervalMs).toBe(15_000);
});

it('gives nothing for a look with nothing new, as nothing was due', async () => {
  poller.setInterval(500);
  source.refreshMs = 16_000;
  poller.start(EPOCH_MS);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(told().every((text) => text.endsWith('reading'))).toBe(true);
});

it('tells the samples that the server does not have', async () => {
  isLacking = (atMs) => atMs === 19_000 || atMs === 34_000;
  poller.start(EPOCH_MS);
  await vi.advanceTimersByTimeAsync(75_500);
  expect(told()).toEqual([
    '-11 reading',
    '4 reading',
    '19 sample missing',
    '34 sample missing',
    '49 reading',
    '64 reading',
  ]);
});

it('has late what the server kept while it was away', async () => {
  isAway = (atMs) => atMs > 20_000 && atMs < 70_000;
  poller.start(EPOCH_MS);
  await vi.advanceTimersByTimeAsync(60_500);
  const missed = ['19 connection refused', '34 connection refused', '49 connection refused'];
  expect(told().slice(-3)).toEqual(missed);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(told().filter((text) => /refused/.test(text))).toEqual(
    missed.map((text) => `${text}, answered late`),
  );
  expect(told().filter((text) => /reading/.test(text))).toHaveLength(6);
});

it('is looked at with every point once the load is over', async () => {
  poller.start(EPOCH_MS);
  await vi.advanceTimersByTimeAsync(30_500);
  const finished = poller.finish(EPOCH_MS + 30_000, EPOCH_MS + 90_000);
  await vi.advanceTimersByTimeAsync(4_600);
  expect(await finished).toEqual([]);
  expect(told().at(-1)).toBe('34 reading');
});

it('gives its newest reading again when asked once with nothing new', async () => {
  const [first] = await poller.pollOnce();
  await vi.advanceTimersByTimeAsync(2_000);
  const [again] = await poller.pollOnce();
  expect(first?.kind).toBe('reading');
  expect(again).toEqual(first);
  await vi.advanceTimersByTimeAsync(3_000);
  expect((await poller.pollOnce())[0]?.atMs).toBe(EPOCH_MS + 4_000);
});

it('says so when asked once and the server is away, or has nothing yet', async () => {
  isAway = () => true;
  expect(await poller.pollOnce()).toMatchObject([{ kind: 'missed', reason: 'connection refused' }]);
  isAway = () => false;
  isLacking = () => true;
  expect(await poller.pollOnce()).toMatchObject([{ kind: 'missed', reason: 'nothing to read yet' }]);
});
