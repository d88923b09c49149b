import { describe, expect, it } from 'vitest';
import type { HandlerIdle } from '../../boundary/broker-reading.ts';
import type { PageValues } from '../../src/signals/broker-reading.ts';
import { PageWatch } from '../../src/signals/page-watch.ts';

const IDLE: HandlerIdle = {
  kind: 'request handlers',
  pool: 'broker',
  countNs: 5e12,
  meanRate: 0.9,
  oneMinuteRate: null,
  fiveMinuteRate: null,
  fifteenMinuteRate: null,
  processAgeMs: null,
};
const BASE: PageValues = {
  idle: IDLE,
  underReplicatedPartitions: 0,
  underMinIsrPartitions: 0,
  offlinePartitions: 0,
  isrShrinks: { count: 0, oneMinuteRate: null },
  isrExpands: { count: 0, oneMinuteRate: null },
  bytesIn: { count: 10, oneMinuteRate: null },
  bytesOut: null,
  replicationBytesIn: null,
  messagesIn: { count: 10, oneMinuteRate: null },
  requests: 10,
  requestQueueSize: 0,
  produceP99Ms: null,
  networkIdle: null,
  processCpuSeconds: 3,
  gcSeconds: 1,
};

function page(idle: Partial<HandlerIdle>, more: Partial<PageValues> = {}): PageValues {
  return { ...BASE, ...more, idle: { ...IDLE, ...idle } };
}

const CPU_ONLY = { meanRate: null };
const RATE_ONLY = { countNs: null, meanRate: null, oneMinuteRate: 0.4 };
const NO_CLOCKS = { processCpuSeconds: null, gcSeconds: null, requests: null, bytesIn: null };
const CORES: PageValues = { ...BASE, idle: { kind: 'cores', busySeconds: [5, 6] } };

describe('PageWatch', () => {
  for (const { why, first, second, afterMs, judged } of [
    {
      why: 'everything moves',
      first: BASE,
      second: page({ countNs: 6e12, meanRate: 0.91 }),
      afterMs: 1000,
      judged: null,
    },
    { why: 'same page again', first: BASE, second: BASE, afterMs: 1000, judged: 'stale page' },
    {
      why: 'same page at once: it is its own clock, and the clock stands',
      first: BASE,
      second: BASE,
      afterMs: 50,
      judged: 'stale page',
    },
    {
      why: 'no clock of its own: too soon to tell',
      first: page(CPU_ONLY),
      second: page(CPU_ONLY),
      afterMs: 700,
      judged: null,
    },
    {
      why: 'last good snapshot of the beans while the JVM counts CPU on',
      first: BASE,
      second: page({}, { processCpuSeconds: 4 }),
      afterMs: 1000,
      judged: 'stale page',
    },
    {
      why: 'no idle left at all: Count stands, mean rate sinks',
      first: BASE,
      second: page({ meanRate: 0.89 }),
      afterMs: 1000,
      judged: null,
    },
    {
      why: 'no idle ever: mean rate stands at 0',
      first: page({ countNs: 0, meanRate: 0 }),
      second: page({ countNs: 0, meanRate: 0 }, { processCpuSeconds: 4 }),
      afterMs: 1000,
      judged: null,
    },
    {
      why: 'no mean rate, CPU stands',
      first: page(CPU_ONLY),
      second: page(CPU_ONLY),
      afterMs: 1000,
      judged: 'stale page',
    },
    {
      why: 'no mean rate, CPU moves',
      first: page(CPU_ONLY),
      second: page(CPU_ONLY, { processCpuSeconds: 3.1 }),
      afterMs: 1000,
      judged: null,
    },
    {
      why: 'only a Count: may be a busy broker',
      first: page(CPU_ONLY, NO_CLOCKS),
      second: page(CPU_ONLY, NO_CLOCKS),
      afterMs: 60_000,
      judged: null,
    },
    {
      why: 'Count fell',
      first: BASE,
      second: page({ countNs: 1e9, meanRate: 0.99 }),
      afterMs: 1000,
      judged: 'broker restarted',
    },
    {
      why: 'Count fell within the time that is not compared',
      first: BASE,
      second: page({ countNs: 1e9 }),
      afterMs: 100,
      judged: 'broker restarted',
    },
    {
      why: 'a moving average may stand for a while',
      first: page(RATE_ONLY),
      second: page(RATE_ONLY),
      afterMs: 15_000,
      judged: null,
    },
    {
      why: 'but not with all the clocks and for longer',
      first: page(RATE_ONLY),
      second: page(RATE_ONLY),
      afterMs: 15_001,
      judged: 'stale page',
    },
    {
      why: 'a moving average at 0 stands while CPU moves',
      first: page(RATE_ONLY),
      second: page(RATE_ONLY, { processCpuSeconds: 9 }),
      afterMs: 60_000,
      judged: null,
    },
    {
      why: 'a moving average that moves',
      first: page(RATE_ONLY),
      second: page({ ...RATE_ONLY, oneMinuteRate: 0.41 }),
      afterMs: 60_000,
      judged: null,
    },
    {
      why: 'averages without a clock beside: nothing can be claimed',
      first: page(RATE_ONLY, NO_CLOCKS),
      second: page(RATE_ONLY, NO_CLOCKS),
      afterMs: 60_000,
      judged: null,
    },
    {
      why: 'averages, CPU seconds fell',
      first: page(RATE_ONLY),
      second: page(RATE_ONLY, { processCpuSeconds: 0.5 }),
      afterMs: 1000,
      judged: 'broker restarted',
    },
    {
      why: 'busy cores move',
      first: CORES,
      second: { ...CORES, idle: { kind: 'cores', busySeconds: [5, 6.1] } },
      afterMs: 1000,
      judged: null,
    },
    { why: 'busy cores stand', first: CORES, second: CORES, afterMs: 1000, judged: 'stale page' },
    {
      why: 'busy cores fell',
      first: CORES,
      second: { ...CORES, idle: { kind: 'cores', busySeconds: [5.5, 0.1] } },
      afterMs: 1000,
      judged: 'broker restarted',
    },
  ] satisfies {
    why: string;
    first: PageValues;
    second: PageValues;
    afterMs: number;
    judged: string | null;
  }[]) {
    it(why, () => {
      const watch = new PageWatch();
      expect(watch.judge(first, 0)).toBe(null);
      expect(watch.judge(second, afterMs)).toBe(judged);
    });
  }

  it('sees a frozen page also when polled faster than it compares', () => {
    const watch = new PageWatch();
    const judged = [0, 300, 600, 900, 1200].map((atMs) => watch.judge(page(CPU_ONLY), atMs));
    expect(judged).toEqual([null, null, null, 'stale page', 'stale page']);
  });

  it('sees a frozen page of averages by all the looks since it froze', () => {
    const watch = new PageWatch();
    watch.judge(page({ ...RATE_ONLY, oneMinuteRate: 0.5 }), 0);
    const judged = [5000, 10_000, 15_000, 20_000, 20_001].map((atMs) => watch.judge(page(RATE_ONLY), atMs));
    expect(judged).toEqual([null, null, null, null, 'stale page']);
    expect(watch.judge(page({ ...RATE_ONLY, oneMinuteRate: 0.3 }), 25_000)).toBe(null);
  });

  it('does not take a page that was overtaken for a restart', () => {
    const watch = new PageWatch();
    watch.judge(BASE, 1000);
    expect(watch.judge(page({ countNs: 4.9e12 }), 900)).toBe(null);
    expect(watch.judge(page({ countNs: 6e12 }), 2000)).toBe(null);
  });

  it('counts on after a restart', () => {
    const watch = new PageWatch();
    watch.judge(BASE, 0);
    watch.judge(page({ countNs: 1e9 }), 1000);
    expect(watch.judge(page({ countNs: 2e9, meanRate: 0.8 }), 2000)).toBe(null);
  });
});
