import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { BrokerPoller } from '../../src/signals/broker-poller.ts';
import { resolveSeries } from '../../src/signals/resolve-series.ts';
import { answerAfter, failAfter, fakeSource, parsed } from './fake-source.ts';
import { idlePage } from './metrics-server.ts';

const EPOCH_MS = 1_000_000;
const resolution = resolveSeries(parsed(idlePage(EPOCH_MS)), 'page', { idleSelector: null });

beforeEach(() => {
  vi.useFakeTimers({ now: EPOCH_MS });
});
afterEach(() => vi.useRealTimers());

it('has exactly one poll for each point, whatever looks and event loop do', async () => {
  const look = fc.record({ tookMs: fc.nat(4_500), isAnswered: fc.boolean() });
  const hiccups = fc.array(fc.record({ afterMs: fc.nat(3_000), blockedMs: fc.nat(3_500) }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(look, { minLength: 1, maxLength: 20 }), hiccups, async (looks, stops) => {
      let n = 0;
      let lostMs = 0;
      const clock = { nowMs: () => Date.now() + lostMs, errorMs: 0 };
      const source = fakeSource((request) => {
        const { tookMs, isAnswered } = looks[n++ % looks.length] ?? { tookMs: 0, isAnswered: true };
        return (isAnswered ? answerAfter(tookMs) : failAfter(tookMs, 'connection reset'))(request);
      });
      const poller = new BrokerPoller({
        brokers: [{ brokerId: 1, source, resolution }],
        clock,
        intervalMs: 1_000,
        deadlineMs: 5_000,
      });
      const originMs = clock.nowMs();
      poller.start(originMs);
      for (const { afterMs, blockedMs } of stops) {
        await vi.advanceTimersByTimeAsync(afterMs);
        lostMs += blockedMs;
      }
      await vi.advanceTimersByTimeAsync(10_000);
      const points = Math.floor((clock.nowMs() - originMs) / 1_000) + 1;
      const stopped = poller.stop();
      await vi.advanceTimersByTimeAsync(5_000);
      await stopped;
      const polls = poller.polls();
      expect(polls).toHaveLength(points);
      expect(polls.filter(({ kind }) => kind === 'reading').length).toBeLessThanOrEqual(n);
      const missedAt = polls.filter(({ kind }) => kind === 'missed').map(({ atMs }) => atMs - originMs);
      expect(missedAt.every((at) => at % 1_000 === 0)).toBe(true);
      expect(new Set(missedAt).size).toBe(missedAt.length);
    }),
    { numRuns: 60 },
  );
});
