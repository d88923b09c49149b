import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Remaining } from '../../../boundary/search/remaining.ts';
import type { SearchConfig } from '../../../boundary/search/search.ts';
import { openSearch, type StrategyName } from '../../../boundary/search/strategies.ts';
import { burstCluster, OVERHEAD_SECONDS, playWhole, trialEvent, WHOLE_CONFIG } from './whole-search.ts';

const STRATEGIES: readonly StrategyName[] = ['bisection', 'adaptive'];
/** Searches take a second, on a busy machine more. */
const SLOW = 60_000;
const cluster = () => burstCluster({ limit: 2_000, lasting: 0.7 });

const within = (timeBudgetSeconds: number, config: Partial<SearchConfig> = {}): SearchConfig => ({
  ...WHOLE_CONFIG,
  ...config,
  timeBudgetSeconds,
});

/** What the rest takes at the least, seconds. */
function leastSeconds({ probes, trials, windowSeconds }: Remaining): number {
  return (probes + trials) * (WHOLE_CONFIG.warmUpMs / 1_000 + OVERHEAD_SECONDS) + windowSeconds;
}

describe.each(STRATEGIES)('%s within a time budget', (name) => {
  it(
    'ends in time, with a point for every size, and never promises more than is left',
    () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 3_000 }),
          fc.constantFrom(0, 60_000, 300_000),
          (budget, holdMs) => {
            let spent = 0;
            const answer = cluster();
            const { points, seconds } = playWhole(
              name,
              within(budget, { holdMs }),
              (command) => {
                const event = answer(command);
                spent += event.seconds;
                return event;
              },
              ({ remaining }) => expect(leastSeconds(remaining)).toBeLessThanOrEqual(budget - spent + 1e-6),
            );
            expect(seconds).toBeLessThanOrEqual(budget);
            expect(points.map(({ messageBytes }) => messageBytes)).toEqual(WHOLE_CONFIG.sizes);
          },
        ),
        { numRuns: 30 },
      );
    },
    SLOW,
  );

  it('changes nothing when it suffices', () => {
    for (const holdMs of [0, 60_000]) {
      const free = playWhole(name, { ...WHOLE_CONFIG, holdMs }, cluster());
      const ample = playWhole(name, within(100_000, { holdMs }), cluster());
      expect(ample.commands).toEqual(free.commands);
      expect(ample.points).toEqual(free.points);
      const none = playWhole(name, { ...WHOLE_CONFIG, holdMs, timeBudgetSeconds: null }, cluster());
      expect(none.points).toEqual(free.points);
    }
  });

  it('says nothing of sizes that it did not come to', () => {
    const { points, commands } = playWhole(name, within(30), cluster());
    expect(commands).toEqual([]);
    expect(points[0]).toEqual({
      messageBytes: 100,
      estimate: null,
      interval: null,
      lower: null,
      upper: null,
      quality: 'at least',
      limit: null,
      notes: ['the time budget of 30 s ended the search before this size'],
      trials: 0,
      seconds: 0,
    });
  });

  it('gives what is known by then, and says so at every point that is not finished', () => {
    const free = playWhole(name, WHOLE_CONFIG, cluster());
    const budget = Math.round(0.7 * free.seconds);
    const { points, search, events } = playWhole(name, within(budget), cluster());
    const told = openSearch(name, WHOLE_CONFIG, events);
    expect(points.some(({ estimate }) => estimate !== null)).toBe(true);
    for (const point of points) {
      const finished = told.finished.find(({ messageBytes }) => messageBytes === point.messageBytes);
      const known = told.soFar().find(({ messageBytes }) => messageBytes === point.messageBytes);
      if (finished) expect(point).toEqual(finished);
      else {
        expect(point.notes.at(-1)).toMatch(/^the time budget of \d+ min( \d+ s)? ended the search/);
        expect(point).toMatchObject({ estimate: known?.estimate ?? null, lower: known?.lower ?? null });
      }
    }
    expect(search.finished).toEqual(points);
    expect(search.soFar()).toEqual(points);
    expect(search.remaining).toEqual({ probes: 0, trials: 0, windowSeconds: 0 });
  });

  it('ends before a hold that does not fit: the bounds stand, not held', () => {
    const free = playWhole(name, { ...WHOLE_CONFIG, holdMs: 300_000 }, burstCluster({ limit: 2_000 }));
    const { points, holds } = playWhole(
      name,
      within(free.seconds - 100, { holdMs: 300_000 }),
      burstCluster({ limit: 2_000 }),
    );
    expect(holds).toHaveLength(2);
    expect(points.slice(0, 2)).toEqual(free.points.slice(0, 2));
    expect(points[2]?.hold).toBeUndefined();
    expect(points[2]?.lower).toEqual(free.points[2]?.lower);
    expect(points[2]?.notes.slice(-2)).toEqual([
      'not held for 5 min: the bound may not last',
      expect.stringMatching(/ended the search$/),
    ]);
  });

  it('learns what lies around a window, of windows that went through alone', () => {
    const slow = { seconds: 95 };
    const answer = cluster();
    const { seconds, commands } = playWhole(name, within(540), (command) =>
      command.type === 'runProbe'
        ? { ...answer(command), seconds: 100 }
        : trialEvent(command, 'sustained', slow),
    );
    // A window of 15 s takes 95 s here: the fifth one would not fit, though 60 s are left.
    expect(commands.length).toBeLessThanOrEqual(5);
    expect(seconds).toBeLessThanOrEqual(540);
  });

  it('counts every event once: late and foreign ones cost nothing', () => {
    const { events } = playWhole(name, within(400), cluster());
    const echoed = events.flatMap((event, i) => [event, event, ...events.slice(0, i)]);
    const once = openSearch(name, within(400), events);
    const often = openSearch(name, within(400), echoed);
    expect(often.command).toEqual(once.command);
    expect(often.remaining).toEqual(once.remaining);
  });
});

it('counts the trials of a size of which nothing is known', () => {
  const answer = cluster();
  const { points } = playWhole('bisection', within(110), (command) =>
    command.type === 'runProbe' ? answer(command) : trialEvent(command, 'invalid', { seconds: 30 }),
  );
  expect(points[0]?.estimate).toBeNull();
  expect(points[0]?.notes).toEqual(['the time budget of 1 min 50 s ended the search']);
  // A probe of 30 s, and two trials.
  expect(points[0]).toMatchObject({ trials: 3, seconds: 90 });
});
