// The published method: halve [0, largest load] until the bracket is narrow; each load is tried once, or until most of
// `votes` trials agree.
export function bisection(field, { precision, votes }) {
  return field.sizes.map((_, size) => {
    let lower = 0;
    let upper = field.largestLoad(size);
    while (upper - lower > precision * (upper + lower)) {
      const load = (lower + upper) / 2;
      if (mostOverload(field, size, load, votes)) upper = load;
      else lower = load;
    }
    return { estimate: (lower + upper) / 2, low: lower, high: upper };
  });
}

function mostOverload(field, size, load, votes) {
  const needed = (votes + 1) / 2;
  let overloaded = 0;
  let sustained = 0;
  while (overloaded < needed && sustained < needed) {
    if (field.run(size, load).isOverloaded) overloaded += 1;
    else sustained += 1;
  }
  return overloaded > sustained;
}
