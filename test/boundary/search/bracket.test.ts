import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bracketOf, type Vote } from '../../../boundary/search/bracket.ts';

const votes = (...loads: (readonly [np: number, answers: string])[]): Vote[] =>
  loads.flatMap(([np, answers]) =>
    [...answers].map((answer) => ({
      np,
      unitRate: 1,
      isSustained: answer === 's',
      messagesPerSecond: np,
      windowMs: 10_000,
      limit: null,
    })),
  );

describe('bracketOf', () => {
  it.each([
    [votes(), null, null, null, 'nothing tried'],
    [votes([10, 's'], [20, 'o']), 10, 20, null, 'one of each'],
    [
      votes([10, 's'], [20, 'o'], [15, 'so']),
      10,
      20,
      15,
      'an even load is neither bound until a third trial',
    ],
    [votes([10, 's'], [20, 'sso'], [30, 'o']), 20, 30, null, 'two against one'],
    [
      votes([10, 's'], [20, 'oo'], [30, 's']),
      10,
      20,
      null,
      'a sustained load above an overloaded one is no bound',
    ],
    [votes([10, 'o'], [20, 'ss']), null, 10, null, 'nor does it make up for a missing lower bound'],
  ] as const)('%#: lower %s, upper %s, tied %s (%s)', (seen, lower, upper, tied, _why) => {
    const bracket = bracketOf(seen);
    expect(bracket.lower?.np ?? null).toBe(lower);
    expect(bracket.upper?.np ?? null).toBe(upper);
    expect(bracket.tied?.np ?? null).toBe(tied);
  });

  it('tells that a cluster contradicts itself', () => {
    expect(bracketOf(votes([10, 's'], [20, 'oo'], [30, 'ss'])).isInverted).toBe(true);
    expect(bracketOf(votes([10, 's'], [20, 'oo'], [30, 's'])).isInverted).toBe(false);
  });

  it('does not depend on the order of the trials', () => {
    const one = fc.tuple(fc.integer({ min: 1, max: 8 }), fc.constantFrom('s', 'o'));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 20 }), fc.infiniteStream(fc.nat()), (loads, keys) => {
        const order = loads.map((load) => ({ load, key: keys.next().value ?? 0 }));
        const shuffled = order.sort((a, b) => a.key - b.key).map(({ load }) => load);
        const bounds = (seen: Vote[]) => {
          const { lower, upper, tied, isInverted } = bracketOf(seen);
          return [lower?.np, upper?.np, tied?.np, isInverted];
        };
        expect(bounds(votes(...shuffled))).toEqual(bounds(votes(...loads)));
      }),
    );
  });
});
