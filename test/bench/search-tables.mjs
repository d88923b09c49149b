// Sums over searches, and tables of them.
import { PRECISION } from './search-cases.mjs';

export function summarise(results) {
  const points = results.flatMap((result) => result.points);
  const known = points.filter(({ error }) => error !== null);
  const errors = known.map(({ error }) => Math.abs(error)).sort((a, b) => a - b);
  const share = (list, isTrue) => (list.length === 0 ? Number.NaN : list.filter(isTrue).length / list.length);
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
  return {
    searches: results.length,
    trials: mean(results.map(({ trials }) => trials)),
    hours: mean(results.map(({ seconds }) => seconds)) / 3_600,
    dose: mean(results.map(({ dose }) => dose)),
    hit: share(points, ({ error }) => error !== null && Math.abs(error) <= PRECISION),
    p95: errors[Math.floor(0.95 * errors.length)] ?? Number.NaN,
    bias: mean(known.map(({ error }) => error)),
    covered: share(known, ({ isCovered }) => isCovered),
    halfWidth: mean(known.map(({ halfWidth }) => halfWidth)),
    bounds: share(points, ({ hasLower, hasUpper }) => hasLower && hasUpper),
    lowerTrue: share(
      points.filter(({ hasLower }) => hasLower),
      ({ isLowerTrue }) => isLowerTrue,
    ),
    upperTrue: share(
      points.filter(({ hasUpper }) => hasUpper),
      ({ isUpperTrue }) => isUpperTrue,
    ),
    converged: share(points, ({ quality }) => quality === 'converged'),
    atLeast: share(points, ({ quality }) => quality === 'at least'),
    atMost: share(points, ({ quality }) => quality === 'at most'),
  };
}

const percent = (ratio, digits = 1) => (Number.isNaN(ratio) ? '-' : (100 * ratio).toFixed(digits));

export function rowOf(name, summary) {
  return {
    name,
    trials: summary.trials.toFixed(1),
    hours: summary.hours.toFixed(2),
    'within 5 %': percent(summary.hit),
    'p95 error %': percent(summary.p95),
    'bias %': percent(summary.bias),
    'covered %': percent(summary.covered),
    'half width %': percent(summary.halfWidth),
    'overload dose s': summary.dose.toFixed(0),
    'both bounds %': percent(summary.bounds, 0),
    'lower true %': percent(summary.lowerTrue, 0),
    'upper true %': percent(summary.upperTrue, 0),
    'converged %': percent(summary.converged, 0),
    'at least %': percent(summary.atLeast, 0),
    'at most %': percent(summary.atMost, 0),
  };
}

export function print(title, rows) {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) =>
    Math.max(column === 'name' ? title.length : column.length, ...rows.map((row) => row[column].length)),
  );
  const line = (cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ');
  console.log(line(columns.map((column) => (column === 'name' ? title : column))));
  for (const row of rows) console.log(line(columns.map((column) => row[column])));
  console.log('');
}
