import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { windowedIdle } from '../../../boundary/idle/windowed-idle.ts';
import { readingsByBroker } from '../../../boundary/polls.ts';
import { evidenceOf, type Scene } from '../evidence.ts';

function idleOf(scene: Scene) {
  const { polls, window } = evidenceOf(scene);
  return windowedIdle(readingsByBroker(polls).get(1) ?? [], window);
}

describe('windowedIdle', () => {
  it('is exact from Count, by the page clock or the scrape clock', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 1, noNaN: true }), fc.boolean(), (idle, hasMeanRate) => {
        const reading = idleOf({ idle: () => idle, hasMeanRate });
        expect(reading?.ratio).toBeCloseTo(idle, 6);
        expect(reading?.low).toBeLessThanOrEqual(idle + 1e-9);
        expect(reading?.high).toBeGreaterThanOrEqual(idle - 1e-9);
        expect(reading?.estimator).toBe(hasMeanRate ? 'count, self-clocked' : 'count over scrape time');
      }),
    );
  });

  it('trusts the page clock over scrapes that come late', () => {
    const late = { idle: () => 0.3, scrapeLateMs: (second: number) => (second === 10 ? 400 : 0) };
    expect(idleOf(late)?.ratio).toBeCloseTo(0.3, 6);
    expect(idleOf({ ...late, hasMeanRate: false })?.ratio).toBeCloseTo(0.3 / 1.04, 6);
  });

  it('trusts the page clock also where a scrape is as long as the window', () => {
    const { polls } = evidenceOf({ seconds: 20, idle: () => 0.3 });
    const slow = (readingsByBroker(polls).get(1) ?? []).map((reading, second) => ({
      ...reading,
      // Taken at the end of a scrape of 4 s at first, at its beginning at last.
      atMs: reading.atMs + (second < 10 ? -2_000 : 2_000),
      scrapeMs: 4_000,
    }));
    const [first, last] = [slow[10 - 1], slow[10]];
    if (!first || !last) throw new Error('no readings');
    const between = windowedIdle([first, last], { startAtMs: first.atMs, endAtMs: last.atMs });
    expect(between?.estimator).toBe('count, self-clocked');
    expect(between?.ratio).toBeCloseTo(0.3, 6);
  });

  it('sees a step at once that the one-minute rate would hide', () => {
    expect(idleOf({ idle: (_, second) => (second > 2 ? 0.05 : 0.9) })?.ratio).toBeCloseTo(0.22, 6);
  });

  it('keeps the 300 ms bound of a wait when requests are not counted', () => {
    const reading = idleOf({ hasRequests: false });
    expect((reading?.high ?? 0) - (reading?.ratio ?? 0)).toBeCloseTo(0.03, 6);
  });

  it('is null for too few readings and for a counter that went back', () => {
    expect(idleOf({ missed: (_, second) => second > 2 })).toBeNull();
    expect(idleOf({ idle: (_, second) => (second === 5 ? -700 : 0.5) })).toBeNull();
  });
});
