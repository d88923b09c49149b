import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BoundaryPoint } from '../../../boundary/boundary-point.ts';
import { rateAt } from '../../../boundary/fleet-capacity.ts';
import { MAX_HOLDS } from '../../../boundary/search/hold/hold-step.ts';
import { MAX_INVALID_REPEATS, MAX_TRIALS_PER_POINT } from '../../../boundary/search/next-load.ts';
import type { RunTrial, SearchEvent } from '../../../boundary/search/search.ts';
import { openSearch, type RunningSearch } from '../../../boundary/search/strategies.ts';
import { BYTES_PER_MB } from '../../../boundary/units.ts';
import { adversary, answers, settings } from './adversary.ts';
import { playWhole, trialEvent, type WholeSearch } from './whole-search.ts';

const runs = { numRuns: 40 };
/** A search of the slower strategy takes a tenth of a second, on a busy machine more. */
const SLOW = 60_000;
/** Products of floating-point numbers. */
const ROUNDED = 1 + 1e-9;

const loadOf = ({ np, unitRate }: { np: number; unitRate: number }) => np * unitRate;

function expectInOrder(points: readonly BoundaryPoint[]): void {
  for (const { estimate, interval, lower, upper, hold } of points) {
    for (const figure of [estimate, interval?.low, interval?.high, lower?.messagesPerSecond]) {
      if (figure != null) expect(Number.isFinite(figure) && figure >= 0).toBe(true);
    }
    if (interval) {
      expect(estimate).not.toBeNull();
      expect(interval.low).toBeLessThanOrEqual(estimate ?? 0);
      expect(interval.high).toBeGreaterThanOrEqual(estimate ?? 0);
    }
    if (lower && upper) expect(loadOf(lower)).toBeLessThan(loadOf(upper));
    if (hold?.drops.length) expect(lower).toEqual(hold.lasted);
  }
}

/** What a reader takes for knowledge of the limit. */
function known(points: readonly BoundaryPoint[]): unknown[] {
  return points
    .filter(({ estimate, lower, upper }) => estimate !== null || lower || upper)
    .map(({ messageBytes, estimate, interval, lower, upper, limit, hold }) => ({
      messageBytes,
      estimate,
      interval,
      lower,
      upper,
      limit,
      hold,
    }));
}

function stateOf({ command, remaining, finished, soFar }: RunningSearch): unknown {
  return { command, remaining, finished, soFar: soFar() };
}

function trialsBySize({ commands }: WholeSearch): RunTrial[][] {
  const trials = commands.filter((command): command is RunTrial => command.type === 'runTrial');
  const sizes = [...new Set(trials.map(({ messageBytes }) => messageBytes))];
  return sizes.map((size) => trials.filter(({ messageBytes }) => messageBytes === size));
}

describe('a search, whatever is asked for and whatever the answers', () => {
  it(
    'keeps estimate, interval and bounds in order at every moment',
    () => {
      fc.assert(
        fc.property(settings, answers, ({ name, config }, list) => {
          let looks = 0;
          const { points } = playWhole(name, config, adversary(list), (search) => {
            looks += 1;
            if (looks % 7 === 0) expectInOrder(search.soFar());
          });
          expectInOrder(points);
          expect(new Set(points.map(({ messageBytes }) => messageBytes)).size).toBe(points.length);
          for (const size of config.sizes)
            expect(points.some(({ messageBytes }) => messageBytes === size)).toBe(true);
        }),
        runs,
      );
    },
    SLOW,
  );

  it(
    'ends within max-trials and a few holds at every size, and within its time',
    () => {
      fc.assert(
        fc.property(settings, answers, ({ name, config }, list) => {
          const played = playWhole(name, config, adversary(list));
          // Bisection goes on until it has both bounds, or gives up.
          const most =
            name === 'bisection' || config.withoutSignals ? MAX_TRIALS_PER_POINT : config.maxTrials;
          for (const trials of trialsBySize(played)) {
            const holds = trials.filter(({ purpose }) => purpose === 'hold').length;
            expect(trials.length - holds).toBeLessThanOrEqual(most);
            expect(holds).toBeLessThanOrEqual(config.holdMs ? MAX_HOLDS * (1 + MAX_INVALID_REPEATS) : 0);
          }
          const last = played.events.at(-1);
          if (config.timeBudgetSeconds != null && last)
            // The last command may have been expected to take less than it took.
            expect(played.seconds - last.seconds).toBeLessThanOrEqual(config.timeBudgetSeconds);
        }),
        runs,
      );
    },
    SLOW,
  );

  it(
    'never asks for more than the largest load, what the workers can offer, or more producers than there are',
    () => {
      fc.assert(
        fc.property(settings, answers, ({ name, config }, list) => {
          for (const command of playWhole(name, config, adversary(list)).commands) {
            expect(Number.isInteger(command.np) && command.np >= 1).toBe(true);
            expect(command.np).toBeLessThanOrEqual(config.maxNp);
            const rates = command.type === 'runProbe' ? command.unitRates : [command.unitRate];
            for (const unitRate of rates) {
              expect(Number.isFinite(unitRate) && unitRate > 0).toBe(true);
              const megabytes = (command.np * unitRate * command.messageBytes) / BYTES_PER_MB;
              if (config.maxMegabytesPerSecond !== null)
                expect(megabytes).toBeLessThanOrEqual(config.maxMegabytesPerSecond * ROUNDED);
              if (config.fleet)
                expect(command.np * unitRate).toBeLessThanOrEqual(
                  rateAt(config.fleet.rates, command.messageBytes) * ROUNDED,
                );
            }
          }
        }),
        runs,
      );
    },
    SLOW,
  );

  it(
    'learns nothing of limits from an invalid trial, be it a hold',
    () => {
      fc.assert(
        fc.property(settings, answers, fc.nat(60), ({ name, config }, list, moment) => {
          const { events } = playWhole(name, { ...config, timeBudgetSeconds: null }, adversary(list));
          const free = { ...config, timeBudgetSeconds: null };
          const search = openSearch(name, free, events.slice(0, moment % (events.length + 1)));
          if (search.command.type !== 'runTrial') return;
          const spoilt = trialEvent(search.command, 'invalid', { idle: [0.01, 0.9], ackedShare: 0.3 });
          expect(known(search.tell(spoilt).soFar())).toEqual(known(search.soFar()));
        }),
        { numRuns: 80 },
      );
    },
    SLOW,
  );

  it(
    'is the same after late, repeated and foreign reports, in whatever order they come',
    () => {
      fc.assert(
        fc.property(
          settings,
          answers,
          fc.array(fc.nat(), { maxLength: 40 }),
          ({ name, config }, list, picks) => {
            const { events, search } = playWhole(name, config, adversary(list));
            const foreign: SearchEvent = { type: 'probeFinished', probeId: 'none', steps: [], seconds: 9 };
            const echoed = events.flatMap((event, i) => [
              event,
              ...picks
                .filter((pick) => pick % events.length <= i)
                .map((pick) => events[pick % events.length] ?? event),
              foreign,
            ]);
            expect(stateOf(openSearch(name, config, echoed))).toEqual(stateOf(search));
          },
        ),
        { numRuns: 20 },
      );
    },
    SLOW,
  );

  it(
    'replays its log, read from JSON, to the same decisions',
    () => {
      fc.assert(
        fc.property(settings, answers, fc.nat(60), ({ name, config }, list, moment) => {
          const { commands, events, search } = playWhole(name, config, adversary(list));
          const read = <T>(value: T): T => JSON.parse(JSON.stringify(value));
          expect(stateOf(openSearch(name, read(config), read(events)))).toEqual(stateOf(search));
          const at = moment % (events.length + 1);
          const resumed = openSearch(name, read(config), read(events.slice(0, at)));
          expect(resumed.command).toEqual(commands[at] ?? search.command);
        }),
        { numRuns: 20 },
      );
    },
    SLOW,
  );

  it(
    'says why of every step in one line, and gives each an id of its own',
    () => {
      fc.assert(
        fc.property(settings, answers, ({ name, config }, list) => {
          const { commands } = playWhole(name, config, adversary(list));
          for (const { why } of commands) expect(why).toMatch(/^[^\n]{8,200}$/);
          const ids = commands.map((command) =>
            command.type === 'runProbe' ? command.probeId : command.trialId,
          );
          expect(new Set(ids).size).toBe(ids.length);
        }),
        { numRuns: 20 },
      );
    },
    SLOW,
  );
});
