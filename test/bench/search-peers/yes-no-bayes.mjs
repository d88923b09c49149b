// A Bayesian search on verdicts alone, size by size (QUEST+ with the noise marginalised): a grid over ln(limit), the load
// that lowers the expected variance most per second. From the third size on, the prior follows a cost law through the
// sizes already found.
const WIDTHS = [0.02, 0.05, 0.1, 0.2];
const LAPSES = [0.01, 0.05];
const NOISES = WIDTHS.flatMap((width) => LAPSES.map((lapse) => ({ width, lapse })));
const SPAN = Math.log(64);
const MOST_TRIALS = 25;
const LAW_SPREAD = 0.12;
const OUTSIDE_LAW = 0.05;

export function yesNoBayes(field, { precision }) {
  const found = [];
  const order = endsFirst(field.sizes.length);
  const results = [];
  for (const size of order) {
    const grid = gridFor(field, size, precision);
    const tables = priorTables(grid, lawAt(found, field.sizes[size].messageBytes));
    let trials = 0;
    for (;;) {
      const [low, middle, high] = quantiles(marginal(tables), grid, [0.025, 0.5, 0.975]);
      if ((trials >= 3 && (high - low) / 2 <= precision) || trials >= MOST_TRIALS) {
        results[size] = { estimate: Math.exp(middle), low: Math.exp(low), high: Math.exp(high) };
        found.push({ bytes: field.sizes[size].messageBytes, lnLimit: middle });
        break;
      }
      const lnLoad = bestLoad(tables, grid);
      update(tables, grid, lnLoad, field.run(size, Math.exp(lnLoad)).isOverloaded);
      trials += 1;
    }
  }
  return results;
}

function endsFirst(count) {
  const inner = Array.from({ length: Math.max(0, count - 2) }, (_, i) => i + 1);
  return count > 1 ? [0, count - 1, ...inner] : [0];
}

function gridFor(field, size, precision) {
  const top = Math.log(field.largestLoad(size));
  const step = Math.max(precision / 6, 0.004);
  return Array.from({ length: Math.ceil(SPAN / step) + 1 }, (_, k) => top - SPAN + k * step);
}

function priorTables(grid, law) {
  const weight = (ln) => (law === null ? 1 : OUTSIDE_LAW + Math.exp(-0.5 * ((ln - law) / LAW_SPREAD) ** 2));
  const sum = grid.reduce((total, ln) => total + weight(ln), 0) * NOISES.length;
  return NOISES.map(() => Float64Array.from(grid, (ln) => weight(ln) / sum));
}

/** ln of the limit that 1 / (a + b bytes) through the found sizes gives; null with fewer than two. */
function lawAt(found, bytes) {
  if (found.length < 2) return null;
  let best = null;
  for (let lnRatio = -16; lnRatio <= 4; lnRatio += 0.25) {
    const offsets = found.map((size) => size.lnLimit + Math.log(1 + Math.exp(lnRatio) * size.bytes));
    const mean = offsets.reduce((sum, value) => sum + value, 0) / offsets.length;
    const misfit = offsets.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    if (best === null || misfit < best.misfit)
      best = { misfit, ln: mean - Math.log(1 + Math.exp(lnRatio) * bytes) };
  }
  return best.ln;
}

const chanceOver = (distance, { width, lapse }) =>
  lapse + (1 - 2 * lapse) / (1 + Math.exp((-2.944 * distance) / width));

function update(tables, grid, lnLoad, isOverloaded) {
  let sum = 0;
  tables.forEach((table, n) => {
    grid.forEach((ln, k) => {
      const over = chanceOver(lnLoad - ln, NOISES[n]);
      table[k] *= isOverloaded ? over : 1 - over;
      sum += table[k];
    });
  });
  for (const table of tables) for (let k = 0; k < table.length; k++) table[k] /= sum;
}

function marginal(tables) {
  return Float64Array.from(tables[0], (_, k) => tables.reduce((sum, table) => sum + table[k], 0));
}

function quantiles(masses, grid, levels) {
  let sum = 0;
  let k = 0;
  return levels.map((level) => {
    while (k < masses.length - 1 && sum + masses[k] < level) {
      sum += masses[k];
      k += 1;
    }
    return grid[k];
  });
}

/** The candidate with the largest fall of ln(variance) per second. */
function bestLoad(tables, grid) {
  const masses = marginal(tables);
  const kept = [...grid.keys()].filter((k) => masses[k] > 1e-6);
  const levels = Array.from({ length: 17 }, (_, i) => 0.06 + 0.055 * i);
  const candidates = [...new Set(quantiles(masses, grid, levels))];
  const middle = quantiles(masses, grid, [0.5])[0];
  const before = spread(kept.map((k) => [masses[k], grid[k]]));
  let best = { gain: Number.NEGATIVE_INFINITY, lnLoad: middle };
  for (const lnLoad of candidates) {
    const over = [0, 0, 0];
    const under = [0, 0, 0];
    tables.forEach((table, n) => {
      for (const k of kept) {
        const u = grid[k] - middle;
        const p = chanceOver(lnLoad - grid[k], NOISES[n]) * table[k];
        for (const [sums, mass] of [
          [over, p],
          [under, table[k] - p],
        ]) {
          sums[0] += mass;
          sums[1] += mass * u;
          sums[2] += mass * u * u;
        }
      }
    });
    const after = [over, under].reduce((sum, [m, mu, muu]) => sum + (m > 0 ? muu - (mu * mu) / m : 0), 0);
    const excess = Math.max(0, Math.exp(lnLoad - middle) - 1);
    const seconds =
      over[0] * (25 + Math.min(30, 3 / Math.max(excess, 0.01)) + Math.min(60, 80 * excess)) + under[0] * 45;
    const gain = Math.log(before / Math.max(after, 1e-12)) / seconds;
    if (gain > best.gain) best = { gain, lnLoad };
  }
  return best.lnLoad;
}

function spread(pairs) {
  const mass = pairs.reduce((sum, [m]) => sum + m, 0);
  const mean = pairs.reduce((sum, [m, u]) => sum + m * u, 0) / mass;
  return pairs.reduce((sum, [m, u]) => sum + m * (u - mean) ** 2, 0) / mass;
}
