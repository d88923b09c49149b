// The results as Markdown.

const decimal = (value) => (value === null ? '-' : value.toFixed(3));

function table(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A row per set-up and view; a column per level. */
export function levelTable(rows, levels) {
  const keys = [...new Set(rows.map(({ cluster, setUp, view }) => JSON.stringify([cluster, setUp, view])))];
  const cell = (key, level) => {
    const row = rows.find(
      (each) => each.level === level && JSON.stringify([each.cluster, each.setUp, each.view]) === key,
    );
    if (row === undefined) return '';
    if (row.reading === null) return row.isOk ? 'not told' : '**no reading**';
    const { ratio, low, high } = row.reading;
    const verdict = row.isOk ? 'ok' : '**not ok**';
    return `${decimal(ratio)} [${decimal(low)}, ${decimal(high)}], exact ${decimal(row.exact.ratio)}: ${verdict}`;
  };
  const estimators = (key) => {
    const found = rows.filter(
      (each) => JSON.stringify([each.cluster, each.setUp, each.view]) === key && each.reading,
    );
    return [...new Set(found.map(({ reading }) => reading.estimator))].join('; ');
  };
  return table(
    ['cluster', 'rules', 'of the page', 'estimator', ...levels.map((level) => `idle about ${level}`)],
    keys.map((key) => [...JSON.parse(key), estimators(key), ...levels.map((level) => cell(key, level))]),
  );
}

/** A row per estimator over everything. */
export function estimatorTable(rows) {
  const told = rows.filter(({ reading }) => reading !== null);
  const names = [...new Set(told.map(({ reading }) => reading.estimator))];
  return table(
    ['estimator', 'windows', 'within its error', 'largest difference', 'mean width of the error'],
    names.map((name) => {
      const mine = told.filter(({ reading }) => reading.estimator === name);
      const differences = mine.map(({ reading, exact }) => Math.abs(reading.ratio - exact.ratio));
      const width = mine.reduce((sum, { reading }) => sum + reading.high - reading.low, 0) / mine.length;
      const ok = mine.filter(({ isOk }) => isOk).length;
      return [name, mine.length, ok, decimal(Math.max(...differences)), decimal(width)];
    }),
  );
}

export function stepTable(rows) {
  return table(
    [
      'cluster',
      'rules',
      'step',
      'Count',
      'poll interval',
      'idle before',
      'idle after',
      'polls until under 0.2',
      's until then',
      '',
    ],
    rows.map((row) => [
      row.cluster,
      row.setUp,
      row.step,
      row.hasCount ? 'yes' : 'no',
      `${row.intervalMs / 1_000} s`,
      decimal(row.before),
      decimal(row.after),
      row.polls ?? 'never',
      row.afterMs === null ? '' : (row.afterMs / 1_000).toFixed(2),
      row.isOk ? 'ok' : '**not ok**',
    ]),
  );
}

export function costTable(rows) {
  return table(
    ['cluster', 'rules', 'poll interval', 'page', 'median of a look', 'looks', 'missed', 'CPU of the broker'],
    rows.map(({ cluster, setUp, intervalMs, cost, missed, cpuShare }) => [
      cluster,
      setUp,
      `${intervalMs / 1_000} s`,
      cost ? `${Math.round(cost.bytes / 1_000)} kB` : '',
      cost ? `${Math.round(cost.medianMs)} ms` : '',
      cost?.looks ?? '',
      missed,
      `${Math.round(cpuShare * 100)} % of a core`,
    ]),
  );
}
