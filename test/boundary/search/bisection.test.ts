import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bisection } from '../../../boundary/search/bisection.ts';
import { emptyPoint } from '../../../boundary/search/point-state.ts';
import { remainingWork } from '../../../boundary/search/remaining.ts';
import type { RunTrial } from '../../../boundary/search/search.ts';
import { replay, type SearchConfig, step } from '../../../boundary/search/search.ts';
import type { Verdict } from '../../../boundary/verdict.ts';
import { CONFIG, eventFor, play, verdictOf, vote } from './oracle.ts';

const capacity = (messagesPerSecond: number) => (trial: RunTrial) =>
  trial.np * trial.unitRate <= messagesPerSecond ? ('sustained' as const) : ('overloaded' as const);

describe('bisection with a known maximum', () => {
  it('finds every true threshold for every n up to 64 in ceil(log2 n) + 2 trials', () => {
    for (let n = 1; n <= 64; n++) {
      for (let threshold = 0; threshold < n; threshold++) {
        for (const confirm of [0, 1] as const) {
          const config: SearchConfig = {
            ...CONFIG,
            confirm,
            precision: 0,
            known: { unitRate: 1, overloadedNp: n },
          };
          const { trials, state } = play(config, capacity(threshold));
          const point = state.done[0];
          expect(point?.lower?.np ?? 0, `n ${n}, threshold ${threshold}`).toBe(threshold);
          const searching = trials.filter((trial) => trial.purpose === 'bisect');
          expect(searching.length).toBeLessThanOrEqual(Math.ceil(Math.log2(n)) + 2);
          const repeats = trials.length - searching.length;
          expect(repeats).toBeLessThanOrEqual(2 * confirm);
        }
      }
    }
  });
});

describe('bisection on an unknown cluster', () => {
  it('brackets the boundary within the precision, on both sides, confirmed', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 20, max: 1e7, noNaN: true }),
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        (truth, probeError) => {
          const { state } = play(CONFIG, capacity(truth), truth * probeError);
          const point = state.done[0];
          expect(point?.quality).toBe('converged');
          expect(point?.lower?.messagesPerSecond).toBeLessThanOrEqual(truth);
          expect(point?.upper?.messagesPerSecond).toBeGreaterThan(truth);
          const width = (point?.upper?.messagesPerSecond ?? 0) - (point?.lower?.messagesPerSecond ?? 0);
          expect(width / (point?.upper?.messagesPerSecond ?? 1)).toBeLessThanOrEqual(0.0501);
          expect(point?.lower?.trials).toBe(2);
          expect(point?.upper?.trials).toBe(2);
        },
      ),
    );
  });

  it('needs at most 10 trials when the probe is right within a third', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 100, max: 1e6, noNaN: true }),
        fc.double({ min: 0.7, max: 1.35, noNaN: true }),
        (truth, probeError) => {
          expect(play(CONFIG, capacity(truth), truth * probeError).trials.length).toBeLessThanOrEqual(10);
        },
      ),
    );
  });

  it('never asks for more producers than allowed, nor for more than the load guard', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 10, max: 1e7, noNaN: true }),
        fc.double({ min: 0.01, max: 50, noNaN: true }),
        (truth, guard) => {
          const config = { ...CONFIG, maxMegabytesPerSecond: guard };
          const { trials, commands } = play(config, capacity(truth), truth);
          for (const trial of trials) {
            expect(trial.np).toBeGreaterThanOrEqual(1);
            expect(trial.np).toBeLessThanOrEqual(config.maxNp);
            expect((trial.np * trial.unitRate * trial.messageBytes) / 1e6).toBeLessThanOrEqual(guard);
          }
          const probe = commands.find((command) => command.type === 'runProbe');
          for (const rate of probe?.unitRates ?? []) {
            expect((rate * 50 * 1_000) / 1e6).toBeLessThanOrEqual(guard);
          }
        },
      ),
    );
  });

  it('ends `at least` when the guard is sustained', () => {
    const { state } = play({ ...CONFIG, maxMegabytesPerSecond: 3 }, () => 'sustained', 9_000);
    expect(state.done[0]?.quality).toBe('at least');
    expect(state.done[0]?.upper).toBeNull();
    expect(state.done[0]?.notes).toContain(
      'the largest load is sustained: 3 MB/s is the largest load allowed',
    );
  });

  it('ends `at least` when all that the workers can offer is sustained, and says what more of them would do', () => {
    const fleet = { workers: 2, rates: [{ messageBytes: 1_000, messagesPerSecond: 3_000 }] };
    const { state, trials } = play({ ...CONFIG, fleet }, () => 'sustained', 9_000);
    expect(Math.max(...trials.map(({ np, unitRate }) => np * unitRate))).toBeLessThanOrEqual(3_000);
    expect(state.done[0]).toMatchObject({ quality: 'at least', upper: null });
    expect(state.done[0]?.notes).toContain(
      'the largest load is sustained: the 2 workers can offer 3 MB/s at this size; each more like them adds 1.5 MB/s',
    );
  });

  it('ends `at least` when as many producers as allowed are sustained at a rate that must stay', () => {
    const { state } = play({ ...CONFIG, precision: 0, maxNp: 60 }, () => 'sustained', 9_000);
    expect(state.done[0]?.notes).toContain(
      'the largest load is sustained: 60 producers are the most allowed',
    );
  });

  it('ends `at most` when everything overloads', () => {
    const { state } = play(CONFIG, () => 'overloaded');
    expect(state.done[0]).toMatchObject({ quality: 'at most', estimate: null, lower: null });
  });

  it('finds one point per size, in order', () => {
    const { state } = play({ ...CONFIG, sizes: [100, 1_000, 10_000] }, capacity(5_000));
    expect(state.done.map((point) => point.messageBytes)).toEqual([100, 1_000, 10_000]);
  });
});

describe('noise and bad trials', () => {
  const noisy = fc.array(fc.constantFrom<Verdict['kind']>('sustained', 'overloaded', 'invalid'), {
    minLength: 60,
    maxLength: 60,
  });

  it('ends, in order and within its budget, for any answers', () => {
    fc.assert(
      fc.property(noisy, fc.constantFrom<0 | 1>(0, 1), (answers, confirm) => {
        const { state, trials } = play(
          { ...CONFIG, confirm },
          (_, count) => answers[count % answers.length] ?? 'invalid',
        );
        expect(trials.length).toBeLessThanOrEqual(41);
        const point = state.done[0];
        if (point?.lower && point.upper) {
          const load = (bound: { np: number; unitRate: number }) => bound.np * bound.unitRate;
          expect(load(point.lower)).toBeLessThan(load(point.upper));
        }
      }),
    );
  });

  it('never narrows the bracket on an invalid trial', () => {
    fc.assert(
      fc.property(noisy, (answers) => {
        let state = bisection.start(CONFIG);
        let command = bisection.ask(state);
        for (let i = 0; command.type !== 'done' && i < 60; i++) {
          if (command.type === 'runProbe') {
            state = bisection.tell(state, {
              type: 'probeFinished',
              probeId: command.probeId,
              steps: [{ unitRate: 100, idle: 0.25, ackedShare: 1 }],
              seconds: 1,
            });
          } else {
            const kind = answers[i] ?? 'invalid';
            const before = state.point?.votes;
            const pointsBefore = state.done.length;
            state = bisection.tell(state, eventFor(command, kind));
            if (kind === 'invalid' && state.done.length === pointsBefore)
              expect(state.point?.votes).toEqual(before);
          }
          command = bisection.ask(state);
        }
      }),
    );
  });

  it('repeats an invalid trial twice, then ends `at least` with the reason', () => {
    const { state, trials } = play(CONFIG, (trial) =>
      trial.np * trial.unitRate < 4_500 ? 'sustained' : 'invalid',
    );
    const last = trials.at(-1);
    expect(trials.filter((trial) => trial.np === last?.np)).toHaveLength(3);
    expect(state.done[0]?.quality).toBe('at least');
    expect(state.done[0]?.notes.join()).toContain('shard lost');
  });

  it('settles a contradiction by a third trial of the same load', () => {
    let flipped = false;
    const { trials, state } = play(CONFIG, (trial) => {
      const truth = capacity(5_000)(trial);
      if (trial.purpose !== 'confirm-lower' || flipped) return truth;
      flipped = true;
      return 'overloaded';
    });
    expect(trials.some((trial) => trial.purpose === 'tie-break')).toBe(true);
    expect(state.done[0]?.quality).toBe('converged');
    expect(state.done[0]?.notes).toEqual([`1 of ${trials.length} valid trials contradict the bounds`]);
  });

  it('ignores late, repeated and foreign events', () => {
    const { events } = play(CONFIG, capacity(5_000));
    fc.assert(
      fc.property(fc.array(fc.nat(events.length - 1), { maxLength: 30 }), (echoes) => {
        const withEchoes = events.flatMap((event, i) => [
          event,
          ...echoes.filter((echo) => echo <= i).map((echo) => events[echo] ?? event),
        ]);
        expect(replay(bisection, CONFIG, withEchoes)).toEqual(replay(bisection, CONFIG, events));
      }),
    );
  });
});

describe('replay', () => {
  it('gives the same commands from the log, through JSON', () => {
    fc.assert(
      fc.property(fc.double({ min: 100, max: 1e6, noNaN: true }), (truth) => {
        const played = play({ ...CONFIG, sizes: [100, 1_000] }, capacity(truth), truth);
        let state = bisection.start({ ...CONFIG, sizes: [100, 1_000] });
        const commands = [bisection.ask(state)];
        for (const event of played.events) {
          const next = step(bisection, JSON.parse(JSON.stringify(state)), JSON.parse(JSON.stringify(event)));
          state = next.state;
          commands.push(next.command);
        }
        expect(commands).toEqual(played.commands);
      }),
      { numRuns: 20 },
    );
  });
});

describe('bounds', () => {
  it('ends with what it has after the trials that were asked for, never one-sided', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        (maxTrials, off) => {
          const { state, trials } = play({ ...CONFIG, maxTrials }, capacity(5_000), 5_000 * off);
          const point = state.done[0];
          expect(point?.lower && point.upper).toBeTruthy();
          const isCut = point?.notes.some((note) => note.includes('as asked'));
          if (isCut) expect(trials.length).toBeGreaterThanOrEqual(maxTrials);
          expect(['converged', 'wide']).toContain(point?.quality);
          expect(point?.messageBytes).toBe(1_000);
        },
      ),
    );
  });

  it('calls a bracket `wide` that whole producers cannot narrow to the precision', () => {
    const { state } = play({ ...CONFIG, targetNp: 5, maxNp: 8 }, capacity(5_000));
    expect(state.done[0]?.quality).toBe('wide');
  });

  it('keeps the finer unit rate when a bound is repeated at the older one', () => {
    const votes = [vote(20, 10, true), vote(43, 4.8, false), vote(43, 4.8, false)];
    const point = { ...emptyPoint(1_000, 4.8), votes, trials: 3 };
    const state = { config: CONFIG, done: [], point };
    const command = bisection.ask(state);
    expect(command).toMatchObject({ purpose: 'confirm-lower', unitRate: 10 });
    if (command.type !== 'runTrial') throw new Error('a trial was expected');
    const after = bisection.tell(state, eventFor(command, 'overloaded'));
    expect(after.point?.unitRate).toBe(4.8);
  });

  it('says `ISR not observed` when no window was long enough to see it', () => {
    const { state } = play({ ...CONFIG, confirm: 0, isrHoldMs: 45_000 }, capacity(5_000));
    expect(state.done[0]?.notes).toContain('ISR not observed');
  });

  it('holds the confirmation of the lower bound long enough to see the ISR', () => {
    const { trials, state } = play({ ...CONFIG, isrHoldMs: 45_000 }, capacity(5_000));
    expect(trials.find((trial) => trial.purpose === 'confirm-lower')?.windowMs).toBe(45_000);
    expect(state.done[0]?.notes).toEqual([]);
  });
});

describe('remaining work', () => {
  it('falls to nothing, and guesses the whole within half at the start', () => {
    const config = { ...CONFIG, sizes: [100, 1_000] };
    const played = play(config, capacity(5_000));
    const first = remainingWork(bisection.start(config)).trials;
    expect(first / played.trials.length).toBeGreaterThan(0.6);
    expect(first / played.trials.length).toBeLessThan(1.6);
    expect(remainingWork(played.state)).toEqual({ probes: 0, trials: 0, windowSeconds: 0 });
  });
});

it('knows every verdict kind', () => {
  expect(verdictOf('invalid').kind).toBe('invalid');
});
