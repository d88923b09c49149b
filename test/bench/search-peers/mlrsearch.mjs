// The rules of MLRsearch (RFC 9971) with one goal: exceed ratio 0.5, a duration sum of three trials, a relative width. Trials
// are of the final length only. The first loads are the largest one and what came through of it.
const EXCEED_RATIO = 0.5;
const SUM_TRIALS = 3;
const EXPANSION = 2;
const MOST_TRIALS = 40;
const SMALLEST_SHARE = 1 / 64;

export function mlrsearch(field, { precision }) {
  const width = 1.2 * precision;
  return field.sizes.map((_, size) => searchSize(field, size, width));
}

function searchSize(field, size, width) {
  const largest = field.largestLoad(size);
  const votes = new Map();
  const run = (load) => {
    const seen = field.run(size, load);
    const here = votes.get(load) ?? { good: 0, bad: 0 };
    here[seen.isOverloaded ? 'bad' : 'good'] += 1;
    votes.set(load, here);
    return seen;
  };
  const first = run(largest);
  if (first.isOverloaded) run(Math.min(largest, first.delivered));
  let expansion = 1 + width;
  for (let trials = 2; trials < MOST_TRIALS; trials++) {
    const { lower, upper, undecided } = bounds(votes);
    if (undecided !== null) {
      run(undecided);
      continue;
    }
    if (lower !== null && upper !== null) {
      if (upper / lower <= 1 + width) break;
      run(Math.sqrt(lower * upper));
    } else if (upper !== null) {
      const load = Math.max(upper / expansion, largest * SMALLEST_SHARE);
      if (load >= upper) break;
      run(load);
      expansion **= EXPANSION;
    } else if (lower < largest) {
      run(Math.min(largest, lower * expansion));
      expansion **= EXPANSION;
    } else break;
  }
  const { lower, upper } = bounds(votes);
  const low = lower ?? (upper ?? largest) / (1 + width);
  const high = upper ?? largest;
  return { estimate: Math.sqrt(low * high), low, high };
}

/** The relevant bounds: the smallest load that is an upper bound, and the largest lower bound under it. */
function bounds(votes) {
  const loads = [...votes]
    .map(([load, votesHere]) => ({ load, side: classify(votesHere) }))
    .sort((a, b) => a.load - b.load);
  const upper = loads.find(({ side }) => side === 'upper')?.load ?? null;
  const below = loads.filter(({ load }) => upper === null || load < upper);
  const lower = below.findLast(({ side }) => side === 'lower')?.load ?? null;
  // A load that can move a bound is decided first, the smallest of them before the others.
  const undecided =
    below.find(({ load, side }) => side === 'undecided' && (lower === null || load > lower))?.load ?? null;
  return { lower, upper, undecided };
}

function classify({ good, bad }) {
  const whole = Math.max(good + bad, SUM_TRIALS);
  const isLowerAtBest = bad <= whole * EXCEED_RATIO;
  const isLowerAtWorst = whole - good <= whole * EXCEED_RATIO;
  if (isLowerAtBest && isLowerAtWorst) return 'lower';
  return isLowerAtBest || isLowerAtWorst ? 'undecided' : 'upper';
}
