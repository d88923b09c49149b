import type { OverloadRule } from '../verdict.ts';

/** A valid trial as the bracket remembers it. */
export interface Vote {
  readonly np: number;
  readonly unitRate: number;
  readonly isSustained: boolean;
  /** Acked when sustained, offered when overloaded; messages per second. */
  readonly messagesPerSecond: number;
  readonly windowMs: number;
  readonly limit: { readonly rule: OverloadRule; readonly brokerId: number | null } | null;
}

/** All votes on one load. */
export interface LoadVotes {
  readonly np: number;
  readonly unitRate: number;
  /** np x unit rate, messages per second offered. */
  readonly load: number;
  readonly votes: readonly Vote[];
  readonly sustained: number;
  readonly overloaded: number;
}

export interface Bracket {
  /** Largest load with a sustained majority below `upper`; null = none yet. */
  readonly lower: LoadVotes | null;
  /** Smallest load with an overloaded majority; null = none yet. */
  readonly upper: LoadVotes | null;
  /** A load whose votes are even, and so needs one more; null = none. */
  readonly tied: LoadVotes | null;
  /** A confirmed sustained load above the upper bound: the cluster contradicts itself. */
  readonly isInverted: boolean;
}

/** Two loads are the same when producers and unit rate are. */
export function sameLoad(
  a: { readonly np: number; readonly unitRate: number },
  b: { readonly np: number; readonly unitRate: number },
): boolean {
  return a.np === b.np && a.unitRate === b.unitRate;
}

/**
 * The bracket that the votes imply. It depends on the set of votes alone, not on their order. The lower bound lies below
 * the smallest overloaded load even when a larger one was once sustained: the cautious reading of contradictions
 * (MLRsearch, RFC 9971, "relevant bounds").
 */
export function bracketOf(votes: readonly Vote[]): Bracket {
  const loads = groupByLoad(votes);
  const tied = loads.find((load) => load.sustained === load.overloaded) ?? null;
  const upper = loads.find((load) => load.overloaded > load.sustained) ?? null;
  const below = loads.filter(
    (load) => load.sustained > load.overloaded && (upper === null || load.load < upper.load),
  );
  return {
    lower: below.at(-1) ?? null,
    upper,
    tied,
    isInverted:
      upper !== null && loads.some((load) => load.load > upper.load && load.sustained >= 2 + load.overloaded),
  };
}

/** Votes on one load, or null when it was never tried. */
export function votesOn(
  votes: readonly Vote[],
  load: { readonly np: number; readonly unitRate: number },
): LoadVotes | null {
  return groupByLoad(votes).find((group) => sameLoad(group, load)) ?? null;
}

/** Groups in ascending load. */
function groupByLoad(votes: readonly Vote[]): LoadVotes[] {
  const groups: Vote[][] = [];
  for (const vote of votes) {
    const group = groups.find((members) => members[0] && sameLoad(members[0], vote));
    if (group) group.push(vote);
    else groups.push([vote]);
  }
  return groups
    .flatMap((members): LoadVotes[] => {
      const first = members[0];
      if (!first) return [];
      const sustained = members.filter((vote) => vote.isSustained).length;
      return [
        {
          np: first.np,
          unitRate: first.unitRate,
          load: first.np * first.unitRate,
          votes: members,
          sustained,
          overloaded: members.length - sustained,
        },
      ];
    })
    .sort((a, b) => a.load - b.load);
}
