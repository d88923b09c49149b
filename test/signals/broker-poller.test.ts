import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BrokerPoller } from '../../src/signals/broker-poller.ts';
import { idlePage, type MetricsServer, sendText, startMetricsServer } from './metrics-server.ts';

const clock = { nowMs: () => performance.timeOrigin + performance.now(), errorMs: 0 };

let server: MetricsServer;
let poller: BrokerPoller | null = null;
let startMs: number;

beforeEach(async () => {
  startMs = performance.now();
  server = await startMetricsServer((_, response) =>
    sendText(response, idlePage(performance.now() - startMs)),
  );
});
afterEach(async () => {
  await poller?.stop();
  await server.close();
});

function pollerOf(intervalMs: number, deadlineMs: number): BrokerPoller {
  poller = new BrokerPoller({
    brokers: [{ brokerId: 1, url: server.url, resolution: null }],
    clock,
    intervalMs,
    deadlineMs,
  });
  return poller;
}

it('accounts for every point of its grid and gives the idle of the page', async () => {
  const origin = clock.nowMs() + 50;
  pollerOf(50, 500).start(origin);
  await sleep(520);
  const stoppedMs = clock.nowMs();
  await poller?.stop();
  const polls = poller?.polls() ?? [];
  expect(Math.abs(polls.length - Math.floor((stoppedMs - origin) / 50) - 1)).toBeLessThanOrEqual(1);
  const readings = polls.filter((poll) => poll.kind === 'reading');
  expect(Math.min(...readings.map((poll) => poll.atMs))).toBeGreaterThanOrEqual(origin - 2);
  const [first, last] = [readings[0], readings.at(-1)];
  if (first === undefined || last === undefined) throw new Error('missed');
  expect((last.idleCountNs - first.idleCountNs) / (last.atMs - first.atMs) / 1e6).toBeCloseTo(1, 0);
});

it('records the grid points that it slept through as missed', async () => {
  pollerOf(50, 500).start(clock.nowMs());
  await sleep(60);
  const untilMs = performance.now() + 260;
  while (performance.now() < untilMs);
  await sleep(20);
  await poller?.stop();
  const late =
    poller?.polls().filter((poll) => poll.kind === 'missed' && poll.reason === 'poller was late') ?? [];
  expect(late.length).toBeGreaterThanOrEqual(3);
});

it('does not pile up behind a slow page: the grid points in between are missed', async () => {
  let asked = 0;
  server.answer = (_, response) => {
    asked++;
    setTimeout(() => sendText(response, idlePage(performance.now() - startMs)), 130);
  };
  pollerOf(50, 1_000).start(clock.nowMs());
  await sleep(400);
  await poller?.stop();
  const polls = poller?.polls() ?? [];
  const missed = polls.filter((poll) => poll.kind === 'missed');
  expect(missed.some((poll) => poll.reason === 'scrape before it still running')).toBe(true);
  expect(missed.length).toBeGreaterThanOrEqual(3);
  expect(asked).toBe(polls.length - missed.length);
  expect(asked).toBeLessThanOrEqual(4);
});

it('keeps the reason of each missed poll', async () => {
  pollerOf(1_000, 300);
  const once = async (answer: MetricsServer['answer']) => {
    server.answer = answer;
    const [poll] = (await poller?.pollOnce()) ?? [];
    return poll?.kind === 'missed' ? poll.reason : poll?.kind;
  };
  expect(await once((_, response) => sendText(response, idlePage(5_000)))).toBe('reading');
  expect(await once(() => {})).toBe('no whole answer within 300 ms');
  expect(await once((_, response) => sendText(response, 'no_idle 1\n'))).toMatch(/is gone from the page/);
  expect(await once((_, response) => sendText(response, idlePage(6_000).slice(0, -3)))).toMatch(
    /ends within line/,
  );
  expect(await once((_, response) => sendText(response, idlePage(100)))).toBe('broker restarted');
  expect(await once((_, response) => sendText(response, idlePage(200)))).toBe('reading');
  await server.close();
  expect(await once(() => {})).toBe('connection refused');
});

it('calls a frozen page stale', async () => {
  server.answer = (_, response) => sendText(response, idlePage(5_000));
  pollerOf(1_000, 500);
  await poller?.pollOnce();
  await sleep(850);
  expect(await poller?.pollOnce()).toMatchObject([{ kind: 'missed', brokerId: 1, reason: 'stale page' }]);
});

it('forgets what was before the mark', async () => {
  pollerOf(30, 500).start(clock.nowMs());
  await sleep(100);
  const before = poller?.polls() ?? [];
  expect(before.length).toBeGreaterThan(0);
  poller?.mark();
  expect(poller?.polls()).toEqual([]);
  await sleep(100);
  const after = poller?.polls() ?? [];
  expect(after.length).toBeGreaterThan(0);
  expect(after.filter((poll) => before.includes(poll))).toEqual([]);
});
