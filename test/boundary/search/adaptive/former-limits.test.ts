import { describe, expect, it } from 'vitest';
import type { Analysis } from '../../../../boundary/search/adaptive/analyse.ts';
import {
  compareWithFormer,
  formerHints,
  formerStandings,
} from '../../../../boundary/search/adaptive/former-limits.ts';
import type { FormerLimit } from '../../../../boundary/search/search.ts';
import { CURVE_FAMILIES } from '../../../../boundary/simulator/idle-curve.ts';
import { type Played, playWorld } from './simulated-search.ts';

const SIZES = [100, 1_000, 10_000];
const FORMER = SIZES.map(
  (messageBytes): FormerLimit => ({ messageBytes, estimate: 1_000, low: 960, high: 1_040 }),
);

/** An analysis whose limits are `changes` times 1 000, within 4 %; null = no trial at this size. */
function freshOf(changes: readonly (number | null)[], readings = 2): Analysis {
  const sizes = changes.map((change) => {
    const median = Math.log(1_000 * (change ?? 1));
    const estimate = { median, low: median - 0.04, high: median + 0.04, cautious: median, rule: 'delivery' };
    return { estimate, lasting: estimate, unseenDrift: 0, readings: change === null ? 0 : readings };
  });
  return { sizes } as unknown as Analysis;
}

describe('formerStandings', () => {
  it.each([
    ['nothing is tried yet', null, 2, [false, false, false]],
    ['all agree', [1.02, 0.98, 1], 2, [false, false, false]],
    ['one size has moved: the others keep their say', [1, 0.85, 1.01], 2, [false, true, false]],
    ['all have moved a little, each within its own error', [0.9, 0.91, 0.89], 2, [true, true, true]],
    ['all have moved: the untried one loses its say too', [0.7, 0.7, null], 2, [true, true, true]],
    ['one trial of one size may be an outlier', [0.6, null, null], 1, [false, false, false]],
  ] as const)('%s', (_, changes, readings, dropped) => {
    const standings = formerStandings(SIZES, FORMER, changes && freshOf(changes, readings), 0.05);
    expect(standings.map((standing) => standing?.isDropped)).toEqual(dropped);
  });

  it('gives a dropped limit no weight at all, and an untried size the change of the others, vaguely', () => {
    const hints = formerHints(formerStandings(SIZES, FORMER, freshOf([0.7, 0.7, null]), 0.05));
    expect(hints).toHaveLength(1);
    expect(hints[0]).toMatchObject({ size: 2, deviation: 0.3 });
    expect(Math.exp(hints[0]?.lnLimit ?? 0)).toBeCloseTo(700, 0);
  });

  it('knows nothing of a size that the former run has not', () => {
    expect(formerStandings([5], FORMER, null, 0.05)).toEqual([null]);
  });
});

describe('compareWithFormer', () => {
  const compare = (changes: readonly (number | null)[], size = 0, precision = 0.05) => {
    const standing = formerStandings(SIZES, FORMER, freshOf(changes), precision)[size];
    return standing ? compareWithFormer(standing, 1_000 * (changes[size] ?? 1)) : null;
  };

  it.each([
    ['no difference', [1, 1, 1], 'confirmed'],
    ['a difference within the error', [1.05, 1, 1], 'confirmed'],
    ['a difference beyond it', [0.88, 1, 1], 'refuted'],
    ['all sizes have moved, this one as they did', [0.935, 0.9, 0.9], 'refuted'],
    ['all others have moved, this one has not', [0.99, 0.8, 0.8], 'confirmed'],
  ] as const)('%s', (_, changes, outcome) => {
    expect(compare(changes)?.outcome).toBe(outcome);
    expect(compare(changes)?.ratio).toBeCloseTo(changes[0], 9);
  });

  it('refutes nothing by a change smaller than the precision asked for', () => {
    expect(compare([0.88, 1, 1], 0, 0.1)?.outcome).toBe('refuted');
    expect(compare([0.88, 1, 1], 0, 0.2)?.outcome).toBe('confirmed');
    expect(compare([0.88, 0.88, 0.88], 0, 0.2)?.outcome).toBe('confirmed');
  });

  it('says nothing of an untried size, nor from trials that would miss a change of a third', () => {
    expect(compare([null, 1, 1])).toBeNull();
    const vague = FORMER.map((limit) => ({ ...limit, low: 700, high: 1_400 }));
    const standing = formerStandings(SIZES, vague, freshOf([1, 1, 1]), 0.05)[0];
    expect(standing && compareWithFormer(standing, 1_000)).toBeNull();
  });
});

const SLOW = 60_000;

function formerOf({ state }: Played): FormerLimit[] {
  return state.done.flatMap(({ messageBytes, estimate, interval }) =>
    estimate !== null && interval ? [{ messageBytes, estimate, ...interval }] : [],
  );
}

describe('a rerun', () => {
  it(
    'confirms an unchanged cluster with two or three trials per size, and no probe',
    () => {
      let trials = 0;
      const outcomes: (string | undefined)[] = [];
      for (const family of CURVE_FAMILIES) {
        const former = formerOf(playWorld(7, { family }));
        const { commands, state } = playWorld(1_007, { family }, { former }, {}, 7);
        expect(commands.every(({ type }) => type === 'runTrial')).toBe(true);
        trials += commands.length;
        outcomes.push(...state.done.map((point) => point.former?.outcome));
      }
      expect(trials / outcomes.length).toBeLessThanOrEqual(3);
      const confirmed = outcomes.filter((outcome) => outcome === 'confirmed').length;
      expect(confirmed / outcomes.length).toBeGreaterThanOrEqual(0.8);
    },
    SLOW,
  );

  it(
    'refutes a changed cluster and finds its limits anew',
    () => {
      for (const share of [0.6, 1.4]) {
        const former = formerOf(playWorld(6, { family: 'exp' }));
        const burst = { afterSeconds: -1, share };
        const { state, world } = playWorld(1_006, { family: 'exp' }, { former }, { burst }, 6);
        state.done.forEach((point, size) => {
          expect(point.former?.outcome).toBe('refuted');
          expect(point.former?.ratio).toBeCloseTo(share, 0);
          const truth = share * (world.sizes[size]?.boundary ?? 0);
          expect(Math.abs(Math.log((point.estimate ?? 0) / truth))).toBeLessThan(0.12);
        });
      }
    },
    SLOW,
  );

  it(
    'goes on where the check leaves it open, and never says then that its trials agree',
    () => {
      const open = [1, 2, 3, 4].flatMap((seed) => {
        const former = formerOf(playWorld(seed, { family: 'B' }));
        const noisy = { family: 'B', noiseFactor: 6 } as const;
        const { state } = playWorld(1_000 + seed, noisy, { former }, {}, seed);
        return state.done.filter((point) => point.former === undefined);
      });
      expect(open.length).toBeGreaterThan(0);
      for (const { trials, notes } of open) {
        expect(trials).toBeGreaterThan(3);
        expect(notes.join()).not.toContain('agree with the former limit');
      }
    },
    SLOW,
  );

  it('searches a size that the former run does not know as ever', () => {
    const former = formerOf(playWorld(6, { family: 'exp' })).slice(0, 1);
    const { state, commands } = playWorld(1_006, { family: 'exp' }, { former }, {}, 6);
    expect(state.done.map((point) => point.former !== undefined)).toEqual([true, false, false]);
    expect(commands.filter(({ type }) => type === 'runProbe')).toHaveLength(1);
  });

  it(
    'says up to where the ISR was observed when its checks stay far under the limit',
    () => {
      const options = { family: 'mixed', noiseFactor: 2 } as const;
      const notes: string[] = [];
      for (let seed = 700; seed < 712; seed++) {
        const former = formerOf(playWorld(seed, options, { precision: 0.2 }));
        const config = { precision: 0.2, former };
        const { state, world } = playWorld(seed + 1_000, options, config, { isrFlapsAbove: 0.75 }, seed);
        state.done.forEach((point, size) => {
          const truth = 0.75 * (world.sizes[size]?.boundary ?? Number.NaN);
          if ((point.interval?.low ?? 0) * 0.9 > truth)
            notes.push(point.notes.find((note) => note.includes('ISR')) ?? '');
        });
      }
      expect(notes).not.toEqual([]);
      for (const note of notes) expect(note).toMatch(/^ISR (not observed|observed up to [\d,]+\/s only)$/);
    },
    SLOW,
  );
});
