import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BrokerPoller } from '../../src/signals/broker-poller.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import { scrapeSource } from '../../src/signals/scrape-source.ts';
import type { SignalSource } from '../../src/signals/signal-source.ts';
import { parsed } from './fake-source.ts';
import { idlePage, type MetricsServer, sendText, startMetricsServer } from './metrics-server.ts';

const resolution = resolveSeries(parsed(idlePage(1_000)), 'page', { idleSelector: null });
const clock = { nowMs: () => performance.timeOrigin + performance.now(), errorMs: 0 };

let server: MetricsServer;
let source: SignalSource;
let poller: BrokerPoller;

beforeEach(async () => {
  server = await startMetricsServer((_, response) => sendText(response, idlePage(1_000)));
  source = scrapeSource(server.url);
  const brokers = [{ brokerId: 1, source, resolution }];
  poller = new BrokerPoller({ brokers, clock, intervalMs: 50, deadlineMs: 500 });
});
afterEach(async () => {
  await poller.stop();
  source.close();
  await server.close();
});

async function once(answer: MetricsServer['answer']): Promise<string> {
  server.answer = answer;
  const [poll] = await poller.pollOnce();
  return poll?.kind === 'missed' ? poll.reason : (poll?.kind ?? 'nothing');
}

it('gives the idle of a real page', async () => {
  const startMs = performance.now();
  server.answer = (_, response) => sendText(response, idlePage(performance.now() - startMs));
  poller.start(clock.nowMs());
  while (poller.polls().filter(({ kind }) => kind === 'reading').length < 5) await sleep(10);
  const readings = poller.polls().filter((poll) => poll.kind === 'reading');
  for (const { idle, atMs, scrapeMs } of readings) {
    if (idle.kind !== 'request handlers' || idle.countNs === null) throw new Error('no Count');
    const takenAtMs = performance.timeOrigin + startMs + idle.countNs / 1e6;
    expect(Math.abs(takenAtMs - atMs)).toBeLessThanOrEqual(scrapeMs / 2 + 0.01);
  }
});

it('keeps the reason of each missed poll', async () => {
  expect(await once((_, response) => sendText(response, idlePage(5_000)))).toBe('reading');
  expect(await once(() => {})).toBe('no whole answer within 500 ms');
  expect(await once((_, response) => sendText(response, 'no_idle 1\n'))).toMatch(/gone/);
  expect(await once((_, response) => sendText(response, idlePage(6_000).slice(0, -3)))).toMatch(/ends/);
  expect(await once((_, response) => sendText(response, idlePage(100)))).toBe('broker restarted');
  expect(await once((_, response) => sendText(response, idlePage(200)))).toBe('reading');
  await server.close();
  expect(await once(() => {})).toBe('connection refused');
});

it('calls a frozen page stale', async () => {
  const frozen: MetricsServer['answer'] = (_, response) => sendText(response, idlePage(5_000));
  expect(await once(frozen)).toBe('reading');
  await sleep(850);
  expect(await once(frozen)).toBe('stale page');
});
