import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adaptive } from '../../../../boundary/search/adaptive/adaptive.ts';
import {
  type RunProbe,
  type RunTrial,
  replay,
  type SearchConfig,
  type SearchEvent,
} from '../../../../boundary/search/search.ts';
import { CURVE_FAMILIES } from '../../../../boundary/simulator/idle-curve.ts';
import { BYTES_PER_MB } from '../../../../boundary/units.ts';
import type { Verdict } from '../../../../boundary/verdict.ts';
import { verdictOf } from '../oracle.ts';
import { ADAPTIVE_CONFIG, type Played, play, playWorld } from './simulated-search.ts';

const seeds = fc.integer({ min: 1, max: 20_000 });
const families = fc.constantFrom(...CURVE_FAMILIES);
const few = { numRuns: 10 };
/** A search takes a tenth of a second, on a busy machine more. */
const SLOW = 60_000;

const RANGE = { from: 100, to: 10_000 };
const FORMER = ADAPTIVE_CONFIG.sizes.map((messageBytes) => ({
  messageBytes,
  estimate: 1e6 / messageBytes,
  low: 0.95e6 / messageBytes,
  high: 1.05e6 / messageBytes,
}));

/** Answers that follow no cluster at all. */
const answers = fc.array(
  fc.record({
    kind: fc.constantFrom<Verdict['kind']>('sustained', 'overloaded', 'invalid'),
    idle: fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 1, maxLength: 4 }),
    ackedShare: fc.double({ min: 0, max: 1.02, noNaN: true }),
    windowSeconds: fc.double({ min: 0, max: 60, noNaN: true }),
  }),
  { minLength: 1, maxLength: 30 },
);
type Answers = typeof answers extends fc.Arbitrary<infer T> ? T : never;

function answerFrom(list: Answers): (command: RunProbe | RunTrial) => SearchEvent {
  let count = 0;
  return (command) => {
    const answer = list[count % list.length];
    count += 1;
    const { kind = 'invalid', idle = [], ackedShare = 0, windowSeconds = 0 } = answer ?? {};
    if (command.type === 'runProbe') {
      const steps = command.unitRates.map((unitRate, i) => ({
        unitRate,
        idle: idle[i % idle.length] ?? null,
        ackedShare,
      }));
      return { type: 'probeFinished', probeId: command.probeId, steps, seconds: 20 };
    }
    const load = command.np * command.unitRate;
    return {
      type: 'trialFinished',
      trialId: command.trialId,
      verdict: verdictOf(kind),
      offeredPerSecond: load,
      ackedPerSecond: load * ackedShare,
      idleByBroker: Object.fromEntries(idle.map((ratio, i) => [String(i + 1), ratio])),
      windowSeconds,
      atSeconds: count * 60,
      seconds: 40,
    };
  };
}

function expectInOrder({ state }: Played): void {
  for (const { estimate, interval, lower, upper } of state.done) {
    if (interval && estimate !== null) {
      expect(interval.low).toBeLessThanOrEqual(estimate);
      expect(interval.high).toBeGreaterThanOrEqual(estimate);
    }
    if (lower && upper) expect(lower.np * lower.unitRate).toBeLessThan(upper.np * upper.unitRate);
  }
}

describe('the adaptive search', () => {
  it(
    'finds the boundary of every size, with an interval around it and bounds on both sides',
    () => {
      let covered = 0;
      let points = 0;
      for (const family of CURVE_FAMILIES) {
        const { state, world } = playWorld(71, { family });
        state.done.forEach((point, size) => {
          const truth = world.sizes[size]?.boundary ?? Number.NaN;
          points += 1;
          if (point.interval && point.interval.low <= truth && truth <= point.interval.high) covered += 1;
          expect(Math.abs(Math.log((point.estimate ?? 0) / truth)), `${family}, size ${size}`).toBeLessThan(
            0.2,
          );
          // F is noisy: a bound may be missing there after the usual trials.
          if (family !== 'F') expect(point.lower, `${family}, size ${size}`).not.toBeNull();
        });
      }
      expect(covered / points).toBeGreaterThan(0.8);
    },
    SLOW,
  );

  it(
    'keeps estimate, interval and bounds in order',
    () => {
      fc.assert(
        fc.property(seeds, families, (seed, family) => expectInOrder(playWorld(seed, { family }))),
        few,
      );
      fc.assert(
        fc.property(answers, (list) => expectInOrder(play(ADAPTIVE_CONFIG, answerFrom(list)))),
        few,
      );
    },
    SLOW,
  );

  it(
    'ends within max-trials at every size, whatever the answers, and never asks for more than is allowed',
    () => {
      fc.assert(
        fc.property(
          answers,
          fc.integer({ min: 3, max: 12 }),
          fc.option(fc.integer({ min: 1, max: 50 })),
          fc.constantFrom<Partial<SearchConfig>>({}, { sizeRange: RANGE }, { former: FORMER }),
          (list, maxTrials, limit, kind) => {
            const config = { ...ADAPTIVE_CONFIG, ...kind, maxTrials, maxMegabytesPerSecond: limit };
            const { trials, commands } = play(config, answerFrom(list));
            for (const size of new Set(trials.map(({ messageBytes }) => messageBytes))) {
              expect(trials.filter(({ messageBytes }) => messageBytes === size).length).toBeLessThanOrEqual(
                maxTrials,
              );
            }
            for (const command of commands) {
              expect(command.np).toBeLessThanOrEqual(config.maxNp);
              expect(command.np).toBeGreaterThanOrEqual(1);
              const rates = command.type === 'runProbe' ? command.unitRates : [command.unitRate];
              for (const rate of rates) {
                expect(Number.isFinite(rate) && rate > 0).toBe(true);
                const megabytes = (command.np * rate * command.messageBytes) / BYTES_PER_MB;
                // Unit rates have three digits: the last one is not counted.
                if (limit !== null) expect(megabytes).toBeLessThanOrEqual(limit * 1.005);
              }
            }
          },
        ),
        few,
      );
    },
    SLOW,
  );

  it(
    'replays its events to the same state, and its state is JSON',
    () => {
      fc.assert(
        fc.property(seeds, families, (seed, family) => {
          const { events, state } = playWorld(seed, { family });
          const config = { ...ADAPTIVE_CONFIG };
          expect(replay(adaptive, config, events)).toEqual(state);
          const half = replay(adaptive, config, events.slice(0, events.length >> 1));
          const read = JSON.parse(JSON.stringify(half)) as typeof half;
          expect(read).toEqual(half);
          const event = events[events.length >> 1];
          if (event) expect(adaptive.tell(read, event)).toEqual(adaptive.tell(half, event));
        }),
        { numRuns: 6 },
      );
    },
    SLOW,
  );

  it('learns nothing of limits from an invalid trial', () => {
    const { events } = playWorld(5, { family: 'B' });
    const half = replay(adaptive, ADAPTIVE_CONFIG, events.slice(0, 8));
    const command = adaptive.ask(half);
    if (command.type !== 'runTrial') throw new Error('a trial is due');
    const load = command.np * command.unitRate;
    const after = adaptive.tell(half, {
      type: 'trialFinished',
      trialId: command.trialId,
      verdict: verdictOf('invalid'),
      offeredPerSecond: load,
      ackedPerSecond: 0,
      idleByBroker: { 1: 0.01, 2: 0.01, 3: 0.01 },
      windowSeconds: 60,
      atSeconds: 5_000,
      seconds: 80,
    });
    const known = (state: typeof half) =>
      adaptive
        .soFar(state)
        .map(({ estimate, interval, lower, upper }) => ({ estimate, interval, lower, upper }));
    expect(known(after)).toEqual(known(half));
    // The same load is due again.
    expect(adaptive.ask(after)).toMatchObject({ np: command.np, unitRate: command.unitRate });
  });

  it('takes in late, repeated and foreign events without a change', () => {
    const { events } = playWorld(9, { family: 'E' });
    const state = replay(adaptive, ADAPTIVE_CONFIG, events.slice(0, 6));
    for (const event of events.slice(0, 6)) expect(adaptive.tell(state, event)).toBe(state);
  });

  it('does not depend on the order in which trials are kept', () => {
    const { events } = playWorld(12, { family: 'C' });
    const state = replay(adaptive, ADAPTIVE_CONFIG, events.slice(0, 14));
    const turned = {
      ...state,
      sizes: state.sizes.map((size) => ({ ...size, trials: size.trials.toReversed() })),
    };
    adaptive.soFar(state).forEach((point, i) => {
      const other = adaptive.soFar(turned)[i];
      expect((other?.estimate ?? 0) / (point.estimate ?? 1)).toBeCloseTo(1, 9);
      expect((other?.interval?.low ?? 0) / (point.interval?.low ?? 1)).toBeCloseTo(1, 9);
      expect(other?.lower).toEqual(point.lower);
      expect(other?.upper).toEqual(point.upper);
    });
  });
});

describe('limits of a search', () => {
  it('answers `at least` when the generator ends under the boundary, and when the largest load is sustained', () => {
    const { state, world } = playWorld(3, { family: 'A' });
    const ceilings = world.sizes.map(({ boundary }) => 0.6 * boundary);
    const short = playWorld(3, { family: 'A' }, {}, { generatorCeilings: ceilings });
    expect(short.state.done.map(({ quality }) => quality)).toEqual(['at least', 'at least', 'at least']);
    expect(short.state.done[0]?.notes.join()).toMatch(/generator/);
    const limited = playWorld(3, { family: 'A' }, { maxMegabytesPerSecond: 0.5 });
    expect(limited.state.done.map(({ quality }) => quality)).toEqual(['at least', 'at least', 'at least']);
    expect(limited.trials.length).toBeLessThanOrEqual(6);
    expect(state.done.every(({ quality }) => quality !== 'at least')).toBe(true);
  });

  it('names the rule that stops the load first', () => {
    const flapping = playWorld(21, { family: 'exp' }, {}, { isrFlapsAbove: 0.75 });
    flapping.state.done.forEach((point, size) => {
      expect(point.limit?.rule).toBe('isr churn');
      const truth = 0.75 * (flapping.world.sizes[size]?.boundary ?? 0);
      expect(Math.abs(Math.log((point.estimate ?? 0) / truth))).toBeLessThan(0.15);
    });
  });

  it('searches one size, and twenty, with one broker or a dozen', () => {
    for (const [sizes, brokers] of [
      [[1_000], 1],
      [Array.from({ length: 20 }, (_, i) => Math.round(100 * 1.6 ** i)), 12],
    ] as const) {
      const { state, world } = playWorld(8, { family: 'B', brokers }, { sizes });
      state.done.forEach((point, i) => {
        const truth = world.sizes[i]?.boundary ?? Number.NaN;
        expect(Math.abs(Math.log((point.estimate ?? 0) / truth))).toBeLessThan(0.2);
      });
    }
  });

  it('goes by verdicts alone without the brokers own signals', () => {
    const { state, trials } = playWorld(4, { family: 'B' }, { withoutSignals: true });
    expect(state.verdictsOnly).not.toBeNull();
    expect(trials.length).toBeGreaterThan(0);
    expect(state.done.length).toBe(3);
  });

  it('gives an interval for the hour: wider in a short run than what the run alone knows', () => {
    const { state } = playWorld(14, { family: 'A' });
    const short = state.done.filter(({ notes }) => /drift of an hour/.test(notes.join()));
    expect(short.length).toBeGreaterThan(0);
  });

  it('says why of every step in one line', () => {
    const { commands } = playWorld(2, { family: 'lin' });
    for (const { why } of commands) expect(why).toMatch(/^[^\n]{10,160}$/);
  });
});
