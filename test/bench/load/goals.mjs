// Medians of the runs, and whether they reach the goals.

/** Messages per CPU-second of Plimsoll over those of the other, by message size, at least. */
export const GOALS = {
  100: { java: 1.3, c: 0.5 },
  1000: { java: 3, c: 0.5 },
  10000: { java: 5, c: 0.5 },
};

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param runs `{ size, client, perCpuSecond, perSecond }`; @returns a row for each size and client, in order of the runs. */
export function summarise(runs) {
  const groups = new Map();
  for (const run of runs) {
    const key = `${run.size} ${run.client}`;
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()].map((group) => {
    const rates = group.map(({ perCpuSecond }) => perCpuSecond);
    return {
      size: group[0].size,
      client: group[0].client,
      perCpuSecond: median(rates),
      least: Math.min(...rates),
      most: Math.max(...rates),
      perSecond: median(group.map(({ perSecond }) => perSecond)),
    };
  });
}

/** @returns for each size the two ratios with their goals. A client that is missing gives no ratio, and holds no goal. */
export function ratios(rows) {
  const rateOf = (size, client) =>
    rows.find((row) => row.size === size && row.client === client)?.perCpuSecond ?? Number.NaN;
  return [...new Set(rows.map(({ size }) => size))].map((size) => {
    const own = rateOf(size, 'plimsoll');
    const toJava = own / rateOf(size, 'java');
    const toC = own / rateOf(size, 'c');
    const goal = GOALS[size];
    return { size, toJava, toC, goal, holds: toJava >= goal.java && toC >= goal.c };
  });
}

export function summaryLine(found) {
  const holds = found.length > 0 && found.every((one) => one.holds);
  const parts = found.map(
    ({ size, toJava, toC, goal }) =>
      `${sizeText(size)} ${toJava.toFixed(2)}x Java (goal ${goal.java}), ${toC.toFixed(2)}x C (goal ${goal.c})`,
  );
  return { holds, text: `${holds ? 'goals hold' : 'GOALS MISSED'}: ${parts.join('; ')}` };
}

export const sizeText = (bytes) => (bytes >= 1_000 ? `${bytes / 1_000} kB` : `${bytes} B`);
