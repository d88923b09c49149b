import { describe, expect, it } from 'vitest';
import type { PageValues } from '../../src/signals/broker-reading.ts';
import { PageWatch } from '../../src/signals/page-watch.ts';

const BASE: PageValues = {
  idleCountNs: 5e12,
  idleMeanRate: 0.9,
  underReplicatedPartitions: 0,
  isrShrinks: 0,
  isrExpands: 0,
  bytesIn: 10,
  messagesIn: 10,
  requests: 10,
  requestQueueSize: 0,
  processCpuSeconds: 3,
};
const CPU_ONLY: PageValues = { ...BASE, idleMeanRate: null };
const COUNT_ONLY: PageValues = { ...CPU_ONLY, processCpuSeconds: null };

describe('PageWatch', () => {
  for (const { why, first, second, afterMs, judged } of [
    {
      why: 'everything moves',
      first: BASE,
      second: { ...BASE, idleCountNs: 6e12, idleMeanRate: 0.91 },
      afterMs: 1000,
      judged: null,
    },
    { why: 'same page again', first: BASE, second: BASE, afterMs: 1000, judged: 'stale page' },
    { why: 'same page too soon to tell', first: BASE, second: BASE, afterMs: 700, judged: null },
    {
      why: 'last good snapshot of the beans while the JVM counts CPU on',
      first: BASE,
      second: { ...BASE, processCpuSeconds: 4 },
      afterMs: 1000,
      judged: 'stale page',
    },
    {
      why: 'no idle left at all: Count stands, mean rate sinks',
      first: BASE,
      second: { ...BASE, idleMeanRate: 0.89 },
      afterMs: 1000,
      judged: null,
    },
    {
      why: 'no idle ever: mean rate stands at 0',
      first: { ...BASE, idleCountNs: 0, idleMeanRate: 0 },
      second: { ...BASE, idleCountNs: 0, idleMeanRate: 0, processCpuSeconds: 4 },
      afterMs: 1000,
      judged: null,
    },
    {
      why: 'no mean rate, CPU stands',
      first: CPU_ONLY,
      second: CPU_ONLY,
      afterMs: 1000,
      judged: 'stale page',
    },
    {
      why: 'no mean rate, CPU moves',
      first: CPU_ONLY,
      second: { ...CPU_ONLY, processCpuSeconds: 3.1 },
      afterMs: 1000,
      judged: null,
    },
    {
      why: 'only a Count: may be a busy broker',
      first: COUNT_ONLY,
      second: COUNT_ONLY,
      afterMs: 1000,
      judged: null,
    },
    {
      why: 'Count fell',
      first: BASE,
      second: { ...BASE, idleCountNs: 1e9, idleMeanRate: 0.99 },
      afterMs: 1000,
      judged: 'broker restarted',
    },
    {
      why: 'Count fell within the time that is not compared',
      first: BASE,
      second: { ...BASE, idleCountNs: 1e9 },
      afterMs: 100,
      judged: 'broker restarted',
    },
  ]) {
    it(why, () => {
      const watch = new PageWatch();
      expect(watch.judge(first, 0)).toBe(null);
      expect(watch.judge(second, afterMs)).toBe(judged);
    });
  }

  it('sees a frozen page also when polled faster than it compares', () => {
    const watch = new PageWatch();
    const judged = [0, 300, 600, 900, 1200].map((atMs) => watch.judge(BASE, atMs));
    expect(judged).toEqual([null, null, null, 'stale page', null]);
  });

  it('does not take a page that was overtaken for a restart', () => {
    const watch = new PageWatch();
    watch.judge(BASE, 1000);
    expect(watch.judge({ ...BASE, idleCountNs: 4.9e12 }, 900)).toBe(null);
    expect(watch.judge({ ...BASE, idleCountNs: 6e12 }, 2000)).toBe(null);
  });

  it('counts on after a restart', () => {
    const watch = new PageWatch();
    watch.judge(BASE, 0);
    watch.judge({ ...BASE, idleCountNs: 1e9 }, 1000);
    expect(watch.judge({ ...BASE, idleCountNs: 2e9, idleMeanRate: 0.8 }, 2000)).toBe(null);
  });
});
