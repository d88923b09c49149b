import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BrokerPoll } from '../../boundary/broker-reading.ts';
import { BrokerPoller, type BrokerPollerOptions } from '../../src/signals/broker-poller.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import { answerAfter, answerNow, type FakeSource, failAfter, fakeSource, parsed } from './fake-source.ts';
import { idlePage } from './metrics-server.ts';

const EPOCH_MS = 1_000_000;
const resolution = resolveSeries(parsed(idlePage(EPOCH_MS)), 'page', { idleSelector: null });
let stepMs = 0;
const clock = { nowMs: () => Date.now() + stepMs, errorMs: 0 };

beforeEach(() => {
  stepMs = 0;
  vi.useFakeTimers({ now: EPOCH_MS });
});
afterEach(() => vi.useRealTimers());

function pollerOf(sources: readonly FakeSource[], options: Partial<BrokerPollerOptions> = {}): BrokerPoller {
  const brokers = sources.map((source, i) => ({ brokerId: i + 1, source, resolution }));
  return new BrokerPoller({ brokers, clock, intervalMs: 1_000, deadlineMs: 5_000, ...options });
}

/** Time after the epoch, and what the poll is. */
function told(polls: readonly BrokerPoll[]): string[] {
  return polls.map((poll) => {
    const at = `${poll.atMs - EPOCH_MS}`;
    if (poll.kind === 'reading') return `${at} reading`;
    return `${at} ${poll.reason}${poll.isAnsweredLate ? ', answered late' : ''}`;
  });
}

const HELD = 'scrape before it still running';

describe('the grid', () => {
  it('does not drift, however long a look takes', async () => {
    const source = fakeSource(answerAfter(130));
    const poller = pollerOf([source]);
    poller.start(EPOCH_MS + 500);
    await vi.advanceTimersByTimeAsync(100_000);
    await poller.stop();
    expect(source.asked.map(({ atMs }) => atMs - EPOCH_MS)).toEqual(
      Array.from({ length: 100 }, (_, k) => 500 + k * 1_000),
    );
    expect(poller.polls().every((poll) => poll.kind === 'reading')).toBe(true);
    expect(poller.polls()).toHaveLength(100);
  });

  it('is joined where it is when its origin is past', async () => {
    const poller = pollerOf([fakeSource(answerNow)]);
    poller.start(EPOCH_MS - 2_300);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told(poller.polls())).toEqual(['700 reading']);
    await poller.stop();
  });

  it('polls brokers in parallel, and a slow one holds up itself alone', async () => {
    const sources = [fakeSource(answerAfter(2_500)), fakeSource(answerNow)];
    const poller = pollerOf(sources);
    poller.start(EPOCH_MS);
    await vi.advanceTimersByTimeAsync(2_999);
    expect(sources[1]?.asked.map(({ atMs }) => atMs - EPOCH_MS)).toEqual([0, 1_000, 2_000]);
    expect(sources[0]?.asked).toHaveLength(1);
    const stopped = poller.stop();
    await vi.advanceTimersByTimeAsync(2_000);
    await stopped;
  });

  it('tells the points that a blocked event loop passed by', async () => {
    const poller = pollerOf([fakeSource(answerNow)]);
    poller.start(EPOCH_MS);
    await vi.advanceTimersByTimeAsync(500);
    stepMs = 3_000;
    await vi.advanceTimersByTimeAsync(1_000);
    await poller.stop();
    expect(told(poller.polls())).toEqual([
      '0 reading',
      '1000 poller was late',
      '2000 poller was late',
      '3000 poller was late',
      '4000 reading',
    ]);
  });

  it.each([
    ['back', -300, 3_000],
    ['forward', 300, 3_300],
  ])('has one poll a point when the clock steps %s', async (_, step, fourthMs) => {
    const poller = pollerOf([fakeSource(answerNow)]);
    poller.start(EPOCH_MS);
    await vi.advanceTimersByTimeAsync(2_500);
    stepMs = step;
    await vi.advanceTimersByTimeAsync(3_000 - step);
    await poller.stop();
    const points = poller.polls().map(({ atMs }) => atMs - EPOCH_MS);
    expect(points).toEqual([0, 1_000, 2_000, fourthMs, 4_000, 5_000]);
  });

  it('changes its interval only while it rests', async () => {
    const source = fakeSource(answerNow);
    const poller = pollerOf([source]);
    poller.start(EPOCH_MS);
    expect(() => poller.setInterval(2_000)).toThrow(/only while stopped/);
    await poller.stop();
    poller.setInterval(2_000);
    poller.start(EPOCH_MS + 1_000);
    await vi.advanceTimersByTimeAsync(5_500);
    await poller.stop();
    expect(source.asked.map(({ atMs }) => atMs - EPOCH_MS)).toEqual([1_000, 3_000, 5_000]);
    expect(poller.slowestIntervalMs).toBe(2_000);
  });
});

describe('points behind a slow look', () => {
  it('are missed while it runs, and answered late when it gives a reading', async () => {
    const heard: BrokerPoll[] = [];
    const poller = pollerOf([fakeSource(answerAfter(2_500))], { onPoll: (poll) => heard.push(poll) });
    poller.start(EPOCH_MS);
    await vi.advanceTimersByTimeAsync(2_400);
    expect(told(poller.polls())).toEqual([`1000 ${HELD}`, `2000 ${HELD}`]);
    await vi.advanceTimersByTimeAsync(200);
    const answered = [`1000 ${HELD}, answered late`, `2000 ${HELD}, answered late`];
    expect(told(poller.polls())).toEqual([answered[0], '1250 reading', answered[1]]);
    expect(told(heard)).toEqual([`1000 ${HELD}`, `2000 ${HELD}`, '1250 reading', ...answered]);
    const stopped = poller.stop();
    await vi.advanceTimersByTimeAsync(3_000);
    await stopped;
  });

  it('stay missed when it fails', async () => {
    const poller = pollerOf([fakeSource(failAfter(2_500, 'connection reset'))]);
    poller.start(EPOCH_MS);
    await vi.advanceTimersByTimeAsync(2_900);
    expect(told(poller.polls())).toEqual(['0 connection reset', `1000 ${HELD}`, `2000 ${HELD}`]);
    await poller.stop();
  });

  it('are answered late also when the poller was late meanwhile', async () => {
    const poller = pollerOf([fakeSource(answerAfter(2_500))]);
    poller.start(EPOCH_MS);
    await vi.advanceTimersByTimeAsync(500);
    stepMs = 1_800;
    await vi.advanceTimersByTimeAsync(2_100);
    const points = told(poller.polls()).filter((text) => !text.endsWith('reading'));
    expect(points[0]).toBe('1000 poller was late, answered late');
    const stopped = poller.stop();
    await vi.advanceTimersByTimeAsync(3_000);
    await stopped;
  });

  it('do not come back after a mark', async () => {
    const poller = pollerOf([fakeSource(answerAfter(2_500))]);
    poller.start(EPOCH_MS);
    await vi.advanceTimersByTimeAsync(1_500);
    poller.mark();
    expect(poller.polls()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(told(poller.polls())).toEqual(['1250 reading', `2000 ${HELD}, answered late`]);
    const stopped = poller.stop();
    await vi.advanceTimersByTimeAsync(3_000);
    await stopped;
  });
});

describe('a look outside the grid', () => {
  it('is not kept, and waits for the one under way', async () => {
    const source = fakeSource(answerAfter(600));
    const poller = pollerOf([source]);
    poller.start(EPOCH_MS);
    await vi.advanceTimersByTimeAsync(100);
    const once = poller.pollOnce();
    await vi.advanceTimersByTimeAsync(200);
    expect(source.asked).toHaveLength(1);
    const stopped = poller.stop();
    await vi.advanceTimersByTimeAsync(1_500);
    await stopped;
    expect(told(await once)).toEqual(['900 reading']);
    expect(told(poller.polls())).toEqual(['300 reading']);
  });

  it('is one at a time, however many are asked for', async () => {
    const source = fakeSource(answerAfter(100));
    const poller = pollerOf([source]);
    poller.start(EPOCH_MS);
    await vi.advanceTimersByTimeAsync(50);
    const looks = [poller.pollOnce(), poller.pollOnce()];
    await vi.advanceTimersByTimeAsync(300);
    await Promise.all(looks);
    await poller.stop();
    expect(source.asked.map(({ atMs }) => atMs - EPOCH_MS)).toEqual([0, 100, 200]);
  });

  it('serves the point that comes while it runs', async () => {
    const source = fakeSource(answerAfter(600));
    const poller = pollerOf([source]);
    poller.start(EPOCH_MS + 300);
    const once = poller.pollOnce();
    await vi.advanceTimersByTimeAsync(900);
    await once;
    await poller.stop();
    expect(source.asked).toHaveLength(1);
    expect(told(poller.polls())).toEqual(['300 reading']);
  });

  it('gives a reason for each broker that is not seen', async () => {
    const poller = pollerOf([fakeSource(() => Promise.reject(new Error('bug'))), fakeSource(answerNow)]);
    expect(told(await poller.pollOnce())).toEqual(['0 bug', '0 reading']);
  });
});

it('tells what a look costs the broker, the median of the latest', async () => {
  const times = [40, 50, 900, 60, 50];
  const source = fakeSource((request) => answerAfter(times.shift() ?? 0)(request));
  const asked = fakeSource(answerNow, 'prometheus');
  const poller = pollerOf([source, asked]);
  expect(poller.costs().size).toBe(0);
  poller.start(EPOCH_MS);
  await vi.advanceTimersByTimeAsync(4_900);
  await poller.stop();
  expect([...poller.costs()]).toEqual([[1, { medianMs: 50, bytes: 60_000, looks: 5 }]]);
});
