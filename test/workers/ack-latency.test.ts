import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latencyPercentileUs, messagesSlowerThan, messagesTimed } from '../../boundary/latency-histogram.ts';
import { type AckTiming, openAckTiming } from '../../workers/ack-latency.ts';

const START_MS = 1_700_000_000_000.25;
const WINDOW = { startAtMs: START_MS + 3_000, endAtMs: START_MS + 13_000 };
const LOAD_MS = 14_100;

interface Load {
  readonly unitRate: number;
  readonly producers?: number;
  readonly timed?: number;
  /** When a message that is due at a time is acknowledged, ms since the start; null: never. */
  readonly ackedAtMs: (dueMs: number) => number | null;
  /** Messages due after this are never handed over, ms since the start. */
  readonly handedOverUntilMs?: number;
}

/** Runs a load by the pacer's rule and gives what the timing reports. */
function reportOf(load: Load) {
  const { unitRate, producers = 1, timed = producers, handedOverUntilMs = LOAD_MS } = load;
  let nowMs = START_MS;
  const job = {
    schedule: [{ durationMs: LOAD_MS, unitRate }],
    producers,
    firstProducer: 0,
    producersOfTrial: producers,
    timedProducers: timed,
  };
  const timing = openAckTiming(job, () => nowMs);
  timing.startAt(START_MS);
  const accepted: number[] = [];
  const answers: { atMs: number; tell: () => void }[] = [];
  for (let producer = 0; producer < timed; producer += 1) {
    const phase = producer / producers;
    const hook = timing.hookOf(producer);
    let sent = 0;
    for (let message = 0; ; message += 1) {
      const dueMs = ((message + 1 - phase) / unitRate) * 1_000;
      if (dueMs > handedOverUntilMs) break;
      sent += 1;
      const atMs = load.ackedAtMs(dueMs);
      const intendedAtMs = Math.floor(START_MS + dueMs);
      if (atMs !== null) answers.push({ atMs, tell: () => hook?.(intendedAtMs) });
    }
    accepted.push(sent);
  }
  for (const { atMs, tell } of answers.sort((a, b) => a.atMs - b.atMs)) {
    nowMs = START_MS + atMs;
    tell();
  }
  return { timing, accepted, latency: timing.report(WINDOW, accepted).ackLatency };
}

function countsOf(load: Load) {
  const counts = reportOf(load).latency?.counts;
  if (!counts) throw new Error('the load was timed');
  return counts;
}

describe('openAckTiming', () => {
  it('times the messages that were to be sent in the window, and none beside', () => {
    const counts = countsOf({ unitRate: 100, producers: 4, ackedAtMs: (dueMs) => dueMs + 7 });
    // At the very edge of a window a message may be on either side of it: four producers, two edges.
    expect(Math.abs(messagesTimed(counts) - 4_000)).toBeLessThanOrEqual(8);
    expect(counts.missing).toBe(0);
    expect(latencyPercentileUs(counts, 500)).toBeGreaterThanOrEqual(7_000);
    // The intended time is cut to whole ms, which adds one at most.
    expect(counts.maxUs).toBeLessThanOrEqual(8_000);
  });

  it('forgives no message that a pause of 2 s delays', () => {
    const pause = { fromMs: 6_000, toMs: 8_000 };
    const counts = countsOf({
      unitRate: 1_000,
      ackedAtMs: (dueMs) => (dueMs >= pause.fromMs && dueMs < pause.toMs ? pause.toMs : dueMs) + 5,
    });
    expect(counts.maxUs / 1_000).toBeGreaterThan(1_990);
    expect(counts.maxUs / 1_000).toBeLessThan(2_010);
    // Those due in the first of the two seconds wait for more than one: 1 s of the window's 10.
    expect(messagesSlowerThan(counts, 1_000_000) / messagesTimed(counts)).toBeCloseTo(0.1, 2);
  });

  it('counts messages that were never acknowledged, also when all after them were', () => {
    const counts = countsOf({
      unitRate: 1_000,
      ackedAtMs: (dueMs) => (dueMs >= 5_000 && dueMs < 5_200 ? null : dueMs + 5),
    });
    expect(Math.abs(counts.missing - 200)).toBeLessThanOrEqual(1);
    expect(latencyPercentileUs(counts, 990)).toBeNull();
    expect(latencyPercentileUs(counts, 900)).not.toBeNull();
  });

  it('counts messages that a full queue never took before the load ended', () => {
    const counts = countsOf({ unitRate: 1_000, handedOverUntilMs: 12_000, ackedAtMs: (dueMs) => dueMs + 5 });
    expect(Math.abs(counts.missing - 1_000)).toBeLessThanOrEqual(1);
  });

  it('takes answers after the end of the window for what they are, messages of the window', () => {
    const counts = countsOf({ unitRate: 1_000, ackedAtMs: (dueMs) => Math.max(dueMs + 5, 20_000) });
    expect(counts.missing).toBe(0);
    expect(counts.maxUs / 1_000).toBeGreaterThan(16_900);
  });

  it('never misses a message when all were acknowledged, whatever rate and phase', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.3, max: 1_000, noNaN: true }),
        fc.integer({ min: 1, max: 3 }),
        (unitRate, producers) => {
          const counts = reportOf({ unitRate, producers, ackedAtMs: (dueMs) => dueMs + 3 }).latency?.counts;
          expect(counts?.missing).toBe(0);
        },
      ),
      { numRuns: 30 },
    );
  });

  it.each<[why: string, tell: (timing: AckTiming) => unknown]>([
    ['no window came with the stop', (timing) => timing.report(null, [1])],
    [
      'the window is shorter than a second',
      (timing) => timing.report({ startAtMs: START_MS + 100, endAtMs: START_MS + 900 }, [1]),
    ],
  ])('reports nothing when %s', (_why, tell) => {
    expect(tell(reportOf({ unitRate: 10, ackedAtMs: (dueMs) => dueMs }).timing)).toEqual({});
  });

  it('asks only the first producers for reports, and nothing at all when none is timed', () => {
    const { timing } = reportOf({ unitRate: 10, producers: 5, timed: 2, ackedAtMs: (dueMs) => dueMs });
    expect([0, 1, 2, 4].map((index) => timing.hookOf(index) !== null)).toEqual([true, true, false, false]);
    const none = reportOf({ unitRate: 10, producers: 5, timed: 0, ackedAtMs: (dueMs) => dueMs });
    expect(none.timing.hookOf(0)).toBeNull();
    expect(none.latency).toBeUndefined();
  });
});
