import { describe, expect, it } from 'vitest';
import type { BrokerReading, CoreIdle, HandlerIdle } from '../../../boundary/broker-reading.ts';
import { recentIdle } from '../../../boundary/idle/recent-idle.ts';
import { estimatorFor, isHard, neededWindowMs, windowedIdle } from '../../../boundary/idle/windowed-idle.ts';
import { SimulatedBroker, SLOT_MS } from '../simulated-broker.ts';

const METER: HandlerIdle = {
  kind: 'request handlers',
  pool: 'broker',
  countNs: null,
  meanRate: null,
  oneMinuteRate: null,
  fiveMinuteRate: null,
  fifteenMinuteRate: null,
  processAgeMs: null,
};
const START_MS = 240_000;

/** A broker at 0.9 that goes over to another level as the window starts. */
function stepTo(level: number, seconds: number): SimulatedBroker {
  const idle = Array.from({ length: ((seconds + 10) * 1_000 + START_MS) / SLOT_MS }, (_, slot) =>
    slot * SLOT_MS < START_MS ? 0.9 : level + 0.02 * Math.sin(slot),
  );
  return new SimulatedBroker({ idle, meterStartMs: 3_000, tickLateMs: [10, 0, 30], waitMs: 20 });
}

function pollsOf(broker: SimulatedBroker, everyMs: number, lastsMs: number): BrokerReading[] {
  const polls = Math.floor(lastsMs / everyMs) + 1;
  return Array.from({ length: polls }, (_, i) => broker.read(START_MS + i * everyMs, 20, 0));
}

function meters(readings: readonly BrokerReading[], change: (meter: HandlerIdle) => HandlerIdle | CoreIdle) {
  return readings.map((reading) => ({ ...reading, idle: change(reading.idle as HandlerIdle) }));
}

const windowOf = (seconds: number) => ({ startAtMs: START_MS, endAtMs: START_MS + seconds * 1_000 });
const onlyRate = ({ oneMinuteRate }: HandlerIdle): HandlerIdle => ({ ...METER, oneMinuteRate });

describe('windowedIdle', () => {
  it('inverts two looks 30 s apart', () => {
    const [first, last] = pollsOf(stepTo(0.5, 30), 30_000, 30_000);
    if (!first || !last) throw new Error('two looks expected');
    const at = (reading: BrokerReading, oneMinuteRate: number) => ({
      ...reading,
      idle: { ...METER, oneMinuteRate },
    });
    const idle = windowedIdle([at(first, 0.8457492261151018), at(last, 0.5680585437072734)], windowOf(30));
    expect(idle?.estimator).toBe('one-minute rate, inverted');
    expect(idle?.ratio).toBeCloseTo(0.14, 6);
    expect(idle?.low).toBeLessThan(0.1);
    expect(idle?.high).toBeGreaterThan(0.2);
  });

  it.each([
    ['sum of broker and controller', (m: HandlerIdle, up: number) => m.countNs && m.countNs + up * 0.97e6],
    [
      'mean of broker and controller',
      (m: HandlerIdle, up: number) => m.countNs && (m.countNs + up * 0.97e6) / 2,
    ],
  ] as const)('takes the controller out of the %s', (pool, countOf) => {
    const readings = pollsOf(stepTo(0.3, 30), 1_000, 30_000).map((reading, i) => {
      const countNs = countOf(reading.idle as HandlerIdle, START_MS + i * 1_000);
      return { ...reading, idle: { ...METER, pool, countNs } };
    });
    const idle = windowedIdle(readings, windowOf(30));
    expect(idle?.ratio).toBeCloseTo(0.32, 2);
    expect(idle?.low).toBeLessThanOrEqual(0.3);
    expect(idle?.high).toBeGreaterThanOrEqual(0.3);
    expect((idle?.high ?? 1) - (idle?.low ?? 0)).toBeLessThan(0.16);
  });

  it('lets only the meter bound the broker when the controller must be busy as well', () => {
    const readings = meters(pollsOf(stepTo(0.6, 30), 1_000, 30_000), ({ countNs }) => ({
      ...METER,
      pool: 'sum of broker and controller',
      countNs,
    }));
    expect(windowedIdle(readings, windowOf(30))).toMatchObject({ low: 0 });
    expect(windowedIdle(readings, windowOf(30))?.high).toBeGreaterThan(0.6);
  });

  it('takes the busiest core', () => {
    const readings = pollsOf(stepTo(0.5, 30), 1_000, 30_000).map((reading, i) => ({
      ...reading,
      idle: { kind: 'cores', busySeconds: [100 + i * 0.2, 50 + i * 0.85] } as const,
    }));
    const idle = windowedIdle(readings, windowOf(30));
    expect(idle?.estimator).toBe('busy cores');
    expect(idle?.ratio).toBeCloseTo(0.15, 9);
    expect(idle?.low).toBeLessThanOrEqual(0.15);
    expect(recentIdle(readings)).toBeCloseTo(0.15, 9);
  });

  it('believes a single raw average only after a long hold', () => {
    const last = (seconds: number) =>
      meters(pollsOf(stepTo(0.3, seconds), seconds * 1_000, seconds * 1_000), onlyRate).slice(-1);
    expect(windowedIdle(last(120), windowOf(120))).toBeNull();
    const idle = windowedIdle(last(200), windowOf(200));
    expect(idle?.estimator).toBe('one-minute rate, held');
    expect(idle && isHard(idle)).toBe(false);
  });

  it.each([0.02, 0.2, 0.5, 0.98])('keeps a steady load of %d within the bounds of a hold', (level) => {
    for (const seconds of [185, 202, 240]) {
      const polls = pollsOf(stepTo(level, seconds), seconds * 1_000, seconds * 1_000);
      const idle = windowedIdle(meters(polls, onlyRate).slice(-1), windowOf(seconds));
      expect(idle?.low).toBeLessThanOrEqual(level);
      expect(idle?.high).toBeGreaterThanOrEqual(level);
    }
  });

  it('says nothing of a page that stands still', () => {
    const frozen = meters(pollsOf(stepTo(0.3, 200), 1_000, 200_000), () => ({
      ...METER,
      oneMinuteRate: 0.7,
    }));
    expect(windowedIdle(frozen, windowOf(200))).toBeNull();
  });

  it('keeps the truth in its bounds when long scrapes and a busy meter make time the larger error', () => {
    const broker = stepTo(0.5, 30);
    const looks = [broker.read(START_MS + 1_000, 400, -0.5), broker.read(START_MS + 11_000, 400, 0.5)];
    const readings = meters(looks, ({ countNs }) => ({ ...METER, countNs })).map((reading, i) => ({
      ...reading,
      requests: i * 1_000_000,
    }));
    const idle = windowedIdle(readings, { startAtMs: START_MS + 1_000, endAtMs: START_MS + 11_000 });
    expect(idle?.ratio).toBeGreaterThan(0.515);
    expect(idle?.low).toBeLessThan(0.502);
    expect(idle?.low).toBeGreaterThan(0.49);
  });

  it('shows a step to 0.05 within two polls', () => {
    const readings = pollsOf(stepTo(0.05, 30), 1_000, 2_000);
    expect(windowedIdle(readings, windowOf(2))?.ratio).toBeLessThan(0.2);
    expect(recentIdle(readings)).toBeLessThan(0.2);
  });

  it('says nothing across a restart', () => {
    const readings = pollsOf(stepTo(0.3, 30), 1_000, 30_000).map((reading, i) => ({
      ...reading,
      processCpuSeconds: i < 12 ? 400 + i : i,
    }));
    expect(windowedIdle(readings, windowOf(30))).toBeNull();
  });
});

describe('late looks', () => {
  const around = (idle: number, lateSeconds: number) => {
    const broker = stepTo(idle, 60);
    return [broker.read(START_MS - 3_000, 20, 0), broker.read(START_MS + (20 + lateSeconds) * 1_000, 20, 0)];
  };

  it('bound the window from outside: an overload shows, and its bounds grow with the delay', () => {
    const soon = windowedIdle(around(0.02, 1), windowOf(20));
    const later = windowedIdle(around(0.02, 20), windowOf(20));
    // 2.7 s were idle before the window and may have been inside it.
    expect(soon?.high).toBeCloseTo((2.7 + 0.02 * 21 + 0.3) / 20, 2);
    expect(soon?.low).toBe(0);
    expect(later?.high).toBeGreaterThan(soon?.high ?? 1);
    expect(soon?.estimator).toBe('count over scrape time');
  });

  it('tell a load with idle to spare as well', () => {
    expect(windowedIdle(around(0.9, 2), windowOf(20))?.low).toBeGreaterThan(0.6);
  });
});

describe('neededWindowMs, estimatorFor', () => {
  it.each([
    [{ countNs: 1 }, 0, 'count over scrape time'],
    [{ countNs: 1, meanRate: 0.9, oneMinuteRate: 0.9 }, 0, 'count, self-clocked'],
    [{ meanRate: 0.9, processAgeMs: 1 }, 0, 'mean rate, inverted'],
    [{ meanRate: 0.9 }, null, null],
    [{ oneMinuteRate: 0.9 }, 15_000, 'one-minute rate, inverted'],
    [{ fifteenMinuteRate: 0.9 }, 15_000, 'fifteen-minute rate, inverted'],
  ])('%j -> %s ms, %s', (shown, windowMs, estimator) => {
    expect(neededWindowMs({ ...METER, ...shown })).toBe(windowMs);
    expect(estimatorFor({ ...METER, ...shown })).toBe(estimator);
  });
});

describe('recentIdle', () => {
  it('of an average is its last tick, and null until one was seen', () => {
    const readings = meters(pollsOf(stepTo(0.3, 30), 1_000, 30_000), onlyRate);
    expect(recentIdle(readings)).toBeCloseTo(0.3, 1);
    expect(recentIdle(readings.slice(0, 1))).toBeNull();
  });

  it('of a mean since the start is that of the last two readings', () => {
    const readings = meters(pollsOf(stepTo(0.3, 30), 1_000, 30_000), ({ meanRate, processAgeMs }) => ({
      ...METER,
      meanRate,
      processAgeMs,
    }));
    expect(recentIdle(readings)).toBeCloseTo(0.3, 1);
  });
});
