import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BrokerPoller } from '../../src/signals/broker-poller.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import {
  answerNow,
  type FakeSource,
  failAfter,
  fakeSource,
  looked,
  parsed,
  snapshotAt,
} from './fake-source.ts';
import { idlePage } from './metrics-server.ts';

const EPOCH_MS = 1_000_000;
const resolution = resolveSeries(parsed(idlePage(EPOCH_MS)), 'page', { idleSelector: null });
const clock = { nowMs: () => Date.now(), errorMs: 0 };

beforeEach(() => {
  vi.useFakeTimers({ now: EPOCH_MS });
});
afterEach(() => vi.useRealTimers());

function pollerOf(...sources: readonly FakeSource[]): BrokerPoller {
  const brokers = sources.map((source, i) => ({ brokerId: i + 1, source, resolution }));
  return new BrokerPoller({ brokers, clock, intervalMs: 1_000, deadlineMs: 5_000 });
}

/** Fails until `untilMs` after the epoch, then answers. */
function failingUntil(untilMs: number): FakeSource {
  return fakeSource((request) =>
    request.nowMs() - EPOCH_MS < untilMs ? failAfter(700, 'connection refused')(request) : answerNow(request),
  );
}

function readingTimes(poller: BrokerPoller, brokerId: number): number[] {
  const own = poller.polls().filter((poll) => poll.kind === 'reading' && poll.brokerId === brokerId);
  return own.map(({ atMs }) => atMs - EPOCH_MS);
}

it('looks at a broker that fails under the load until it answers, and no longer at the others', async () => {
  const [well, ill] = [fakeSource(answerNow), failingUntil(12_500)];
  const poller = pollerOf(well, ill);
  poller.start(EPOCH_MS);
  await vi.advanceTimersByTimeAsync(8_500);
  const finished = poller.finish(EPOCH_MS + 8_000, EPOCH_MS + 60_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await finished).toEqual([]);
  expect(readingTimes(poller, 1)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].map((s) => s * 1_000));
  expect(readingTimes(poller, 2)).toEqual([13_000]);
  expect(poller.polls().filter(({ kind }) => kind === 'missed')).toHaveLength(13);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ill.asked).toHaveLength(14);
});

it('waits for the look under way that brings the reading', async () => {
  const source = fakeSource(async ({ nowMs }) => {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return looked([snapshotAt(nowMs())]);
  });
  const poller = pollerOf(source);
  poller.start(EPOCH_MS);
  await vi.advanceTimersByTimeAsync(1_500);
  const finished = poller.finish(EPOCH_MS + 1_500, EPOCH_MS + 60_000);
  await vi.advanceTimersByTimeAsync(1_600);
  expect(await finished).toEqual([]);
  expect(source.asked).toHaveLength(1);
});

it('gives up at the end of its time and names the brokers', async () => {
  const poller = pollerOf(fakeSource(answerNow), failingUntil(1e9), failingUntil(1e9));
  poller.start(EPOCH_MS);
  await vi.advanceTimersByTimeAsync(2_500);
  const finished = poller.finish(EPOCH_MS + 2_000, EPOCH_MS + 6_500);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await finished).toEqual([2, 3]);
});

it('goes on with a grid that was stopped', async () => {
  const poller = pollerOf(failingUntil(4_500));
  poller.start(EPOCH_MS);
  const stopped = poller.stop();
  await vi.advanceTimersByTimeAsync(2_500);
  await stopped;
  const finished = poller.finish(EPOCH_MS + 2_000, EPOCH_MS + 60_000);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await finished).toEqual([]);
  expect(readingTimes(poller, 1)).toEqual([5_000]);
});

it('ends when it is stopped', async () => {
  const poller = pollerOf(failingUntil(1e9));
  poller.start(EPOCH_MS);
  await vi.advanceTimersByTimeAsync(1_500);
  const finished = poller.finish(EPOCH_MS, EPOCH_MS + 1e6);
  const stopped = poller.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  await stopped;
  expect(await finished).toEqual([1]);
});
